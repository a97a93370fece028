/** Returns a chat message as text; a gesture becomes a sentence. */

import { emoteOf } from "../drawn/emotes";
import { words } from "../words";

export function chatText(text: string): string {
    const emote = emoteOf(text);
    return emote ? words.drawn.emoteText({ text: words.drawn.emote[emote] }) : text;
}
