/** Light or dark: as the system has it, or as somebody wants it here; remembered. */

import { read, write } from "./browser-storage.svelte";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

let current = $state<Theme>(THEMES.find((each) => each === read("theme")) ?? "auto");

function show(): void {
    document.documentElement.dataset.theme = current;
}

show();

export const theme = {
    get now(): Theme {
        return current;
    },
    set now(wanted: Theme) {
        current = wanted;
        write("theme", wanted === "auto" ? "" : wanted);
        show();
    },
};
