// boardgame.io's own server as its documentation sets it up, with its storage in memory.

const { Server, Origins, SocketIO } = require("boardgame.io/server");
const { game } = require("./game.js");

const port = Number(process.argv[2]);
const server = Server({ games: [game], origins: [Origins.LOCALHOST], transport: new SocketIO() });
server.app.proxy = false;
server.run({ port, callback: () => console.log("ready") });
