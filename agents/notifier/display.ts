/** An X server of display N may listen on TCP port 6000 + N. */
const DISPLAY_MAX = 59_535;

/** The number of a display that is written `:1` or `1`; null for anything else. */
export function displayNumber(text: string): number | null {
  const [, digits] = /^:?(0|[1-9]\d{0,4})$/.exec(text) ?? [];
  const display = digits === undefined ? Number.NaN : Number(digits);
  return display <= DISPLAY_MAX ? display : null;
}

export const displayName = (display: number): string => `:${display}`;

export const DISPLAY_RULE = `must be a display, N or :N, N from 0 to ${DISPLAY_MAX}`;
