/** Switches between the drawing and the text view with the key T, except while typing. */

import { prefers } from "./browser-storage.svelte";

export function toggleTextViewOnKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key.toLowerCase() === "t") prefers.textView = !prefers.textView;
}
