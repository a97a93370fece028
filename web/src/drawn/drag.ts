/**
 * Drags something from one piece and drops it on another, with a mouse or a finger. Keyboard and taps do not need it:
 * a piece that can be dragged can also be played by touching it.
 */

import type { Drag, Stage } from "./stage.svelte";

const DRAG_STARTS = 6; // px a pointer moves before a touch becomes a drag

export function draggable(stage: Stage, node: Element, how: Drag, onStart: () => void): () => void {
    let from: PointerEvent | null = null;
    let load: HTMLElement | null = null;
    let target: Element | null = null;

    function pieceAt({ clientX, clientY }: PointerEvent): Element | null {
        const under = document.elementFromPoint(clientX, clientY)?.closest("[data-piece]") ?? null;
        return under && under !== node && stage.root?.contains(under) ? under : null;
    }

    function lift(event: PointerEvent): void {
        const image = from && how.lift(from);
        if (!image || !stage.root) return end();
        onStart();
        stage.skip();
        stage.bubble = null;
        node.setPointerCapture(event.pointerId);
        load = document.createElement("div");
        load.className = "dragged";
        load.setAttribute("aria-hidden", "true");
        load.append(image);
        stage.root.append(load);
    }

    function move(event: PointerEvent): void {
        if (!from) return;
        if (!load && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) >= DRAG_STARTS) lift(event);
        if (!load || !stage.root) return;
        const home = stage.root.getBoundingClientRect();
        load.style.translate = `${event.clientX - home.x}px ${event.clientY - home.y}px`;
        const over = pieceAt(event);
        if (over === target) return;
        target?.removeAttribute("data-over");
        over?.setAttribute("data-over", "");
        target = over;
        how.over?.(over?.getAttribute("data-piece") ?? null);
    }

    function end(): void {
        const wasDragged = load !== null;
        load?.remove();
        target?.removeAttribute("data-over");
        from = load = target = null;
        if (wasDragged) how.over?.(null);
    }

    function drop(): void {
        const on = target;
        end();
        const id = on?.getAttribute("data-piece");
        if (on && id) how.drop(id, on);
    }

    const grab = (event: PointerEvent) => (from = event.isPrimary && event.button === 0 ? event : null);
    const preventNativeDrag = (event: Event) => event.preventDefault(); // or the browser drags an image of the node
    const escape = (event: KeyboardEvent) => event.key === "Escape" && end();
    // A quick pointer leaves the piece before it has moved far enough, so the window listens.
    const listeners: [EventTarget, string, (event: never) => void][] = [
        [node, "pointerdown", grab],
        [node, "dragstart", preventNativeDrag],
        [window, "pointermove", move],
        [window, "pointerup", drop],
        [window, "pointercancel", end],
        [window, "keydown", escape],
    ];
    for (const [where, name, listener] of listeners) where.addEventListener(name, listener as EventListener);
    node.toggleAttribute("data-draggable", true);
    return () => {
        end();
        for (const [where, name, listener] of listeners) where.removeEventListener(name, listener as EventListener);
        node.removeAttribute("data-draggable");
    };
}
