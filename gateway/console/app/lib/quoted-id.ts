/** For a filter of an address. In quotes: an id may look like a number, and the router reads one as a number. */
export const quotedId = (id: string): string => encodeURIComponent(`"${id}"`);
