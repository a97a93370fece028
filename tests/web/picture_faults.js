/* Returns everything that is cut off, covered or too small in the picture of a table: an empty list if all is well. */
(fanned) => {
    const SLACK = 1.5; // px
    const STRIP = 22; // px of a fanned card that must be free to touch
    const faults = [];
    const picture = document.querySelector(".picture");
    const frame = picture.getBoundingClientRect();
    const round = (box) => [box.left, box.top, box.right, box.bottom].map(Math.round).join(" ");
    const isInside = (box, outer) =>
        box.left >= outer.left - SLACK &&
        box.right <= outer.right + SLACK &&
        box.top >= outer.top - SLACK &&
        box.bottom <= outer.bottom + SLACK;

    /* Pieces */
    const pieceAt = (x, y) => document.elementFromPoint(x, y)?.closest("[data-piece]") ?? null;
    function freeStrip(piece, box) {
        let [longest, run] = [0, 0];
        for (const y of [0.25, 0.5, 0.75].map((part) => box.top + box.height * part)) {
            run = 0;
            for (let x = box.left + 1; x < box.right; x += 2) {
                run = pieceAt(x, y) === piece ? run + 2 : 0;
                longest = Math.max(longest, run);
            }
        }
        return longest;
    }
    for (const piece of picture.querySelectorAll("[data-piece]")) {
        const name = piece.dataset.piece;
        const box = piece.getBoundingClientRect();
        if (!piece.checkVisibility() || box.width * box.height === 0) continue;
        if (!isInside(box, frame)) faults.push(`${name} is cut off: ${round(box)} in ${round(frame)}`);
        if (piece.matches(fanned)) {
            const free = freeStrip(piece, box);
            const row = piece.closest(".cards, .hand, .shelf"); // which may grow without limit
            const share = row.clientWidth / row.childElementCount;
            if (free < Math.min(STRIP, box.width * 0.8, share * 0.8)) faults.push(`${name} is covered but for ${free} px`);
            continue;
        }
        if (Math.min(box.width, box.height) < STRIP) faults.push(`${name} is too small: ${round(box)}`);
        const [dx, dy] = [Math.min(8, box.width / 4), Math.min(8, box.height / 4)];
        const points = [
            [box.left + box.width / 2, box.top + box.height / 2],
            [box.left + dx, box.top + dy],
            [box.right - dx, box.top + dy],
            [box.left + dx, box.bottom - dy],
            [box.right - dx, box.bottom - dy],
        ];
        for (const [x, y] of points) {
            const other = pieceAt(x, y);
            if (other && other !== piece) faults.push(`${name} is covered by ${other.dataset.piece}: ${round(box)}`);
        }
    }

    /* Texts */
    const clips = (node) => ["hidden", "clip"].some((way) => getComputedStyle(node).overflow.includes(way));
    /* A line is higher than its letters. */
    const inked = ({ left, right, top, bottom, height }) => ({
        left,
        right,
        top: top + height * 0.3,
        bottom: bottom - height * 0.3,
    });
    const walker = document.createTreeWalker(document.querySelector(".stage"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        const home = text.parentElement;
        if (!text.data.trim() || home.closest(".sr-only, [popover], .ghost, defs") || !home.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const { index, 0: word } of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
            if (lines.size > 1 && !(home instanceof SVGElement)) faults.push(`the word “${word}” is broken`);
        }
        range.selectNodeContents(text);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
        for (let outer = home; outer && outer !== document.body; outer = outer.parentElement) {
            if (!clips(outer) || outer instanceof SVGElement) continue;
            const limit = outer.getBoundingClientRect();
            const cut = boxes.find((box) => !isInside(inked(box), limit));
            if (cut) {
                faults.push(`the text “${text.data.trim()}” is cut off: ${round(cut)} in ${round(limit)}`);
                break;
            }
        }
    }
    return [...new Set(faults)];
}
