// Plays at boardgame.io's tables as fast as it answers: whose turn it is plays any legal card.
// usage: node load.js PORT TABLES SECONDS WARM_UP SERVER_PID; says "ready", waits for a line, plays,
// and tells the figures of what came after the warm-up.

const { readFileSync } = require("node:fs");
const { io } = require("socket.io-client");
const { game, legal } = require("./game.js");

const SEATS = 4;
const TICKS = 100; // of CPU time in a second, as Linux counts them
const [port, tables, seconds, warmUp, pid] = process.argv.slice(2).map(Number);
const base = `http://127.0.0.1:${port}`;

let playing = false;
let moves = 0;
let views = 0;
let own = [];
let all = [];

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

class Table {
  constructor(code) {
    this.code = code;
    this.moves = new Map(); // under way or done: by the number of the position they were made in
  }

  /** A player at this table, as soon as the first position is there. */
  async sit(playerID) {
    const path = `/games/${game.name}/${this.code}/join`;
    const { playerCredentials } = await post(path, { playerID, playerName: `player ${playerID}` });
    const socket = io(`${base}/${game.name}`, { transports: ["websocket"], forceNew: true });
    const player = { playerID, credentials: playerCredentials, socket, state: null };
    socket.on("update", (code, state) => this.onUpdate(player, state));
    const synced = new Promise((done) => {
      socket.on("sync", (code, info) => {
        player.state = info.state;
        done();
      });
    });
    socket.emit("sync", this.code, playerID, playerCredentials, SEATS);
    await synced;
    return player;
  }

  onUpdate(player, state) {
    const move = this.moves.get(player.state._stateID);
    player.state = state;
    if (!move) return;
    const took = performance.now() - move.at;
    views += 1;
    move.seen += 1;
    if (move.by === player.playerID) {
      moves += 1;
      own.push(took);
    }
    if (move.seen === SEATS) all.push(took);
    this.act(player);
  }

  act(player) {
    const { G, ctx, _stateID } = player.state;
    const { playerID, credentials } = player;
    if (!playing || ctx.currentPlayer !== playerID) return;
    const places = legal(G.players[playerID].hand, G.trick);
    const args = [places[Math.floor(Math.random() * places.length)]];
    const payload = { type: "play", args, playerID, credentials };
    this.moves.set(_stateID, { by: playerID, at: performance.now(), seen: 0 });
    player.socket.emit("update", { type: "MAKE_MOVE", payload }, _stateID, this.code, playerID);
  }
}

function percentile(values, share) {
  values.sort((one, other) => one - other);
  return values.length ? values[Math.floor((values.length - 1) * share)] : 0;
}

/** Seconds of CPU the server has used so far. */
function cpu() {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function main() {
  const players = [];
  for (let number = 0; number < tables; number += 1) {
    const path = `/games/${game.name}/create`;
    const { matchID } = await post(path, { numPlayers: SEATS, unlisted: true });
    const table = new Table(matchID);
    for (let seat = 0; seat < SEATS; seat += 1) {
      players.push([table, await table.sit(String(seat))]);
    }
  }
  console.log("ready");
  await new Promise((done) => process.stdin.once("data", done));
  playing = true;
  for (const [table, player] of players) table.act(player);
  await pause(warmUp * 1000);
  [moves, views, own, all] = [0, 0, [], []];
  const [began, before] = [performance.now(), cpu()];
  await pause(seconds * 1000);
  const [ended, after] = [performance.now(), cpu()];
  playing = false;
  const result = {
    moves,
    seconds: (ended - began) / 1000,
    cpu_seconds: after - before,
    own_ms: [percentile(own, 0.5), percentile(own, 0.99)],
    all_ms: [percentile(all, 0.5), percentile(all, 0.99)],
    view_bytes: JSON.stringify(players[0][1].state).length,
    views_per_move: views / Math.max(moves, 1),
    refused: 0,
  };
  console.log(JSON.stringify(result));
  process.exit(0);
}

main();
