/** Tells that it is somebody's turn: by the icon, by a sound, and beside the page, as wished. */

import { notices } from "./browser-storage.svelte";

const ICON = "/icon.svg";
const TURN_ICON = "/icon-turn.svg";
const NOTES = [587.33, 880]; // Hz: two notes, the second higher
const LENGTH = 0.18; // seconds of each

let audio: AudioContext | null = null;

/** A dot on the icon of the page, or none. */
export function markIcon(isTurn: boolean): void {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const wanted = isTurn ? TURN_ICON : ICON;
    if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** Browsers let a page sound only after somebody has touched it. */
export function chime(): void {
    audio ??= new AudioContext();
    const context = audio;
    const play = () => NOTES.forEach((pitch, at) => note(context, pitch, at * LENGTH));
    if (context.state === "running") play();
    else context.resume().then(play, () => {});
}

function note(context: AudioContext, pitch: number, after: number): void {
    const begin = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0.2, begin + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH * 2);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + LENGTH * 2);
}

/** Whether this browser can show something beside the page: it does so only on safe addresses. */
export const canNotify = () => window.isSecureContext && "Notification" in window;

/** Ask whoever sits here; true if they want it. */
export async function askToNotify(): Promise<boolean> {
    return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** It is somebody's turn, just now. */
export function notifyTurn(sentence: string): void {
    if (notices.sound) chime();
    if (notices.notes && document.hidden && canNotify() && Notification.permission === "granted") notify(sentence);
}

function notify(sentence: string): void {
    try {
        const shown = new Notification(sentence, { icon: ICON, tag: "cosca-turn" });
        shown.onclick = () => {
            window.focus();
            shown.close();
        };
    } catch {
        // phones have it for installed pages only
    }
}
