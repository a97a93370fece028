/**
 * Checks a record of any game: points 1 to 4 of "To check a record" in docs/records.md, in the order of
 * that page. It does not know the rules of games; `cosca verify` also checks those.
 *
 * In a page:      import { verifyBytes, verifyRecord } from "./verify.js";
 * In a terminal:  node web/verify.js FILE...
 * The exit code is 0 if all are good, 1 if some are not, 2 if some are not records.
 *
 * The result for a good record: `contributions` has one entry for each seat, and is empty in format 1;
 * `links` are the links of the chain by step, that of the header at 0; `lines` are all lines, header first.
 *
 * @typedef {{ok: true, format: 1 | 2, game: string, steps: number, chain: string,
 *     contributions: Contribution[], links: string[], lines: Line[]}} Good
 * @typedef {{is: "revealed" | "withheld" | "silent" | "bot", commitment?: string, bytes?: string}} Contribution
 * @typedef {{ok: false, line: number, key: keyof typeof REASONS, reason: string, isRecord: boolean}} NotGood
 * @typedef {{[key: string]: any}} Line  a line of a record, or an object in it
 * @typedef {(value: any) => boolean} Test
 */

const FORMATS = [1, 2];
const MAX_LINE_BYTES = 1_000_000; // bytes, with the line feed
const MAX_LINES = 100_000;
const MAX_BYTES = 64_000_000;
const MAX_DEPTH = 16; // of nesting; a record needs four

/** Why a line is not good, as `client.over.reasons` says it. Pages translate it by its key. */
const REASONS = {
    tooLong: "from here on, the file is too long for a record.",
    noHeader: "this is not a record header.",
    tooManyLines: "this is one line too many.",
    cutOff: "the line is cut off.",
    notCanonical: "the line is not in the standard form of a record.",
    longLine: "the line is too long.",
    notJson: "this is not a JSON object.",
    badHeader: "the settings of the game do not make sense.",
    unfinished: "the game was not finished.",
    badStep: "this is not the next step.",
    badResult: "the result does not make sense.",
    badCommitment: "the revealed seed is not the one the house sealed.",
    badContribution: "somebody’s bytes are not the ones they committed to.",
    badDraw: "the draw does not follow from the sealed dice.",
    badChain: "the hash chain is broken.",
    unreadable: "it cannot be read.",
    otherFormat: "the format is neither 1 nor 2.",
};

class Problem extends Error {
    /** @param {number} line @param {keyof typeof REASONS} key @param {boolean} isRecord */
    constructor(line, key, isRecord) {
        const reason = REASONS[key];
        super(reason);
        /** @type {NotGood} */
        this.verdict = { ok: false, line, key, reason, isRecord };
    }
}

/**
 * Throw a Problem unless a condition holds.
 * @param {any} good @param {number} line @param {keyof typeof REASONS} key @param {boolean} [isRecord]
 */
function ensure(good, line, key, isRecord = true) {
    if (!good) throw new Problem(line, key, isRecord);
}

/** Return the result of a call, or null if it throws. @param {() => any} call */
function attempt(call) {
    try {
        return call();
    } catch {
        return null;
    }
}

// The file ----------------------------------------------------------------------------------------

/** @type {Test} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/**
 * Return the canonical JSON of a value; throw if it has none.
 * @param {any} value @param {number} [depth] @returns {string}
 */
function canonical(value, depth = 0) {
    if (depth > MAX_DEPTH) throw new RangeError("nested too deeply");
    if (typeof value === "string") return canonicalString(value);
    if (typeof value === "number") return canonicalNumber(value);
    if (Array.isArray(value)) {
        return `[${value.map((part) => canonical(part, depth + 1)).join(",")}]`;
    }
    if (!isObject(value)) return String(value); // true, false or null
    const keys = Object.keys(value).sort(byCodePoint);
    const pairs = keys.map((key) => `${canonicalString(key)}:${canonical(value[key], depth + 1)}`);
    return `{${pairs.join(",")}}`;
}

/** @param {string} text */
function canonicalString(text) {
    if (/[\ud800-\udfff]/u.test(text)) throw new RangeError("half a character");
    return JSON.stringify(text); // escapes what JSON demands, and nothing else
}

/** @param {number} number */
function canonicalNumber(number) {
    if (!Number.isSafeInteger(number)) throw new RangeError("not whole, or too large to be exact");
    return String(number);
}

/** Compare by code points; JavaScript itself compares by UTF-16 units. */
function byCodePoint(/** @type {string} */ one, /** @type {string} */ other) {
    for (let at = 0; at < one.length && at < other.length; at++) {
        const difference = Number(one.codePointAt(at)) - Number(other.codePointAt(at));
        if (difference !== 0) return difference;
    }
    return one.length - other.length;
}

