const CR = 0x0d;
const LF = 0x0a;
/**
 * Bytes with an effect beyond their own lines: sequences, a query, shifts of the character set, and the first byte of
 * U+0080 to U+009F in UTF-8, which are controls such as an eight-bit CSI.
 */
const MORE_THAN_TEXT = [0x1b, 0x05, 0x0e, 0x0f, 0xc2];

/**
 * In a flood most lines leave the scrollback as soon as they enter it. Returns the offset of the part that can still
 * be visible afterwards; 0 if all of it may matter. The part before is text with complete lines, followed by enough
 * lines to push it out: `lines` must be the scrollback and two screens, since the first screen may only overwrite
 * existing lines.
 */
export function visibleFrom(bytes: Uint8Array, lines: number): number {
  // A line has at least two bytes.
  if (bytes.length < lines * 2) return 0;
  let cut = bytes.length;
  for (let found = 0; found < lines; ) {
    cut -= 1;
    if (cut < 1) return 0;
    if (bytes[cut] === LF && bytes[cut - 1] === CR) found += 1;
  }
  const left = bytes.subarray(0, cut + 1);
  return MORE_THAN_TEXT.some((byte) => left.includes(byte)) ? 0 : cut + 1;
}
