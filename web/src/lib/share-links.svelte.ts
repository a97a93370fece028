/** Where friends find the house, once it is opened to them. */

import { invite } from "./api";

const HERE = ["localhost", "127.0.0.1", "[::1]"];

let addresses = $state.raw<string[]>([]);

export const shareLinks = {
    /** Whether only this computer can follow a link to this page. */
    get isAlone(): boolean {
        return HERE.includes(location.hostname) && addresses.length === 0;
    },
    /** The beginnings of links that can be shared, best first. */
    get addresses(): string[] {
        return addresses.length > 0 ? addresses : [location.origin];
    },
    async openToNetwork(): Promise<void> {
        addresses = (await invite()).urls;
    },
};
