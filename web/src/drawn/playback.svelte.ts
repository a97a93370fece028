/**
 * Plays what happens at a table, at the speed the player chose: each new view is shown after the scenes that lead to it.
 *
 * It is the one source for everything that must be in step with the picture: the panel, the log, the title of the page
 * and the announcements show `moment` and the first `count` events, and nothing that is newer.
 */

import { tick } from "svelte";
import type { Speed } from "../lib/browser-storage.svelte";
import type { Event as Happening, TextView } from "../wire";
import type { PositionAfter, Scene, Scenes } from "./drawing";
import { sounds } from "./sounds.svelte";

interface Frame {
    view: TextView;
    /** The view of the frame before. */
    before: TextView;
    /** All events up to the view. */
    events: readonly Happening[];
    /** The events since the frame before. */
    news: readonly Happening[];
    /** Whether it has been shown before. */
    isAgain?: boolean;
}

export const TRAVEL = 420; // ms a piece takes to travel
const MOST_NEWS = 40; // events of one view; with more, somebody was away, and the view is shown at once
const LONGEST = 16000; // ms of scenes waiting to play at normal speed; with more, everything is shown at once
const MOST_AGAIN = 12; // views that are kept to be shown again
const LENGTHS: { readonly [speed in Speed]: number } = { quick: 0.45, normal: 1, slow: 2, step: 1 };

