// A service worker that opens the client without a connection, from a cache of the page and its files. Responses of
// /api are never cached: offline, the page only says that the server cannot be reached.

const CACHE = "cosca-shell";
const MAX_FILES = 60; // older ones are deleted

// It serves pages that are opened from now on. It does not claim open ones: the browser would discard what a page
// has preloaded, and log a warning.
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    if (request.mode === "navigate" && !/^\/(api|admin|metrics|healthz|readyz)\b/.test(pathname))
        event.respondWith(page(request));
    else if (pathname.startsWith("/assets/")) event.respondWith(file(request));
});

/** Respond to a navigation: every page of the client is the same file. */
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

/** Respond with a file of assets, which never changes: its name contains a hash of its content. */
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
