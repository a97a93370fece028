/** The scene of each event of Omerta: how long it plays, and with which sound. */

import type { Scenes } from "../drawing";

const VERDICT = 5600;
export const scenes: Scenes = {
    "omerta.draws": { ms: 320, sound: "card", after: true },
    "omerta.takes": { ms: 320, sound: "card", after: true },
    "omerta.discards": { ms: 420, sound: "card", after: true },
    "omerta.turned_up": { ms: 420, sound: "card", after: true },
    "omerta.peeked": { ms: 600, sound: "card", after: true },
    "omerta.looks": { ms: 700, sound: "card" },
    "omerta.snapped": { ms: 1500, sound: "shot", after: true },
    "omerta.too_slow": { ms: 700, after: true },
    "omerta.wrong": { ms: 1400, sound: "no", after: true },
    "omerta.shown": { ms: 900, sound: "no", after: true },
    "omerta.penalty": { ms: 450, sound: "card", after: true },
    "omerta.gift": { ms: 450, sound: "card", after: true },
    "omerta.laid": { ms: 450, sound: "place", after: true },
    "omerta.blocked": { ms: 1600, sound: "shot", after: true },
    "omerta.plays_henchman": { ms: 1500, sound: "card" },
    "omerta.plays_lady": { ms: 1500, sound: "card" },
    "omerta.plays_traitor": { ms: 1500, sound: "card" },
    "omerta.plays_traitor_on_two": { ms: 1500, sound: "card" },
    "omerta.plays_mamma": { ms: 1500, sound: "card" },
    "omerta.plays_patrol": { ms: 1500, sound: "card" },
    "omerta.shuffled": { ms: 700, sound: "dice", after: true },
    "omerta.mamma_laid": { ms: 500, sound: "place", after: true },
    "omerta.patrol_laid": { ms: 500, sound: "place", after: true },
    "omerta.opens_safe": { ms: 900, sound: "coin" },
    "omerta.exchanged": { ms: 500, sound: "card", after: true },
    "omerta.reshuffled": { ms: 600, sound: "dice", after: true },
    "omerta.called": { ms: 1800, sound: "bell" },
    "omerta.good_call": { ms: VERDICT, sound: "win", after: true },
    "omerta.bad_call": { ms: VERDICT, sound: "lose", after: true },
    "omerta.high_call": { ms: VERDICT, sound: "lose", after: true },
    "omerta.uncalled": { ms: VERDICT, sound: "bell", after: true },
    "omerta.game": { ms: 1100, sound: "card", after: true },
};
