/** Parses the subset of Markdown that rulebooks use, into blocks; nothing is ever inserted as HTML. */

export type Inline = { kind: "text" | "strong" | "em" | "code"; text: string };
export type Block =
    | { kind: "heading"; level: number; words: Inline[] }
    | { kind: "paragraph"; words: Inline[] }
    | { kind: "list"; ordered: boolean; items: Inline[][] }
    | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

const MARKED = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\(.+?\)/g;
const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;

export function readMarkdown(text: string): Block[] {
    return text
        .replaceAll("\r\n", "\n")
        .split(/\n{2,}/)
        .flatMap(readBlock);
}

function readBlock(text: string): Block[] {
    const lines = text.split("\n").filter((line) => line.trim());
    const first = lines[0];
    if (first === undefined) return [];
    const heading = /^(#+)\s+(.*)/.exec(first);
    if (heading?.[1] && heading[2] !== undefined) {
        const block: Block = {
            kind: "heading",
            level: heading[1].length,
            words: readInline(heading[2]),
        };
        return [block, ...readBlock(lines.slice(1).join("\n"))];
    }
    if (first.startsWith("|")) return [readTable(lines)];
    if (ITEM.test(first)) return [readList(lines)];
    const list = lines.findIndex((line) => ITEM.test(line));
    const own = list < 0 ? lines : lines.slice(0, list);
    const paragraph: Block = { kind: "paragraph", words: readInline(own.join(" ")) };
    return list < 0 ? [paragraph] : [paragraph, readList(lines.slice(list))];
}

function readList(lines: string[]): Block {
    const items: string[] = [];
    for (const line of lines) {
        if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
        else items.push(`${items.pop() ?? ""} ${line.trim()}`);
    }
    const ordered = /^\s*\d/.test(lines[0] ?? "");
    return { kind: "list", ordered, items: items.map(readInline) };
}

function readTable(lines: string[]): Block {
    const cells = lines.map((line) =>
        line
            .replace(/^\s*\||\|\s*$/g, "")
            .split("|")
            .map((cell) => readInline(cell.trim())),
    );
    const [head = [], , ...rows] = cells;
    return { kind: "table", head, rows };
}

function readInline(text: string): Inline[] {
    const words: Inline[] = [];
    let at = 0;
    for (const match of text.matchAll(MARKED)) {
        if (match.index > at) words.push({ kind: "text", text: text.slice(at, match.index) });
        const [, strong, em, code, link] = match;
        if (strong) words.push({ kind: "strong", text: strong });
        else if (em) words.push({ kind: "em", text: em });
        else if (code) words.push({ kind: "code", text: code });
        else if (link) words.push({ kind: "text", text: link });
        at = match.index + match[0].length;
    }
    if (at < text.length) words.push({ kind: "text", text: text.slice(at) });
    return words;
}
