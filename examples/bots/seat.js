// A bot at a table of a house, over the same socket as people; needs Node 22 or newer, nothing else.
//
// `node examples/bots/seat.js http://127.0.0.1:8000/t/CODE` takes an open seat, and
// `node examples/bots/seat.js http://127.0.0.1:8000/seat/CODE#TOKEN` plays the seat of that link.

const { createHash, randomBytes, randomUUID, randomInt } = require("node:crypto");

const ownBytes = randomBytes(16);

/** Parts one after another, each behind its length, as docs/records.md says. */
function pack(...parts) {
    const length = (part) => [24, 16, 8, 0].map((by) => (part.length >> by) & 255);
    return Buffer.concat(parts.map((part) => Buffer.from(part)).flatMap((part) => [Buffer.from(length(part)), part]));
}

/** What to send for the deal: the hash of our random bytes first, then the bytes. */
function contribution({ code, seal, you, dealing, contributions }) {
    const packed = pack("cosca/commit/2", code, seal, String(you), ownBytes);
    const commitment = createHash("sha256").update(packed).digest("hex");
    const shown = dealing ? contributions[you] : {};
    if (dealing === "commit" && shown.status === "waiting") return { do: "commit", id: "commit", commitment };
    if (dealing !== "reveal" || shown.commitment !== commitment) return null;
    return { do: "reveal", id: "reveal", contribution: ownBytes.toString("hex") };
}

/** Take a seat, or come back to one; the cookie the house knows us by from then on. */
async function sitDown(origin, code, token) {
    const [way, body] = token ? ["claim", { token }] : ["join", { name: "seat.js" }];
    const headers = { origin, "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/api/tables/${code}/${way}`, request);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.headers.getSetCookie()[0].split(";")[0];
}

async function play(link) {
    const code = link.pathname.split("/").pop();
    const headers = { origin: link.origin, cookie: await sitDown(link.origin, code, link.hash.slice(1)) };
    const socket = new WebSocket(`${link.origin.replace("http", "ws")}/ws/${code}?protocol=2&view=data`, { headers });
    socket.onmessage = ({ data }) => {
        const { room, view } = JSON.parse(data); // new whenever something has changed for this seat
        const asked = room && contribution(room);
        if (asked) socket.send(JSON.stringify(asked)); // the same id again is done once
        if (view?.result) {
            console.log(view.result);
            socket.close();
        } else if (view?.position.legal.length) {
            const actions = [view.position.legal[randomInt(view.position.legal.length)]];
            socket.send(JSON.stringify({ do: "move", id: randomUUID(), actions }));
        }
    };
}

play(new URL(process.argv[2])).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
});