/** @param {string} text @returns {Line[]} */
function readLines(text) {
    ensure(fitsInto(text, MAX_BYTES), 1, "tooLong", false);
    const texts = text.split("\n", MAX_LINES + 2);
    const header = parseLine(texts[0], 1);
    ensure(header.cosca === "record", 1, "noHeader", false);
    ensure(FORMATS.includes(header.format), 1, "otherFormat", false);
    ensure(texts.length < MAX_LINES + 2, MAX_LINES + 1, "tooManyLines", false);
    ensure(texts.pop() === "", texts.length + 1, "cutOff", false);
    const lines = texts.map((each, index) => parseLine(each, index + 1));
    lines.forEach((line, index) => {
        const isCanonical = attempt(() => canonical(line)) === texts[index];
        ensure(isCanonical, index + 1, "notCanonical");
    });
    return lines;
}

/** @param {string} text @param {number} bytes */
const fitsInto = (text, bytes) => text.length <= bytes && utf8(text).length <= bytes;

/** @param {string} text @param {number} number @returns {Line} */
function parseLine(text, number) {
    ensure(fitsInto(text, MAX_LINE_BYTES - 1), number, "longLine", false);
    const line = attempt(() => JSON.parse(text));
    ensure(isObject(line), number, "notJson", false);
    return line;
}

/** @type {Test} */
const isText = (value) => typeof value === "string";
/** @type {Test} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** @type {(seats: number) => Test} */
const isSeat = (seats) => (value) => isCount(value) && value < seats;
/** @type {(digits: number) => Test} */
const isHex = (digits) => (value) => isText(value) && value.length === digits && !/[^0-9a-f]/.test(value);
/** @type {(isPart: Test) => Test} */
const isListOf = (isPart) => (value) => Array.isArray(value) && value.every(isPart);
/** @type {(keys: {[key: string]: Test}) => Test} an object with exactly these keys */
const hasExactly = (keys) => (value) =>
    isObject(value) &&
    Object.keys(value).length === Object.keys(keys).length &&
    Object.keys(keys).every((key) => Object.hasOwn(value, key) && keys[key](value[key]));

const HEADER = {
    cosca: isText,
    format: isCount,
    game: isText,
    rules: isCount,
    edition: isText,
    options: isObject,
    seats: isCount,
    players: isListOf(isText),
    table: isText,
    chain: isHex(64),
};

/** @type {Test} the bytes that a seat contributed to the dice, or why there are none */
const isContribution = (value) => {
    const is = (/** @type {string} */ word) => value?.is === word;
    if (is("revealed")) return hasExactly({ is: isText, commitment: isHex(64), bytes: isHex(32) })(value);
    if (is("withheld")) return hasExactly({ is: isText, commitment: isHex(64) })(value);
    return (is("silent") || is("bot")) && hasExactly({ is: isText })(value);
};

/** @type {Test} */
const isHeader = (line) => {
    if (line.format === 1) return isHeaderOfFormat1(line);
    const keys = { ...HEADER, seal: isHex(64), contributions: isListOf(isContribution) };
    return hasExactly(keys)(line) && line.players.length === line.seats && line.contributions.length === line.seats;
};

/** @type {Test} the header of format 1 */
const isHeaderOfFormat1 = (line) => {
    const keys = { ...HEADER, commitment: isHex(64), entropy: isObject };
    return (
        hasExactly(keys)(line) &&
        line.players.length === line.seats &&
        Object.keys(line.entropy).every((seat) => isSeat(line.seats)(Number(seat))) &&
        Object.keys(line.entropy).every((seat) => String(Number(seat)) === seat) &&
        Object.values(line.entropy).every(isHex(32))
    );
};

/** @type {Test} */
const isOutcome = (pair) =>
    Array.isArray(pair) && pair.length === 2 && isText(pair[0]) && isCount(pair[1]) && pair[1] > 0;

/** @type {Test} */
const isDraw = hasExactly({
    purpose: isText,
    index: isCount,
    among: isListOf(isOutcome),
    rolled: isCount,
});

/** @type {(seats: number) => Test} */
const isFact = (seats) => (fact) =>
    isObject(fact) && isText(fact.fact) && (!isSecret(fact) || isListOf(isSeat(seats))(fact.for));

