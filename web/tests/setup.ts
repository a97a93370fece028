import { afterEach, vi } from "vitest";

// All files run in one process: what a test has replaced must be back before the next file begins.
afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
});
