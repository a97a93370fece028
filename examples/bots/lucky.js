// A bot in thirty lines: `cosca arena vendetta --bots 'random,run:node examples/bots/lucky.js'`.
//
// It is asked in lines of JSON and answers in lines of JSON. It takes any legal step, each as likely,
// and needs nothing but Node.

const readline = require("node:readline");

/** What to answer, or nothing at the end. */
function answer(asked) {
    switch (asked.type) {
        case "hello":
            return { type: "ready", name: "lucky" };
        case "choose": {
            const { legal } = asked.position;
            return { id: asked.id, action: legal[asked.seed % legal.length] };
        }
        default:
            return null;
    }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const told = answer(JSON.parse(line));
    if (told === null) process.exit(0);
    process.stdout.write(JSON.stringify(told) + "\n");
});
