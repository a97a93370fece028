/**
 * Gives identical pieces an identity. The server only says how many are where, but a cube that leaves one place and
 * arrives at another is the same cube. Pieces that leave go, in order, to places that need more.
 */
export class Crowd {
    #places = new Map<string, string[]>();
    #made = 0;

    constructor(private readonly name: string) {}

    /** Return the pieces of each place, keeping as many as possible where they were. */
    assign(counts: { readonly [place: string]: number }): Map<string, string[]> {
        const next = new Map<string, string[]>();
        const leaving: string[] = [];
        for (const [place, pieces] of this.#places) {
            const stay = counts[place] ?? 0;
            next.set(place, pieces.slice(0, stay));
            leaving.push(...pieces.slice(stay));
        }
        for (const [place, count] of Object.entries(counts)) {
            const pieces = next.get(place) ?? [];
            while (pieces.length < count) pieces.push(leaving.shift() ?? `${this.name}-${this.#made++}`);
            next.set(place, pieces);
        }
        this.#places = next;
        return next;
    }
}
