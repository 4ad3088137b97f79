/** Controls, and what turns the text around it: nothing for a name that people tell things by. */
export const MISLEADING = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;
const ALL = new RegExp(MISLEADING, "gu");

/** Text as it may stand among other text. */
export const withoutMisleading = (text: string): string => text.replace(ALL, "");
