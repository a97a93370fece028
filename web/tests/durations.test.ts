import { beforeAll, expect, test } from "vitest";
import { shortTime } from "../src/lib/durations";
import { loadLanguage } from "../src/words";

beforeAll(loadLanguage);

test.each([
    [0, "0:00"],
    [1, "0:01"], // rounded up
    [59_000, "0:59"],
    [61_500, "1:02"],
    [3_599_000, "59:59"],
    [3_600_000, "1h 0m"],
    [86_399_000, "23h 59m"],
    [2 * 86_400_000 + 5 * 3_600_000, "2d 5h"],
])("%i ms are %s", (milliseconds, text) => {
    expect(shortTime(milliseconds)).toBe(text);
});
