/** What a screen reader reads out: everything that one update brings is read together, nothing replaces it. */
export class Announcements {
    lines = $state.raw<readonly string[]>([]);

    #waiting: string[] = [];

    /** Read out these lines, after what the same update has already added; empty lines are left out. */
    add(...lines: string[]): void {
        const spoken = lines.filter(Boolean);
        if (spoken.length > 0 && this.#waiting.length === 0) queueMicrotask(() => this.#read());
        this.#waiting.push(...spoken);
    }

    #read(): void {
        this.lines = this.#waiting;
        this.#waiting = [];
    }
}