/** @type {(header: Line) => Test} */
const isStep =
    ({ seats, format }) =>
    (line) => {
        const keys = { step: isCount, does: isText, facts: isListOf(isFact(seats)), chain: isHex(64) };
        const hasUnspoken = format > 1 && Object.hasOwn(line, "unspoken");
        const more = hasUnspoken ? { unspoken: isUnspoken } : {};
        if (line.by === "chance") return hasExactly({ ...keys, ...more, by: isText, draw: isDraw })(line);
        return hasExactly({ ...keys, ...more, by: isSeat(seats) })(line);
    };

/** @type {Test} facts that everybody can see, at least one */
const isUnspoken = (facts) =>
    isListOf((fact) => isObject(fact) && isText(fact.fact) && isPublic(fact))(facts) && facts.length > 0;

/** @type {(seats: number) => Test} */
const isResult = (seats) =>
    hasExactly({
        result: hasExactly({ reason: isText, winners: isListOf(isSeat(seats)) }),
        seed: isHex(64),
        chain: isHex(64),
    });

/** Check that every line has the right keys, and that steps are numbered. @param {Line[]} lines */
function checkKeys(lines) {
    const [header, ...steps] = lines;
    const result = steps.pop() ?? {};
    ensure(isHeader(header), 1, "badHeader");
    ensure(Object.hasOwn(result, "result"), lines.length, "unfinished");
    steps.forEach((line, index) => {
        const isNext = isStep(header)(line) && line.step === index + 1;
        ensure(isNext, index + 2, "badStep");
    });
    ensure(isResult(header.seats)(result), lines.length, "badResult");
}

// Sealed dice -------------------------------------------------------------------------------------

const WORD_VALUES = 2 ** 32; // the number of values of a 4-byte word

/** @param {(string | Uint8Array)[]} parts */
export function pack(...parts) {
    const asBytes = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
    return join(...asBytes.flatMap((bytes) => [toBytes([bytes.length]), bytes]));
}

/** @param {Uint8Array[]} parts */
function join(...parts) {
    const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        joined.set(part, at);
        at += part.length;
    }
    return joined;
}

/** Return words as big-endian bytes. @param {ArrayLike<number>} words */
function toBytes(words) {
    const view = new DataView(new ArrayBuffer(words.length * 4));
    for (let i = 0; i < words.length; i++) view.setUint32(i * 4, words[i]);
    return new Uint8Array(view.buffer);
}

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} hex */
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const INITIAL_HASH = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ROUND_CONSTANTS = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/** SHA-256, implemented here because browsers offer it on secure origins only. @param {Uint8Array} bytes */
export function sha256(bytes) {
    const mark = Uint8Array.of(0x80);
    const zeros = new Uint8Array(63 - ((bytes.length + 8) % 64));
    const length = toBytes([Math.floor(bytes.length / 2 ** 29), bytes.length * 8]);
    const padded = join(bytes, mark, zeros, length);
    const hash = Int32Array.from(INITIAL_HASH);
    const w = new Int32Array(64);
    const view = new DataView(padded.buffer);
    for (let at = 0; at < padded.length; at += 64) {
        for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
        addBlock(hash, w);
    }
    return toBytes(hash);
}

/** @param {number} word @param {number} by */
const rotate = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Int32Array} hash @param {Int32Array} w the block, with room for 48 words more */
function addBlock(hash, w) {
    for (let i = 16; i < 64; i++) {
        const early = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const late = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = w[i - 16] + early + w[i - 7] + late;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
        const choice = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
        const majority = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        const sum = (h + choice + ROUND_CONSTANTS[i] + w[i]) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + sum) | 0, c, b, a, (sum + majority) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] += word));
}

/** HMAC-SHA-256, for keys of 32 bytes. @param {Uint8Array} key @param {Uint8Array} bytes */
export function hmac(key, bytes) {
    const padded = join(key, new Uint8Array(64 - key.length));
    const inner = sha256(
        join(
            padded.map((byte) => byte ^ 0x36),
            bytes,
        ),
    );
    return sha256(
        join(
            padded.map((byte) => byte ^ 0x5c),
            inner,
        ),
    );
}

/**
 * Return the hash of the house's seed.
 * @param {string} table @param {string} seed in hex @param {number} format
 */
export function seal(table, seed, format = 2) {
    const tag = format === 1 ? "cosca/commit/1" : `cosca/seal/${format}`;
    return toHex(sha256(pack(tag, table, fromHex(seed))));
}

/**
 * Return the hash that commits a player to bytes that nobody else knows yet.
 * @param {string} table @param {string} seal @param {number} seat @param {string} bytes in hex
 */
export function commit(table, seal, seat, bytes) {
    return toHex(sha256(pack("cosca/commit/2", table, seal, String(seat), fromHex(bytes))));
}

