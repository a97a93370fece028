/** How long something takes, as short as people need it. */

import { words } from "../words";

const SECOND = 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;

export function shortTime(milliseconds: number): string {
    const seconds = Math.ceil(milliseconds / SECOND);
    if (seconds >= DAY) return words.clock.days(Math.floor(seconds / DAY), Math.floor((seconds % DAY) / HOUR));
    const minutes = Math.floor(seconds / 60);
    if (seconds >= HOUR) return words.clock.hours(Math.floor(seconds / HOUR), minutes % 60);
    return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
