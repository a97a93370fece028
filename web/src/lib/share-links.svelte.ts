/** The addresses at which friends can reach this server. */

import { invite } from "./api";

const HERE = ["localhost", "127.0.0.1", "[::1]"];

let addresses = $state.raw<string[]>([]);

export const shareLinks = {
    /** Whether links to this page work on this computer only. */
    get isAlone(): boolean {
        return HERE.includes(location.hostname) && addresses.length === 0;
    },
    /** The origins for links to share, best first. */
    get addresses(): string[] {
        return addresses.length > 0 ? addresses : [location.origin];
    },
    async openToNetwork(): Promise<void> {
        addresses = (await invite()).urls;
    },
};
