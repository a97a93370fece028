/** Formats durations for people, as short as possible. */

import { measure } from "../words";

const SECOND = 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;

export function shortTime(milliseconds: number): string {
    const seconds = Math.ceil(milliseconds / SECOND);
    if (seconds >= DAY)
        return `${measure(Math.floor(seconds / DAY), "day")} ${measure(Math.floor((seconds % DAY) / HOUR), "hour")}`;
    const minutes = Math.floor(seconds / 60);
    if (seconds >= HOUR) return `${measure(Math.floor(seconds / HOUR), "hour")} ${measure(minutes % 60, "minute")}`;
    return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
