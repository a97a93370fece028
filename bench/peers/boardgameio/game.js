// A trick-taking game of a size like ours: four players, a hidden deck, hidden hands, and updates as
// long as ours, which are about 1 KB as data and 2.5 KB as text. Written as boardgame.io advises; its
// own STRIP_SECRETS filters.

const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const SUITS = ["clubs", "diamonds", "hearts", "spades"];
const HAND = 8;
const REMEMBERED = 6; // tricks that lie open, which makes a position as long as it is meant to be

function deck() {
  return SUITS.flatMap((suit) =>
    Array.from({ length: 13 }, (_, rank) => ({ suit, rank: rank + 2 })),
  );
}

function deal(G, random) {
  G.secret.deck = random.Shuffle(deck());
  for (const player of Object.values(G.players)) player.hand = G.secret.deck.splice(0, HAND);
}

function setup({ ctx, random }) {
  const seats = Array.from({ length: ctx.numPlayers }, (_, seat) => String(seat));
  const G = {
    secret: { deck: [] },
    players: Object.fromEntries(seats.map((seat) => [seat, { hand: [] }])),
    scores: Object.fromEntries(seats.map((seat) => [seat, { points: 0, tricks: 0 }])),
    trick: [],
    tricks: seats.concat(seats).slice(0, REMEMBERED).map(blank),
    hands: 0,
  };
  deal(G, random);
  return G;
}

/** A trick from before the game, so that the first position is as long as the later ones. */
function blank(winner) {
  const cards = SUITS.map((suit, seat) => ({ seat: String(seat), suit, rank: 2 }));
  return { winner, cards };
}

/** The places in a hand of the cards that may be played: the suit must be followed. */
function legal(hand, trick) {
  const places = hand.map((_, place) => place);
  const following = trick.length ? places.filter((at) => hand[at].suit === trick[0].suit) : [];
  return following.length ? following : places;
}

function play({ G, playerID, random }, place) {
  const { hand } = G.players[playerID];
  if (!Number.isInteger(place) || !legal(hand, G.trick).includes(place)) return INVALID_MOVE;
  const [card] = hand.splice(place, 1);
  G.trick.push({ seat: playerID, suit: card.suit, rank: card.rank });
  if (G.trick.length === Object.keys(G.players).length) take(G);
  if (Object.values(G.players).every((player) => !player.hand.length)) {
    G.hands += 1;
    deal(G, random);
  }
}

function take(G) {
  const led = G.trick.filter((card) => card.suit === G.trick[0].suit);
  const best = led.reduce((one, other) => (other.rank > one.rank ? other : one));
  G.scores[best.seat].tricks += 1;
  G.scores[best.seat].points += G.trick.filter((card) => card.suit === "hearts").length;
  G.tricks.push({ winner: best.seat, cards: G.trick });
  G.tricks = G.tricks.slice(-REMEMBERED);
  G.trick = [];
}

const game = {
  name: "tricks",
  setup,
  playerView: PlayerView.STRIP_SECRETS,
  minPlayers: 4,
  maxPlayers: 4,
  disableUndo: true, // there are secrets; and it is faster
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play },
};

module.exports = { game, legal };
