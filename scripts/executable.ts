/** The system and processor that an executable is for, such as `linux-arm64`, by its first bytes; undefined for anything else. */
export function targetOf(head: Uint8Array): string | undefined {
  if (head.length < HEAD_BYTES) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0) === ELF && head[4] === ELF_64_BITS) {
    const processor = ELF_PROCESSORS[view.getUint16(18, true)];
    return processor && `linux-${processor}`;
  }
  if (view.getUint32(0, true) !== MACH_O_64_BITS) return undefined;
  const processor = MACH_O_PROCESSORS[view.getUint32(4, true)];
  return processor && `darwin-${processor}`;
}

/** As much as `targetOf` reads. */
export const HEAD_BYTES = 20;

const ELF = 0x7f454c46;
const ELF_64_BITS = 2;
/** `e_machine` of the ELF header. */
const ELF_PROCESSORS: Readonly<Record<number, string>> = { 62: "x64", 183: "arm64" };
const MACH_O_64_BITS = 0xfeedfacf;
/** `cputype` of the Mach-O header. */
const MACH_O_PROCESSORS: Readonly<Record<number, string>> = { 16777223: "x64", 16777228: "arm64" };
