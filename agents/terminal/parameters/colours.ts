import colours from "color-name";

/** The named colours of CSS Color 4, and the RGB that each stands for. */
const NAMED: ReadonlyMap<string, readonly [number, number, number]> = new Map(Object.entries(colours));

export const isColourName = (text: string): boolean => NAMED.has(text);

/** Red, green and blue, 0 to 255, of a colour that `colour` of `values.ts` let through; alpha is left out. */
export function rgbOf(colour: string): readonly [number, number, number] {
  const named = NAMED.get(colour);
  if (named !== undefined) return named;
  const digits = colour.slice(1);
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits.slice(0, 6);
  const value = Number.parseInt(long, 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

export const LIGHT = "#e6e6e6";
const DARK = "#1e1e1e";

/** The colour of text that can be read on a background. */
export function foregroundOn(background: string): string {
  const [red, green, blue] = rgbOf(background);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? DARK : LIGHT;
}
