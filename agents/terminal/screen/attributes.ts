import type { Attributes } from "./internals.ts";

/** Colours below this index have SGR codes of their own, which programs may paint brighter when bold. */
const PALETTE_16 = 0x1000000;

/** Cells with the same key look the same. */
export function keyOf(cell: Attributes): string {
  const extended = cell.hasExtendedAttrs() ? `${cell.extended._ext},${cell.extended.urlId}` : "";
  // Values of cells are unsigned, those of the current attributes may be negative.
  return `${cell.fg >>> 0},${cell.bg >>> 0},${extended}`;
}

export const PLAIN = "0,0,";

const FLAGS = 0xfc000000;

/** Whether a blank cell has more attributes than the background, which is all that erasing sets. */
export const isMoreThanErased = ({ fg, bg }: Attributes): boolean => fg !== 0 || (bg & FLAGS) !== 0;

const rgb = (value: number) => `${(value >> 16) & 0xff};${(value >> 8) & 0xff};${value & 0xff}`;

function colour(value: number, isRgb: boolean, isPalette: boolean, mode: number, base: number): string[] {
  if (isRgb) return [`${base + 8};2;${rgb(value)}`];
  if (!isPalette) return [];
  if (mode !== PALETTE_16) return [`${base + 8};5;${value}`];
  return [`${value < 8 ? base + value : base + 52 + value}`];
}

/** The bits of `_ext` with an underline's style. */
const UNDERLINE_STYLE = { shift: 26, mask: 7 };
const COLOUR_MODE = { mask: 0x3000000, rgb: 0x3000000 };
const COLOUR_VALUE = { rgb: 0xffffff, palette: 0xff };

function underline(ext: number): string[] {
  const codes: string[] = [];
  // A link is shown with another style; this one applies again when the link is closed.
  const style = (ext >>> UNDERLINE_STYLE.shift) & UNDERLINE_STYLE.mask;
  if (style !== 0) codes.push(`4:${style}`);
  const mode = ext & COLOUR_MODE.mask;
  if (mode === COLOUR_MODE.rgb) codes.push(`58:2::${rgb(ext & COLOUR_VALUE.rgb).replaceAll(";", ":")}`);
  else if (mode !== 0) codes.push(`58:5:${ext & COLOUR_VALUE.palette}`);
  return codes;
}

/**
 * The SGR sequence that sets the attributes of the given cell.
 * @param ext the underline's style and colour, if they matter without an underline
 */
export function sgr(cell: Attributes, ext = cell.hasExtendedAttrs() ? cell.extended._ext : 0): string {
  const codes = ["0"];
  if (cell.isBold()) codes.push("1");
  if (cell.isDim()) codes.push("2");
  if (cell.isItalic()) codes.push("3");
  if (cell.isBlink()) codes.push("5");
  if (cell.isInverse()) codes.push("7");
  if (cell.isInvisible()) codes.push("8");
  if (cell.isStrikethrough()) codes.push("9");
  if (cell.isOverline()) codes.push("53");
  codes.push(
    ...underline(ext),
    ...colour(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette(), cell.getFgColorMode(), 30),
    ...colour(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette(), cell.getBgColorMode(), 40),
  );
  return `\x1b[${codes.join(";")}m${cell.isProtected() ? '\x1b[1"q' : ""}`;
}
