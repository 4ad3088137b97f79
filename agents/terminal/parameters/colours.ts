import colours from "color-name";

/** The named colours of CSS Color 4, with their RGB values. */
const NAMED: ReadonlyMap<string, readonly [number, number, number]> = new Map(Object.entries(colours));

export const isColourName = (text: string): boolean => NAMED.has(text);

/** The page's colour behind a transparent background. */
const PAGE = "#1e1e1e";

/**
 * Mixes `#RRGGBBAA` with the page's colour, so that all renderers show the same colour and text can have enough
 * contrast.
 */
export function solid(colour: string): string {
  if (colour.length !== 9) return colour;
  const alpha = Number.parseInt(colour.slice(7), 16) / 0xff;
  const behind = rgbOf(PAGE);
  const mixed = rgbOf(colour).map((part, at) => Math.round(part * alpha + (behind[at] ?? 0) * (1 - alpha)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Red, green and blue, 0 to 255, of a colour that `colour` in `values.ts` accepts. */
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

/** A text colour that is readable on a background. */
export function foregroundOn(background: string): string {
  const [red, green, blue] = rgbOf(background);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? DARK : LIGHT;
}
