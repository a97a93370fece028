/** Gestures. They are short chat messages that everybody sees at the seat, so the server needs nothing special. */

export const EMOTES = ["salute", "laugh", "doubt", "threat", "flower", "hurry"] as const;
export type Emote = (typeof EMOTES)[number];

export const emoteText = (emote: Emote) => `:${emote}:`;
export const emoteOf = (text: string): Emote | null => EMOTES.find((emote) => emoteText(emote) === text) ?? null;
