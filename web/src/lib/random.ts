/** Sixteen bytes in hex: for the dice, and as a name that nobody else has. */
export function randomHex(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // there also without https
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