export const isMotionOff = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export class Playback {
    /** The view of the picture; it may be older than the table's. */
    view = $state.raw<TextView | null>(null);
    /** All events up to the view of the picture. */
    events = $state.raw<readonly Happening[]>([]);
    /** The event that is shown now. */
    event = $state.raw<Happening | null>(null);
    /** The same event if its scene plays. */
    scene = $state.raw<Happening | null>(null);
    /** Whether something plays, so that there is something to skip. */
    playing = $state(false);
    /** Whether it goes on when the player says so, step by step. */
    isWaiting = $state(false);
    /** The view that everything around the picture belongs to. */
    moment = $state.raw<TextView | null>(null);
    /** How many events have been shown, or are being shown. */
    count = $state(0);
    /** Whether there is something to show again. */
    canRepeat = $state(false);

    /** The scenes of the drawing; null while nothing is drawn, so that everything is shown at once. */
    scenes: Scenes | null = null;
    /** How an event changes the picture before the scenes after it. */
    positionAfter: PositionAfter = () => null;
    /** Whether scenes play without sound. */
    isQuiet = false;
    /** Your seat: what it does itself is not shown step by step. */
    you = -1;

    #latest = $state.raw<Frame | null>(null);
    /** Whether the table is ahead of what has been shown. */
    readonly isBehind = $derived(this.moment !== this.#latest?.view || this.count < this.#latest.events.length);
    #speed: () => Speed;
    #frames: Frame[] = [];
    #turn: Frame[] = []; // since your last move, to be shown again
    #turnBefore: Frame | null = null;
    #isNewTurn = false;
    #run = 0; // changes when everything that plays is skipped
    #endPause: () => void = () => {};

    constructor(speed: () => Speed = () => "normal") {
        this.#speed = speed;
    }

    // --- What happens ---

    /** Show a view of the table after the scenes of its news. */
    update(view: TextView, events: readonly Happening[]): void {
        const before = this.#latest;
        if (before?.view === view && before.events === events) return;
        const news = before ? newsSince(before.events, events) : null;
        const frame = { view, before: before?.view ?? view, events, news: news ?? [] };
        this.#latest = frame;
        if (!before || !news) return this.#restart(); // a first look, a move taken back, or another language
        this.#keepTurn(before, frame);
        this.#frames.push(frame);
        if (this.#mustHurry(frame)) this.skip();
        else if (!this.playing) this.#playOrDisplay();
    }

    /** Let the picture keep showing the move that you have just submitted until the table has answered. */
    hold(preview?: TextView): void {
        this.skip();
        this.#isNewTurn = true;
        if (preview) this.view = preview;
    }

    /** Show the table again, because the move was refused. */
    release(): void {
        this.skip();
    }

    /** Skip everything that plays, and show the table as it is now. */
    skip = (): void => {
        this.#run += 1;
        this.#endPause();
        this.#frames = [];
        this.#stop();
        if (this.#latest) this.#arrive(this.#latest);
    };

    /** Go on to the next step. */
    next = (): void => {
        if (this.isWaiting) this.#endPause();
    };

    /** Show once more what happened since your last move. */
    repeat = (): void => {
        if (!this.#turnBefore || !this.canRepeat) return;
        this.skip();
        this.#frames = this.#turn.map((frame) => ({ ...frame, isAgain: true }));
        this.#paint(this.#turnBefore);
        void this.#play();
    };

    #restart(): void {
        this.#turn = [];
        this.#turnBefore = null;
        this.canRepeat = false;
        this.skip();
    }

    /** Keep what is shown again: everything since your last move. */
    #keepTurn(before: Frame, frame: Frame): void {
        if (this.#isNewTurn) this.#turn = [];
        if (this.#turn.length === 0) this.#turnBefore = { ...before, view: this.view ?? before.view };
        if (this.#turn.length === MOST_AGAIN) this.#turnBefore = this.#turn.shift() ?? null;
        this.#isNewTurn = false;
        this.#turn.push(frame);
        this.canRepeat = this.#turn.some(({ news }) => news.some((event) => this.#isPlayed(event)));
    }

    #mustHurry(frame: Frame): boolean {
        if (this.scenes === null || frame.view.reaction_seconds > 0 || frame.news.length > MOST_NEWS) return true;
        if (this.#speed() === "step") return false;
        return isMotionOff() || this.#waitingMs() > LONGEST;
    }

    /** Return how many ms of scenes are waiting at normal speed. */
    #waitingMs(): number {
        const events = this.#frames.flatMap(({ news }) => news);
        return events.reduce((sum, { key }) => sum + (this.scenes?.[key]?.ms ?? 0), TRAVEL * this.#frames.length);
    }

    // --- Playing ---

    #playOrDisplay(): void {
        const [only, next] = this.#frames;
        if (only && !next && !only.news.some((event) => this.#isPlayed(event))) {
            this.#frames = [];
            this.#arrive(only);
        } else void this.#play();
    }

    async #play(): Promise<void> {
        this.playing = true;
        const run = this.#run;
        for (let frame = this.#frames[0]; frame; frame = this.#frames[0]) {
            await this.#playFrame(frame, run);
            if (run !== this.#run) return;
            this.#frames.shift();
            if (this.#frames.length > 0) await this.#pause(TRAVEL);
            if (run !== this.#run) return;
        }
        this.#stop();
    }

    async #playFrame(frame: Frame, run: number): Promise<void> {
        let picture = frame.before;
        for (const [at, event] of frame.news.entries()) {
            const position = this.positionAfter(picture.position, event);
            if (position) picture = { ...picture, position };
            else if (!this.#isPlayed(event)) continue;
            if (this.#isAfterPicture(frame, at)) {
                this.#paint(frame);
                await tick();
            }
            if (run !== this.#run) return;
            await this.#playEvent(frame, at, position && this.view !== frame.view ? picture : null, run);
            if (run !== this.#run) return;
        }
        this.event = this.scene = null;
        this.#arrive(frame);
        await tick();
    }

    /** Play the scene of an event, then show what the event has changed. */
    async #playEvent(frame: Frame, at: number, picture: TextView | null, run: number): Promise<void> {
        const event = frame.news[at]!;
        const scene = this.#sceneOf(event);
        if (!frame.isAgain) this.count = frame.events.length - frame.news.length + at + 1;
        this.event = event;
        this.scene = scene ? event : null;
        if (scene?.sound && !this.isQuiet) sounds.play(scene.sound);
        if (scene) await this.#pause(scene.ms);
        if (run !== this.#run) return;
        if (picture) this.view = picture;
        if (picture && !scene && !this.#isOwn(event) && !isMotionOff()) await this.#pause(TRAVEL);
        if (run !== this.#run || !this.#isStep(event)) return;
        this.isWaiting = true;
        await this.#pause();
        this.isWaiting = false;
    }

    #sceneOf(event: Happening): Scene | undefined {
        return isMotionOff() ? undefined : this.scenes?.[event.key];
    }

    /** Return whether the player is asked to go on after an event. */
    #isStep(event: Happening): boolean {
        const isOwn = this.#isOwn(event) && !this.scenes?.[event.key];
        return this.#speed() === "step" && Boolean(event.text) && !isOwn;
    }

    #isOwn(event: Happening): boolean {
        return event.params?.seat === this.you;
    }

    #isPlayed(event: Happening): boolean {
        return this.#sceneOf(event) !== undefined || this.#isStep(event);
    }

    /** Return whether the new picture is shown before an event; one without a scene waits for those over the old one. */
    #isAfterPicture({ news }: Frame, at: number): boolean {
        const [scene, ...later] = news.slice(at).map((event) => this.#sceneOf(event));
        return scene ? scene.after === true : later.every((each) => !each || each.after === true);
    }

    /** Wait for some time at normal speed, or until the player goes on. */
    #pause(ms = Infinity): Promise<void> {
        return new Promise((resolve) => {
            const length = ms * LENGTHS[this.#speed()];
            const timer = length < Infinity ? window.setTimeout(resolve, length) : 0;
            this.#endPause = () => {
                window.clearTimeout(timer);
                resolve();
            };
        });
    }

    #stop(): void {
        this.event = this.scene = null;
        this.isWaiting = this.playing = false;
    }

    #paint({ view, events }: Frame): void {
        this.view = view;
        this.events = events;
    }

    /** Show a frame after its scenes: everything around the picture has caught up with it. */
    #arrive(frame: Frame): void {
        this.#paint(frame);
        if (frame.isAgain) return;
        this.count = frame.events.length;
        this.moment = frame.view;
    }
}

/** Return the events that were added; null if the events before are not the same. */
function newsSince(before: readonly Happening[], events: readonly Happening[]): Happening[] | null {
    const isLonger = events.length >= before.length && events[before.length - 1] === before.at(-1);
    return isLonger ? events.slice(before.length) : null;
}
