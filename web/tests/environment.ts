/** A minimal window for the client's state, without layout or page. Tests that need those run in a real browser. */

import type { Environment } from "vitest/runtime";

/** Stores values like a browser's localStorage. */
class MemoryStorage {
    #items = new Map<string, string>();
    get length(): number {
        return this.#items.size;
    }
    key = (at: number) => [...this.#items.keys()][at] ?? null;
    getItem = (key: string) => this.#items.get(key) ?? null;
    setItem = (key: string, value: string) => void this.#items.set(key, value);
    removeItem = (key: string) => void this.#items.delete(key);
    clear = () => this.#items.clear();
}

const page = () => Object.assign(new EventTarget(), { hidden: false, documentElement: { lang: "", dataset: {} } });

export default <Environment>{
    name: "browser-state",
    viteEnvironment: "client",
    setup(global) {
        const events = new EventTarget();
        const added: { [name: string]: unknown } = {
            window: global,
            document: page(),
            location: { protocol: "http:", host: "house.test", origin: "http://house.test", pathname: "/" },
            navigator: { languages: ["en"] },
            localStorage: new MemoryStorage(),
            matchMedia: () => ({ matches: false }),
            addEventListener: events.addEventListener.bind(events),
            removeEventListener: events.removeEventListener.bind(events),
            dispatchEvent: events.dispatchEvent.bind(events),
        };
        for (const [name, value] of Object.entries(added))
            Object.defineProperty(global, name, { value, configurable: true, writable: true });
        return {
            teardown() {
                for (const name of Object.keys(added)) delete global[name];
            },
        };
    },
};
