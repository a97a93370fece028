/** Which rulebook is open, and at which rule. */

interface Open {
    game: string;
    title: string;
    rule: string;
}

let now = $state.raw<Open | null>(null);

export const rulebook = {
    get now(): Open | null {
        return now;
    },
    open(game: string, title: string, rule = ""): void {
        now = { game, title, rule };
    },
    close(): void {
        now = null;
    },
};
