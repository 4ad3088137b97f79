const CR = 0x0d;
const LF = 0x0a;
const TAB = 0x09;
/** First byte of U+0080 to U+009F in UTF-8: controls, such as an eight-bit CSI. */
const C1_LEAD = 0xc2;

/**
 * In a flood most lines leave the scrollback as soon as they enter it. Returns where in the bytes the part begins that
 * can still be seen afterwards; 0 when all of it may matter.
 *
 * What is left out is plain text with complete lines, followed by so many lines that nothing of it stays: `lines` have
 * to be the scrollback and two screens, since the first screen may only overwrite what was there.
 */
export function visibleFrom(bytes: Uint8Array, lines: number): number {
  // A line takes two bytes at least.
  if (bytes.length < lines * 2) return 0;
  let cut = bytes.length;
  for (let found = 0; found < lines; ) {
    cut -= 1;
    if (cut < 1) return 0;
    if (bytes[cut] === LF && bytes[cut - 1] === CR) found += 1;
  }
  for (let at = 0; at <= cut; at++) {
    const byte = bytes[at] as number;
    const isPlain =
      byte >= 0x20 ? byte !== C1_LEAD && byte !== 0x7f : byte === LF || byte === CR || byte === TAB;
    if (!isPlain) return 0;
  }
  return cut + 1;
}
