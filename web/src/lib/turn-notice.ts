/** Announces that it is your turn: by the page's icon, a sound and a notification, as preferred. */

import { notices } from "./browser-storage.svelte";

const ICON = "/icon.svg";
const TURN_ICON = "/icon-turn.svg";
const NOTES = [587.33, 880]; // Hz: two notes, the second higher
const LENGTH = 0.18; // seconds of each

let audio: AudioContext | null = null;

/** Show or remove the dot on the page's icon. */
export function markIcon(isTurn: boolean): void {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const wanted = isTurn ? TURN_ICON : ICON;
    if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** Play two notes. Browsers allow it only after the first click or key. */
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

/** Return whether this browser can show notifications, which it does on secure origins only. */
export const canNotify = () => window.isSecureContext && "Notification" in window;

/** Ask for permission to show notifications; true if it is granted. */
export async function askToNotify(): Promise<boolean> {
    return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** Announce a turn that has just begun. */
export function notifyTurn(sentence: string): void {
    if (notices.sound) chime();
    if (notices.notifications && document.hidden && canNotify() && Notification.permission === "granted")
        notify(sentence);
}

function notify(sentence: string): void {
    try {
        const shown = new Notification(sentence, { icon: ICON, tag: "cosca-turn" });
        shown.onclick = () => {
            window.focus();
            shown.close();
        };
    } catch {
        // phones allow it for installed pages only
    }
}
