/** Makes an element a piece that can be clicked, hovered, held and reached by keyboard. */

import type { Attachment } from "svelte/attachments";
import { holding } from "../lib/browser-storage.svelte";
import { draggable } from "./drag";
import type { Piece, Stage } from "./stage.svelte";

const HOVER = 550; // ms until a piece is explained
const HOLD = 480; // ms a finger rests on a piece until it is explained

export function touchable(stage: Stage, piece: Piece): Attachment<HTMLElement | SVGElement> {
    return (node) => {
        const isPlayable = (piece.choices?.length ?? 0) > 0 || piece.onTouch !== undefined;
        node.setAttribute("role", "button");
        node.setAttribute("aria-label", piece.name);
        node.setAttribute("data-piece", piece.id);
        node.toggleAttribute("data-playable", isPlayable);
        node.setAttribute("data-actions", (piece.choices ?? []).map(({ action }) => action).join(" "));
        if (!node.hasAttribute("tabindex")) node.setAttribute("tabindex", "-1");

        let timer = 0;
        let held = false;
        const explain = () => stage.explain(piece, node);
        const stop = () => window.clearTimeout(timer);
        const hasBubble = () => stage.bubble?.node === node;
        const leave = () => {
            stop();
            if (hasBubble()) stage.leaveBubble();
        };
        const listeners: { [name: string]: (event: never) => void } = {
            click: (event: MouseEvent) => {
                event.stopPropagation();
                if (!held) stage.touch(piece, node);
                held = false;
            },
            keydown: (event: KeyboardEvent) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                if (stage.playback.isWaiting) return; // the key goes on to the next step
                event.preventDefault();
                stage.touch(piece, node);
            },
            pointerenter: (event: PointerEvent) => {
                if (event.pointerType !== "mouse") return;
                if (hasBubble()) stage.enterBubble();
                else if (stage.bubble?.kind !== "pick") timer = window.setTimeout(explain, stage.bubble ? 0 : HOVER);
            },
            pointerdown: (event: PointerEvent) => {
                held = false;
                stop();
                if (event.pointerType === "mouse") return;
                timer = window.setTimeout(() => {
                    held = true;
                    holding.learn();
                    explain();
                }, HOLD);
            },
            pointerup: stop,
            pointercancel: stop,
            pointerleave: (event: PointerEvent) => (event.pointerType === "mouse" ? leave() : stop()),
            contextmenu: (event: Event) => event.preventDefault(), // holding a finger shows the explanation instead
            focus: () => {
                if (node.matches(":focus-visible")) timer = window.setTimeout(explain, HOVER);
            },
            blur: leave,
        };
        for (const [name, listener] of Object.entries(listeners))
            node.addEventListener(name, listener as EventListener);
        const letGo =
            piece.drag &&
            draggable(stage, node, piece.drag, () => {
                held = true; // it was dragged, so this is not a click
                stop();
            });
        return () => {
            stop();
            letGo?.();
            for (const [name, listener] of Object.entries(listeners))
                node.removeEventListener(name, listener as EventListener);
        };
    };
}

// --- Keyboard focus ---

const piecesIn = (root: Element) => [...root.querySelectorAll<HTMLElement | SVGElement>("[data-piece]")];

/** Keep exactly one piece in the tab order: the one that was in it, otherwise the first playable one. */
export function updateTabOrder(root: Element): void {
    const pieces = piecesIn(root);
    const held =
        pieces.find((piece) => piece === document.activeElement) ?? pieces.find((piece) => piece.tabIndex === 0);
    const first = pieces.find((piece) => piece.hasAttribute("data-playable")) ?? pieces[0];
    const wanted = held === document.activeElement || held?.hasAttribute("data-playable") ? held : first;
    for (const piece of pieces) piece.setAttribute("tabindex", piece === wanted ? "0" : "-1");
}

const DIRECTIONS: { [key: string]: [number, number] } = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
};

/** Move focus to the next playable piece in the direction of an arrow key (with Shift, any piece), or by Home and End. */
export function moveFocus(root: Element, event: KeyboardEvent): boolean {
    const pieces = piecesIn(root);
    const here = document.activeElement as HTMLElement | SVGElement;
    if (!pieces.includes(here)) return false;
    const playable = pieces.filter((piece) => piece.hasAttribute("data-playable"));
    const among = event.shiftKey || playable.length === 0 ? pieces : playable;
    const direction = DIRECTIONS[event.key];
    const target = direction
        ? nearest(here, among, direction)
        : event.key === "Home"
          ? among[0]
          : event.key === "End"
            ? among.at(-1)
            : null;
    if (!target) return direction !== undefined;
    for (const piece of pieces) piece.setAttribute("tabindex", piece === target ? "0" : "-1");
    target.focus();
    return true;
}

function nearest<Node extends Element>(here: Node, among: Node[], [x, y]: [number, number]): Node | null {
    const middle = (node: Element) => {
        const box = node.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2] as const;
    };
    const [hereX, hereY] = middle(here);
    const distance = (node: Node) => {
        const [toX, toY] = middle(node);
        const along = (toX - hereX) * x + (toY - hereY) * y;
        const aside = Math.abs((toX - hereX) * y) + Math.abs((toY - hereY) * x);
        return node === here || along < 2 ? Infinity : along + aside * 2;
    };
    const best = among.toSorted((one, other) => distance(one) - distance(other))[0];
    return best && distance(best) < Infinity ? best : null;
}
