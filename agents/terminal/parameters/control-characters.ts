/** Control characters, and characters that change the direction of text: not allowed in names that people see. */
export const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;
const ALL = new RegExp(UNSAFE_CHARACTERS, "gu");

/** Removes control characters and changes of direction from text that is shown within other text. */
export const stripUnsafe = (text: string): string => text.replace(ALL, "");
