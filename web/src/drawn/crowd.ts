/**
 * Gives alike pieces an identity: the house only says how many are where, yet a cube that leaves one place and
 * comes to another is one cube. What leaves goes, in order, to where more are; what is left over is new or gone.
 */
export class Crowd {
    #places = new Map<string, string[]>();
    #made = 0;

    constructor(private readonly name: string) {}

    /** The pieces of each place, the same ones as before as far as can be. */
    settle(counts: { readonly [place: string]: number }): Map<string, string[]> {
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
