import { afterEach, vi } from "vitest";

// All files run in one process, so mocked globals must be restored before the next file starts.
afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
});
