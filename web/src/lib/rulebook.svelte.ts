/** Which rules are open: on one page for a table or a game, or the whole rulebook at some rule. */

export interface OpenRules {
    game: string;
    title: string;
    /** The table whose settings count; empty for a game in general. */
    code: string;
    /** The rule to show in the rulebook; empty for its beginning. */
    rule: string;
    isWhole: boolean;
}

let now = $state.raw<OpenRules | null>(null);

export const rulebook = {
    get now(): OpenRules | null {
        return now;
    },
    /** Open the page of a table or a game; or the rulebook at once, if a rule is given. */
    open(game: string, title: string, rule = "", code = ""): void {
        now = { game, title, code, rule, isWhole: rule !== "" };
    },
    /** Switch to the whole rulebook, scrolled to a rule if one is given. */
    showWhole(rule = ""): void {
        if (now) now = { ...now, rule, isWhole: true };
    },
    /** Switch back to the one page. */
    showPage(): void {
        if (now) now = { ...now, rule: "", isWhole: false };
    },
    close(): void {
        now = null;
    },
};
