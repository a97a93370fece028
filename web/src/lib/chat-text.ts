/** What was said, in words: a gesture is sent as a short one. */

import { emoteOf } from "../drawn/emotes";
import { words } from "../words";

export function chatText(text: string): string {
    const emote = emoteOf(text);
    return emote ? words.drawn.emoteSaid({ told: words.drawn.emote[emote] }) : text;
}