/**
 * Return the bytes that players contributed to the dice, by seat.
 * @param {Line} header @returns {[number, string][]}
 */
function revealedBytes({ format, entropy, contributions }) {
    /** @type {[number, string | undefined][]} */
    const pairs =
        format === 1
            ? Object.keys(entropy).map((seat) => [Number(seat), entropy[seat]])
            : contributions.map((/** @type {Contribution} */ { bytes }, /** @type {number} */ seat) => [seat, bytes]);
    const revealed = pairs.filter((pair) => pair[1] !== undefined);
    return /** @type {[number, string][]} */ (revealed).sort((one, other) => one[0] - other[0]);
}

/** Return the key from which all draws follow. @param {Line} header @param {string} seed in hex */
export function dealingKey(header, seed) {
    const { format, table } = header;
    const parts = revealedBytes(header).flatMap(([seat, bytes]) => [String(seat), fromHex(bytes)]);
    const sealed = seal(table, seed, format);
    const salt = sha256(pack(`cosca/entropy/${format}`, table, sealed, ...parts));
    return hmac(hmac(salt, fromHex(seed)), join(utf8(`cosca/deal/${format}`), Uint8Array.of(1)));
}

/**
 * Return a number below n that follows from the key.
 * @param {Uint8Array} key @param {string} purpose @param {number} index @param {number} n
 * @param {number} format
 */
export function roll(key, purpose, index, n, format = 2) {
    const tag = `cosca/draw/${format}`;
    const limit = WORD_VALUES - (WORD_VALUES % n);
    for (let counter = 0; ; counter++) {
        const block = hmac(key, pack(tag, purpose, String(index), String(counter)));
        const view = new DataView(block.buffer);
        for (let at = 0; at < 32; at += 4) {
            if (view.getUint32(at) < limit) return view.getUint32(at) % n;
        }
    }
}

/**
 * Return whether a step of chance does what was rolled. Whether its purpose is the right one is up to the
 * game's rules, except in format 1, where the notation contains it.
 * @param {Line} line @param {Uint8Array} key @param {number} format
 */
function followsDraw({ does, draw }, key, format) {
    const { among, index, purpose, rolled } = draw;
    let sum = 0;
    const limits = among.map((/** @type {[string, number]} */ pair) => (sum += pair[1]));
    if (sum < 1 || sum > WORD_VALUES) return false;
    if (format === 1 && purpose !== among[0][0].split(" ")[0]) return false;
    if (rolled !== roll(key, purpose, index, sum, format)) return false;
    return does === among[limits.findIndex((/** @type {number} */ limit) => limit > rolled)][0];
}

// The chain ---------------------------------------------------------------------------------------

/** @type {Test} */
const isSecret = (fact) => Object.hasOwn(fact, "for");
/** @type {Test} */
const isPublic = (fact) => !isSecret(fact);

/**
 * Return a line as everybody may see it, with its secrets as a hash.
 * @param {Line} line @param {Uint8Array} key @param {number} format
 */
function publicForm({ chain, ...line }, key, format) {
    const { step, by, does, draw = null, facts = [], unspoken } = line;
    const isPlain = format === 1 || draw === null; // the weights of a draw reveal what others hold
    if (facts.every(isPublic) && isPlain) return canonical(line);
    const hidden = canonical({ does, draw, facts: facts.filter(isSecret) });
    const secret = toHex(hmac(key, pack(`cosca/blind/${format}`, String(step), hidden)));
    const open = { step, by, facts: facts.filter(isPublic), secret };
    return canonical(unspoken === undefined ? open : { ...open, unspoken });
}

/**
 * Return the link of the chain that follows another.
 * @param {string} before @param {Line} line @param {Uint8Array} key @param {number} format
 */
export function link(before, line, key, format) {
    return toHex(sha256(pack(`cosca/chain/${format}`, before, publicForm(line, key, format))));
}

// To check a record -------------------------------------------------------------------------------

/** @param {string} text @returns {Good} */
function checkRecord(text) {
    const lines = readLines(text);
    checkKeys(lines);
    const header = lines[0];
    const { format, game, contributions = [] } = header;
    const { seed } = lines[lines.length - 1];
    checkSeal(header, seed);
    const key = dealingKey(header, seed);
    let draws = 0;
    let chain = "";
    const links = lines.map((line, index) => {
        const follows = !line.draw || (line.draw.index === draws++ && followsDraw(line, key, format));
        ensure(follows, index + 1, "badDraw");
        chain = link(chain, line, key, format);
        ensure(line.chain === chain, index + 1, "badChain");
        return chain;
    });
    return { ok: true, format, game, steps: lines.length - 2, chain, contributions, links, lines };
}

