import { expect, test } from "vitest";
import { Crowd } from "../src/drawn/crowd";

test("a piece that leaves one place is the one that arrives at another", () => {
    const crowd = new Crowd("man");
    expect(Object.fromEntries(crowd.assign({ stock: 3 }))).toEqual({ stock: ["man-0", "man-1", "man-2"] });
    expect(Object.fromEntries(crowd.assign({ stock: 1, d3: 2 }))).toEqual({ stock: ["man-0"], d3: ["man-1", "man-2"] });
});

test("pieces that stay keep their ids, and a new piece gets a new one", () => {
    const crowd = new Crowd("man");
    crowd.assign({ a: 1, b: 1 });
    expect(Object.fromEntries(crowd.assign({ a: 0, b: 1 }))).toEqual({ a: [], b: ["man-1"] });
    expect(Object.fromEntries(crowd.assign({ a: 1, b: 1 }))).toEqual({ a: ["man-2"], b: ["man-1"] });
});
