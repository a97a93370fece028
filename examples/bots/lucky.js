// A complete bot: `cosca arena vendetta --bots 'random,run:node examples/bots/lucky.js'`.
//
// It reads messages and writes answers as lines of JSON (docs/bot-protocol.md). It chooses any legal
// action, all equally likely, and needs nothing but Node.

const readline = require("node:readline");

/** Return the answer to a message, or null if the program should exit. */
function answer(message) {
    switch (message.type) {
        case "hello":
            return { type: "ready", name: "lucky" };
        case "choose": {
            const { legal } = message.position;
            return { id: message.id, action: legal[message.seed % legal.length] };
        }
        default:
            return null;
    }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const reply = answer(JSON.parse(line));
    if (reply === null) process.exit(0);
    process.stdout.write(JSON.stringify(reply) + "\n");
});
