// Opens the client where the line is down: the page and its files, as they were last. Nothing of the house is kept:
// not a word of /api, no table, no view. What the page shows then is its own sentence that the house is out of reach.

const SHELL = "cosca-shell";
const MOST = 60; // files; older ones go

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
    const shell = await caches.open(SHELL);
    try {
        const answer = await fetch(request);
        if (answer.ok) await shell.put("/", answer.clone());
        return answer;
    } catch (error) {
        const kept = await shell.match("/");
        if (kept) return kept;
        throw error;
    }
}

/** What is in assets has its content in its name, and never changes. */
async function file(request) {
    const shell = await caches.open(SHELL);
    const kept = await shell.match(request);
    if (kept) return kept;
    const answer = await fetch(request);
    if (answer.ok) {
        await shell.put(request, answer.clone());
        const names = await shell.keys();
        await Promise.all(names.slice(0, Math.max(0, names.length - MOST)).map((name) => shell.delete(name)));
    }
    return answer;
}
