/** Which page is shown: the address is the only memory of it. */

export type Route =
    { page: "home" | "new" | "join" | "verify" | "not-found" } | { page: "table" | "replay" | "seat"; code: string };

function read(path: string): Route {
    const [first = "", code = "", last = "", ...more] = path.split("/").slice(1);
    if (more.length > 0) return { page: "not-found" };
    if (path === "/") return { page: "home" };
    if (path === "/new" || path === "/join") return { page: path === "/new" ? "new" : "join" };
    if (path === "/verify") return { page: "verify" };
    if (first === "t" && code && last === "") return { page: "table", code };
    if (first === "t" && code && last === "replay") return { page: "replay", code };
    if (first === "seat" && code && last === "") return { page: "seat", code };
    return { page: "not-found" };
}

let current = $state.raw(read(location.pathname));

export const route = {
    get now(): Route {
        return current;
    },
};

export function go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    arrive();
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
}

function arrive(): void {
    current = read(location.pathname);
}

/** Plain clicks on links of our own stay in the page; all others are the browser's. */
export function followLinks(event: MouseEvent): void {
    const link = (event.target as Element).closest("a");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plain || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    const ours = url.origin === location.origin && !url.pathname.startsWith("/api/");
    const samePage = url.pathname === location.pathname && url.hash !== "";
    if (!ours || samePage) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
}

window.addEventListener("popstate", arrive);
