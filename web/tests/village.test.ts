import { expect, test } from "vitest";
import { positionAfter } from "../src/drawn/vendetta/village";
import { event } from "./samples";

const before = {
    men: [
        [2, 0],
        [1, 3],
    ],
    hands: [5, 4],
};
const after = (key: string, params: { [name: string]: number }) =>
    positionAfter(before, { ...event(`vendetta.${key}`), params });

test("men leave the hand for their district", () => {
    expect(after("placed", { seat: 1, district: 1, number: 3 })).toEqual({
        men: [
            [2, 3],
            [1, 3],
        ],
        hands: [5, 1],
    });
});

test("a loser's men leave the district, and a raid takes everybody", () => {
    expect(after("lost", { seat: 1, district: 2, number: 3 })?.men).toEqual([
        [2, 0],
        [1, 0],
    ]);
    expect(after("raided", { district: 2, number: 4 })?.men).toEqual([
        [2, 0],
        [0, 0],
    ]);
});

test("other events change nothing on the map", () => {
    expect(after("turned_up", { seat: 1, district: 2 })).toBeNull();
});
