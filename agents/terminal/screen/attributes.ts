import type { Attributes } from "./internals.ts";

/** Colours below this index have SGR codes of their own, which programs may paint brighter when bold. */
const PALETTE_16 = 0x1000000;

/** Cells with the same key look the same. */
export function keyOf(cell: Attributes): string {
  const extended = cell.hasExtendedAttrs() ? `${cell.extended.ext},${cell.extended.urlId}` : "";
  return `${cell.fg},${cell.bg},${extended}`;
}

export const PLAIN = "0,0,";

const rgb = (value: number) => `${(value >> 16) & 0xff};${(value >> 8) & 0xff};${value & 0xff}`;

function colour(value: number, isRgb: boolean, isPalette: boolean, mode: number, base: number): string[] {
  if (isRgb) return [`${base + 8};2;${rgb(value)}`];
  if (!isPalette) return [];
  if (mode !== PALETTE_16) return [`${base + 8};5;${value}`];
  return [`${value < 8 ? base + value : base + 52 + value}`];
}

/** The SGR sequence after which what is written looks like the given cell. */
export function sgr(cell: Attributes): string {
  const codes = ["0"];
  if (cell.isBold()) codes.push("1");
  if (cell.isDim()) codes.push("2");
  if (cell.isItalic()) codes.push("3");
  if (cell.isBlink()) codes.push("5");
  if (cell.isInverse()) codes.push("7");
  if (cell.isInvisible()) codes.push("8");
  if (cell.isStrikethrough()) codes.push("9");
  if (cell.isOverline()) codes.push("53");
  const underline = cell.getUnderlineStyle();
  if (underline !== 0) {
    codes.push(`4:${underline}`);
    if (cell.hasExtendedAttrs() && cell.isUnderlineColorRGB()) {
      codes.push(`58:2::${rgb(cell.getUnderlineColor()).replaceAll(";", ":")}`);
    } else if (cell.hasExtendedAttrs() && cell.isUnderlineColorPalette()) {
      codes.push(`58:5:${cell.getUnderlineColor()}`);
    }
  }
  codes.push(
    ...colour(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette(), cell.getFgColorMode(), 30),
    ...colour(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette(), cell.getBgColorMode(), 40),
  );
  return `\x1b[${codes.join(";")}m`;
}
