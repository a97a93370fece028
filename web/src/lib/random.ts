/** Return sixteen random bytes in hex, for the deal and for unique ids. */
export function randomHex(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // also available without https
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
