import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServerTime } from "../src/lib/server-time.svelte";

const NOON = Date.UTC(2030, 0, 1, 12);

beforeEach(() => {
    vi.useFakeTimers();
    vi.setSystemTime(NOON);
});

afterEach(() => vi.useRealTimers());

test("without a response it is the browser's time", () => {
    expect(new ServerTime().now).toBe(NOON);
});

test("a wrong clock is corrected by the server's time and half of the round trip", () => {
    const time = new ServerTime();
    time.update(NOON - 3_600_000, 80);
    expect(time.now).toBe(NOON - 3_600_000 + 40);
    vi.setSystemTime(NOON + 5_000);
    expect(time.now).toBe(NOON - 3_595_000 + 40);
});

test("a much slower response is less exact, and does not count", () => {
    const time = new ServerTime();
    time.update(NOON + 1_000, 100);
    time.update(NOON + 9_000, 151);
    expect(time.now).toBe(NOON + 1_050);
    time.update(NOON + 2_000, 150);
    expect(time.now).toBe(NOON + 2_075);
});

test("readers of the time are updated as it passes, and the timer stops when there are none", () => {
    const time = new ServerTime();
    const shown: number[] = [];
    const stop = $effect.root(() => {
        $effect(() => void shown.push(time.now - NOON));
    });
    flushSync();
    vi.advanceTimersByTime(500);
    flushSync();
    expect(shown.at(-1)).toBe(500);
    stop();
    vi.runAllTicks();
    return Promise.resolve().then(() => expect(vi.getTimerCount()).toBe(0));
});
