/** Events as people read them: what happened, and why. */
import type { Event } from "../wire";

/** Return the sentence of an event, followed by that of its reason. */
export function sayEvent(event: Event | undefined): string {
    return [event?.text, event?.reason?.text].filter(Boolean).join(" ");
}

/** Return whether the reason of an event is shown: one that several in a row share, after the last of them. */
export function showsReason(events: readonly Event[], at: number): boolean {
    const reason = events[at]?.reason;
    return reason != null && reason.text !== events[at + 1]?.reason?.text;
}
