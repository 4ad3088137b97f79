const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];

/**
 * A size in a sentence for people: "9.5 GiB". Rounded down, so that what is said to be free is free; the exact figure belongs in a field of
 * its own.
 */
export function sizeText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Math.floor((bytes / 1024 ** power) * 10) / 10} ${UNITS[power]}`;
}
