/**
 * Animates pieces from where they were to where they are: elements with the same `data-travels` before and after.
 *
 * A new element starts at the one named in its `data-from`; one that is gone flies to the one named in its `data-to`.
 * Only `translate` is animated, so a piece keeps its own `transform` and the browser can animate without layout.
 */

const EASE = "cubic-bezier(0.3, 0, 0.2, 1)";
const GHOST = "ghost";

interface Traveller {
    node: Element;
    box: DOMRect;
}

export type Snapshot = Map<string, Traveller>;

/** Return where every travelling element is now. */
export function snapshot(root: Element): Snapshot {
    const travellers: Snapshot = new Map();
    for (const node of root.querySelectorAll(`[data-travels]:not(.${GHOST})`))
        travellers.set(node.getAttribute("data-travels") ?? "", { node, box: node.getBoundingClientRect() });
    return travellers;
}

/** Animate every element from its place in an earlier snapshot to its place now. */
export function travel(root: Element, before: Snapshot, ms: number): void {
    const now = snapshot(root);
    for (const [name, { node, box }] of now) {
        const start = before.get(name) ?? before.get(node.getAttribute("data-from") ?? "");
        if (start) glide(node, start.box, box, ms);
    }
    for (const [name, { node, box }] of before) {
        const to = now.get(node.getAttribute("data-to") ?? "");
        if (to && !now.has(name)) flyAway(root, node, box, to.box, ms);
    }
}

function glide(node: Element, from: DOMRect, to: DOMRect, ms: number): void {
    const [x, y] = shift(node, from, to);
    if (Math.abs(x) + Math.abs(y) < 0.5) return;
    // A click that skips a scene must reach its piece, even if another piece flies over it just then.
    const way = { translate: [`${x}px ${y}px`, "0 0"], pointerEvents: ["none", "none"] };
    node.animate(way, { duration: ms, easing: EASE });
}

/** Return the offset between two centres in the node's own units, which inside an SVG are not screen pixels. */
function shift(node: Element, from: DOMRect, to: DOMRect): [number, number] {
    const x = from.x + from.width / 2 - to.x - to.width / 2;
    const y = from.y + from.height / 2 - to.y - to.height / 2;
    const parent = node.parentElement;
    const scale = parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.a ?? 1) : 1;
    return [x / scale, y / scale];
}

/** Animate a copy of an element that is gone. */
function flyAway(root: Element, node: Element, from: DOMRect, to: DOMRect, ms: number): void {
    const ghost = node.cloneNode(true) as SVGElement | HTMLElement;
    const home = node instanceof SVGElement ? root.querySelector(`#${node.ownerSVGElement?.id}`) : root;
    if (!home) return;
    for (const name of ["id", "role", "tabindex", "data-travels", "data-piece", "data-playable"])
        ghost.removeAttribute(name);
    ghost.classList.add(GHOST);
    ghost.setAttribute("aria-hidden", "true");
    // Outside of the drawing an HTML element has no size of its own.
    if (ghost instanceof HTMLElement)
        Object.assign(ghost.style, { width: `${from.width}px`, height: `${from.height}px` });
    home.append(ghost);
    const [x, y] = shift(ghost, from, ghost.getBoundingClientRect());
    const [toX, toY] = shift(ghost, to, ghost.getBoundingClientRect());
    const way = { translate: [`${x}px ${y}px`, `${toX}px ${toY}px`], opacity: [1, 1, 0] };
    void ghost.animate(way, { duration: ms, easing: EASE }).finished.finally(() => ghost.remove());
}
