/** Controls, and what turns the text around it: nothing for a name that people tell things by. */
export const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;
const ALL = new RegExp(UNSAFE_CHARACTERS, "gu");

/** Text as it may stand among other text. */
export const stripUnsafe = (text: string): string => text.replace(ALL, "");
