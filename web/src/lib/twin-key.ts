/** The key that turns the picture into its text twin and back, wherever nothing is typed. */

import { prefers } from "./browser-storage.svelte";

export function toggleTwinOnKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key.toLowerCase() === "t") prefers.twin = !prefers.twin;
}
