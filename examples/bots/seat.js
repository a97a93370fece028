// A bot at an online table, over the same WebSocket as browsers; needs Node 22 or newer, nothing else.
//
// `node examples/bots/seat.js http://127.0.0.1:8000/t/CODE` takes an open seat, and
// `node examples/bots/seat.js http://127.0.0.1:8000/seat/CODE#TOKEN` plays the seat of that link.

const { createHash, randomBytes, randomUUID, randomInt } = require("node:crypto");

const ownBytes = randomBytes(16);

/** Join parts, each after its length, as docs/records.md specifies. */
function pack(...parts) {
    const length = (part) => [24, 16, 8, 0].map((by) => (part.length >> by) & 255);
    return Buffer.concat(parts.map((part) => Buffer.from(part)).flatMap((part) => [Buffer.from(length(part)), part]));
}

/** Return the command for the deal, if one is due: first the hash of our random bytes, then the bytes. */
function dealCommand({ code, seal, you, dealing, contributions }) {
    const packed = pack("cosca/commit/2", code, seal, String(you), ownBytes);
    const commitment = createHash("sha256").update(packed).digest("hex");
    const ours = dealing ? contributions[you] : {};
    if (dealing === "commit" && ours.status === "waiting") return { do: "commit", id: "commit", commitment };
    if (dealing !== "reveal" || ours.commitment !== commitment) return null;
    return { do: "reveal", id: "reveal", contribution: ownBytes.toString("hex") };
}

/** Take a seat, or return to one; return the cookie that identifies us from then on. */
async function sitDown(origin, code, token) {
    const [action, body] = token ? ["claim", { token }] : ["join", { name: "seat.js" }];
    const headers = { origin, "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api/tables/${code}/${action}`, request);
    if (!response.ok) throw new Error(await response.text());
    return response.headers.getSetCookie()[0].split(";")[0];
}

async function play(link) {
    const code = link.pathname.split("/").pop();
    const headers = { origin: link.origin, cookie: await sitDown(link.origin, code, link.hash.slice(1)) };
    const socket = new WebSocket(`${link.origin.replace("http", "ws")}/ws/${code}?protocol=2&view=data`, { headers });
    socket.onmessage = ({ data }) => {
        const { room, view } = JSON.parse(data); // each is there if it has changed for this seat
        const command = room && dealCommand(room);
        if (command) socket.send(JSON.stringify(command)); // sent twice with one id, it is done once
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
