/** The map of the village, for wide screens and for phones, and what the drawing reads from the server's view. */

import type { TextView } from "../../wire";
import type { PositionAfter } from "../drawing";

/** The part of the position (src/cosca/games/vendetta/position.py) that is drawn. Districts and seats count from 0. */
export interface Position {
    phase: string;
    round: number;
    turn: number;
    start: number;
    active: number;
    winners: number[];
    men: number[][];
    hands: number[];
    turned_up: number[];
    minimums: number[];
}

export interface Point {
    x: number;
    y: number;
}

/** A map. All lengths are in the units of its SVG. */
export interface Village {
    width: number;
    height: number;
    /** The centre of each district. */
    districts: readonly Point[];
    coast: string;
    fields: readonly string[];
    /** Pairs of districts that a road connects. */
    roads: readonly (readonly [number, number])[];
    houses: readonly Point[];
    trees: readonly Point[];
    waves: readonly Point[];
    boats: readonly Point[];
    /** The ground of a district: half its width, its top and its bottom, from the centre. */
    plot: { half: number; top: number; bottom: number };
    landmark: { scale: number; top: number };
    number: Point;
    card: Point;
    flag: Point;
    /** Stacks of cubes: scale, foot, step from cube to cube, greatest height, and distance between stacks. */
    men: { scale: number; foot: number; step: number; high: number; apart: number };
    /** Where the minimum number of men is written; mirrored to the side that is free. */
    minimum: Point;
    /** Whether this is the map for wide screens, on which there is room for names. */
    isWide: boolean;
}

const points = (...pairs: readonly (readonly [number, number])[]): Point[] => pairs.map(([x, y]) => ({ x, y }));

const WIDE: Village = {
    width: 1120,
    height: 496,
    districts: points(
        [344, 84],
        [562, 78],
        [782, 86],
        [1000, 80],
        [120, 256],
        [344, 242],
        [562, 250],
        [782, 240],
        [998, 248],
        [116, 414],
        [338, 408],
        [560, 414],
        [782, 406],
    ),
    coast:
        "M-400 190C-60 188 60 172 136 168S206 124 222 82 254 16 312 8 440-6 560 2 740-8 860 4 1020-8 1082 18 1110 96 1104 158 1126 236 1098 292 1000 336 940 356" +
        " 914 400 902 442 906 500 914 560L900 800H-400z",
    fields: [
        "M-40 336q130-30 246-6l22 96q-130 44-268 24z",
        "M436 312q120-22 238 8l8 74q-120 26-246 4z",
        "M668 146q98-18 206 2l4 54q-98 20-210 4z",
    ],
    roads: [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 5],
        [1, 6],
        [2, 7],
        [3, 8],
        [4, 5],
        [5, 6],
        [6, 7],
        [7, 8],
        [4, 9],
        [5, 10],
        [6, 11],
        [7, 12],
        [9, 10],
        [10, 11],
        [11, 12],
    ],
    houses: points(
        [228, 176],
        [246, 167],
        [262, 178],
        [444, 164],
        [462, 172],
        [662, 170],
        [680, 162],
        [696, 173],
        [884, 168],
        [900, 177],
        [222, 332],
        [240, 323],
        [444, 330],
        [460, 321],
        [476, 331],
        [664, 328],
        [682, 320],
        [882, 330],
    ),
    trees: points(
        [210, 182],
        [278, 174],
        [480, 164],
        [646, 174],
        [714, 170],
        [868, 173],
        [918, 171],
        [206, 334],
        [256, 331],
        [428, 332],
        [494, 328],
        [648, 329],
        [700, 328],
        [866, 333],
        [898, 327],
        [14, 330],
        [28, 336],
        [1078, 172],
    ),
    waves: points(
        [30, 40],
        [96, 126],
        [166, 58],
        [40, 88],
        [966, 424],
        [1030, 384],
        [1080, 444],
        [990, 474],
        [1086, 352],
        [-60, 60],
        [-90, 130],
    ),
    boats: points([104, 74], [1026, 440]),
    plot: { half: 92, top: 6, bottom: 76 },
    landmark: { scale: 0.98, top: -58 },
    number: { x: -82, y: -56 },
    card: { x: -76, y: -22 },
    flag: { x: 64, y: 8 },
    men: { scale: 1.5, foot: 56, step: 13, high: 66, apart: 34 },
    minimum: { x: 70, y: 44 },
    isWide: true,
};