/**
 * Check that the seal fits the seed, and that commitments fit the revealed bytes.
 * @param {Line} header @param {string} seed
 */
function checkSeal(header, seed) {
    const { format, table, commitment } = header;
    const published = format === 1 ? commitment : header.seal;
    ensure(published === seal(table, seed, format), 1, "badCommitment");
    if (format === 1) return;
    header.contributions.forEach((/** @type {Contribution} */ contribution, /** @type {number} */ seat) => {
        const { is, commitment, bytes = "" } = contribution;
        const fits = is !== "revealed" || commitment === commit(table, header.seal, seat, bytes);
        ensure(fits, 1, "badContribution");
    });
}

/** Check a record given as text; never throws. @param {string} text @returns {Good | NotGood} */
export function verifyRecord(text) {
    try {
        return checkRecord(text);
    } catch (problem) {
        if (problem instanceof Problem) return problem.verdict;
        return new Problem(1, "unreadable", false).verdict;
    }
}

/** Check a record given as the bytes of a file; never throws. @param {Uint8Array} bytes */
export function verifyBytes(bytes) {
    return verifyRecord(attempt(() => decode(bytes)) ?? decodeLines(bytes));
}

/** @param {Uint8Array} bytes @returns {string} */
const decode = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

/** Decode line by line, with an empty line in place of each that is not UTF-8. @param {Uint8Array} bytes */
function decodeLines(bytes) {
    const lines = [];
    for (let at = 0, end = 0; end >= 0 && lines.length < MAX_LINES + 2; at = end + 1) {
        end = bytes.indexOf(0x0a, at);
        const line = bytes.subarray(at, end < 0 ? bytes.length : end);
        lines.push(attempt(() => decode(line)) ?? "");
    }
    return lines.join("\n");
}

// In a terminal -----------------------------------------------------------------------------------

/** @param {string} file @param {Good | NotGood | null} verdict @param {boolean} isAlone */
function describe(file, verdict, isAlone) {
    if (verdict === null) return `${file}: it cannot be read.`;
    if (!verdict.ok) return `${file}: line ${verdict.line}: ${verdict.reason}`;
    const kind = `${verdict.game}, ${verdict.steps} steps`;
    const good = `${kind}, by dice sealed before the game (chain ${verdict.chain.slice(0, 8)}). ${describeDeal(verdict)}`;
    return isAlone ? `Good: ${good}` : `${file}: good: ${good}`;
}

/** Say who contributed to the dice, and what that proves. @param {Good} verdict */
function describeDeal({ format, contributions, lines }) {
    if (format === 1) {
        return "Format 1: nothing was changed after seed and players’ bytes were fixed; the house could have chosen its seed after it had seen them.";
    }
    const named = (/** @type {string} */ is) =>
        contributions
            .map((contribution, seat) => (contribution.is === is ? `${lines[0].players[seat]} (seat ${seat + 1})` : ""))
            .filter((name) => name !== "")
            .join(", ") || "nobody";
    const who =
        `Contributed: ${named("revealed")}. Committed but withheld: ${named("withheld")}. ` +
        `Silent: ${named("silent")}. Bots: ${named("bot")}.`;
    const proof = contributions.some(({ is }) => is === "revealed")
        ? "If one of those who contributed was honest, nobody chose the deal."
        : "Nobody contributed: the house alone could have chosen the deal.";
    return `${who} ${proof}`;
}

/** @param {string[]} files */
async function main(files) {
    const { readFileSync } = await import("node:fs");
    let exitCode = files.length === 0 ? 2 : 0;
    if (files.length === 0) console.error("Name the records to check: node web/verify.js FILE...");
    for (const file of files) {
        const bytes = attempt(() => readFileSync(file));
        const verdict = bytes ? verifyBytes(bytes) : null;
        console.log(describe(file, verdict, files.length === 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?"));
        exitCode = Math.max(exitCode, verdict?.ok ? 0 : verdict?.isRecord ? 1 : 2);
    }
    process.exitCode = exitCode;
}

/** Return whether Node was started with this file. */
async function isMainModule() {
    const script = globalThis.process?.argv?.[1];
    if (!script) return false; // in a browser
    const { realpathSync } = await import("node:fs");
    const { pathToFileURL } = await import("node:url");
    return attempt(() => pathToFileURL(realpathSync(script)).href) === import.meta.url;
}

isMainModule().then((yes) => (yes ? main(process.argv.slice(2)) : undefined));
