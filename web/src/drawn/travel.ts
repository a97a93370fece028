/**
 * Lets pieces travel: whatever has the same `data-travels` before and after goes from the one place to the other.
 *
 * What is new begins at the traveller named in its `data-from`, and what is gone flies on to the one in `data-to`.
 * Only `translate` is animated, so a piece keeps whatever `transform` it has, and the browser can do it by itself.
 */

const EASE = "cubic-bezier(0.3, 0, 0.2, 1)";
const GHOST = "ghost";

interface Spot {
    node: Element;
    box: DOMRect;
}

export type Snapshot = Map<string, Spot>;

/** Where every traveller is now. */
export function snapshot(root: Element): Snapshot {
    const spots: Snapshot = new Map();
    for (const node of root.querySelectorAll(`[data-travels]:not(.${GHOST})`))
        spots.set(node.getAttribute("data-travels") ?? "", { node, box: node.getBoundingClientRect() });
    return spots;
}

/** Let everything travel from where it was to where it is. */
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
    node.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: ms, easing: EASE });
}

/** From one middle to the other, in the measure of the node: inside a drawing that is not the screen's. */
function shift(node: Element, from: DOMRect, to: DOMRect): [number, number] {
    const x = from.x + from.width / 2 - to.x - to.width / 2;
    const y = from.y + from.height / 2 - to.y - to.height / 2;
    const parent = node.parentElement;
    const scale = parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.a ?? 1) : 1;
    return [x / scale, y / scale];
}

/** What is gone from the table is seen once more, on its way. */
function flyAway(root: Element, node: Element, from: DOMRect, to: DOMRect, ms: number): void {
    const ghost = node.cloneNode(true) as SVGElement | HTMLElement;
    const home = node instanceof SVGElement ? root.querySelector(`#${node.ownerSVGElement?.id}`) : root;
    if (!home) return;
    for (const name of ["id", "role", "tabindex", "data-travels", "data-piece", "data-playable"])
        ghost.removeAttribute(name);
    ghost.classList.add(GHOST);
    ghost.setAttribute("aria-hidden", "true");
    // Outside of the drawing nothing tells an HTML element how large it is.
    if (ghost instanceof HTMLElement)
        Object.assign(ghost.style, { width: `${from.width}px`, height: `${from.height}px` });
    home.append(ghost);
    const [x, y] = shift(ghost, from, ghost.getBoundingClientRect());
    const [toX, toY] = shift(ghost, to, ghost.getBoundingClientRect());
    const way = { translate: [`${x}px ${y}px`, `${toX}px ${toY}px`], opacity: [1, 1, 0] };
    void ghost.animate(way, { duration: ms, easing: EASE }).finished.finally(() => ghost.remove());
}
