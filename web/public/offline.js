// Opens the client where the line is down: the page and its files, as they were last. Nothing of the house is cached:
// not a word of /api, no table, no view. What the page shows then is its own sentence that the house is out of reach.

const CACHE = "cosca-shell";
const MAX_FILES = 60; // files; older ones go

// It serves pages that are opened from now on. One that is half loaded is not taken over: the browser would throw away
// what the page has asked for ahead, and complain of it.
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    if (request.mode === "navigate" && !/^\/(api|admin|metrics|healthz|readyz)\b/.test(pathname))
        event.respondWith(page(request));
    else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});

/** Every page of the client is the same file. */
async function page(request) {
    const cache = await caches.open(CACHE);
    try {
        const response = await fetch(request);
        if (response.ok) await cache.put("/", response.clone());
        return response;
    } catch (error) {
        const cached = await cache.match("/");
        if (cached) return cached;
        throw error;
    }
}

/** What is in assets has its content in its name, and never changes. */
async function file(request) {
    const cache = await caches.open(CACHE);
    const cached = await cache.match(request);
    if (cached) return cached;
    const response = await fetch(request);
    if (response.ok) {
        await cache.put(request, response.clone());
        const names = await cache.keys();
        await Promise.all(names.slice(0, Math.max(0, names.length - MAX_FILES)).map((name) => cache.delete(name)));
    }
    return response;
}