const TALL: Village = {
    width: 366,
    height: 380,
    districts: points(
        [183, 40],
        [305, 38],
        [61, 117],
        [183, 116],
        [305, 114],
        [60, 192],
        [183, 193],
        [306, 191],
        [61, 267],
        [183, 268],
        [305, 266],
        [61, 342],
        [183, 342],
    ),
    coast: "M-200 78C-40 80 20 78 76 74S112 54 118 30 150-4 190-2 260-8 330-2 366 40 360 90 370 140 362 190 370 240 364 292 300 304 270 308 246 330 246 352 250 400 244 460L240 600H-200z",
    fields: ["M-10 228q60-14 118-4l8 70q-60 18-126 6z", "M130 150q56-12 110 2l4 70q-60 12-116 0z"],
    roads: [
        [0, 1],
        [0, 3],
        [1, 4],
        [2, 3],
        [3, 4],
        [2, 5],
        [3, 6],
        [4, 7],
        [5, 6],
        [6, 7],
        [5, 8],
        [6, 9],
        [7, 10],
        [8, 9],
        [9, 10],
        [8, 11],
        [9, 12],
        [11, 12],
    ],
    houses: [],
    trees: points(
        [122, 92],
        [127, 94],
        [244, 86],
        [121, 166],
        [245, 164],
        [121, 242],
        [126, 244],
        [244, 240],
        [121, 318],
        [125, 320],
    ),
    waves: points([14, 14], [60, 64], [84, 22], [270, 330], [320, 318], [330, 366], [266, 372]),
    boats: points([46, 36], [310, 344]),
    plot: { half: 58, top: 2, bottom: 35 },
    landmark: { scale: 0.56, top: -39 },
    number: { x: -46, y: -25 },
    card: { x: -29, y: -28 },
    flag: { x: 31, y: 2 },
    men: { scale: 1, foot: 21, step: 5, high: 32, apart: 22 },
    minimum: { x: 44, y: 25 },
    isWide: false,
};

export const MAPS = { wide: WIDE, tall: TALL } as const;

/** What the server's view says about a district: its name, the men there, and who controls it. */
export interface DistrictInfo {
    name: string;
    men: string[];
    controller: number;
    controls: string;
}

/** Read the districts from the first grid of the view. Who controls one is up to the rules. */
export function districtsIn(view: TextView): DistrictInfo[] {
    const seats = (view.position as unknown as Position).hands.length;
    return (view.grids[0]?.rows ?? []).map((row) => {
        const [controls, style] = row[seats + 1] ?? ["", ""];
        return {
            name: row[0]?.[0] ?? "",
            men: row
                .slice(1, seats + 1)
                .map(([text]) => text)
                .filter((text) => /\d/.test(text)),
            controller: Number(/seat\.(\d)/.exec(style)?.[1] ?? -1),
            controls,
        };
    });
}

/** What the server's view says about a player; secret numbers are given as a word. */
export interface PlayerInfo {
    hand: string;
    box: string;
    districts: string;
    points: string;
    secret: boolean;
}

/** Read the players from the second grid of the view. */
export function playersIn(view: TextView): PlayerInfo[] {
    return (view.grids[1]?.rows ?? []).map(([, hand, box, districts, points]) => ({
        hand: hand?.[0] ?? "",
        box: box?.[0] ?? "",
        districts: districts?.[0] ?? "",
        points: points?.[0] ?? "",
        secret: hand?.[1] === "dim",
    }));
}

/** Place and remove men as each event says, so that a card is turned up over those who stand there by then. */
export const positionAfter: PositionAfter = (position, { key, params }) => {
    const { men, hands } = position as unknown as Position;
    const [seat, district, number] = ["seat", "district", "number"].map((name) => Number(params?.[name]));
    const change = (there: number, at: number) => {
        if (key === "vendetta.raided") return 0;
        if (at !== seat) return there;
        return key === "vendetta.lost" ? 0 : there + number!;
    };
    if (!["vendetta.placed", "vendetta.lost", "vendetta.raided"].includes(key)) return null;
    const placed = key === "vendetta.placed" ? number! : 0;
    return {
        ...position,
        men: men.map((row, at) => (at === district! - 1 ? row.map(change) : row)),
        hands: hands.map((hand, at) => (at === seat ? hand - placed : hand)),
    };
};
