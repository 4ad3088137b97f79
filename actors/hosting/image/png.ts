import { crc32, inflateSync } from "node:zlib";
import { DomainError } from "../../../schemas/errors.ts";
import { ICON_BYTES_MAX, ICON_PIXELS_MAX } from "../../../schemas/hosting/image.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The length, type and checksum of a chunk, besides its data. */
const CHUNK_BYTES = 12;
const HEADER_BYTES = 13;
/** Colour type → samples a pixel, and the bits that a sample may have (PNG, third edition, §11.2.1). */
const COLOURS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** The seven passes of an interlaced picture: first column and row, then the steps between them. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export const hasPngSignature = (bytes: Uint8Array): boolean =>
  SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));

/**
 * Checks every chunk of an icon, and that its data has exactly the size of its pixels.
 * @throws INVALID_ICON_FORMAT for anything but a PNG, and for one that is too large
 */
export function assertIcon(bytes: Uint8Array): void {
  try {
    if (bytes.length > ICON_BYTES_MAX || !hasPngSignature(bytes) || !isWhole(Buffer.from(bytes)))
      throw invalidIcon();
  } catch {
    throw invalidIcon();
  }
}

export const invalidIcon = () => new DomainError("INVALID_ICON_FORMAT", "Invalid icon format");

/** Throws a RangeError where it ends too early, and zlib's errors. */
function isWhole(png: Buffer): boolean {
  const data: Buffer[] = [];
  let pixelBytes: number | undefined;
  let hasPalette = false;
  let needsPalette = false;
  for (let at = SIGNATURE.length; ; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const end = at + CHUNK_BYTES + length;
    if (end > png.length || crc32(png.subarray(at + 4, end - 4)) !== png.readUInt32BE(end - 4)) return false;
    const body = png.subarray(at + 8, end - 4);
    if ((pixelBytes === undefined) !== (type === "IHDR")) return false;
    if (type === "IHDR") {
      pixelBytes = pixelBytesOf(body);
      needsPalette = body[9] === 3;
    } else if (type === "PLTE") hasPalette = true;
    else if (type === "IDAT") data.push(body);
    else if (type === "IEND") {
      const pixels = inflateSync(Buffer.concat(data), { maxOutputLength: (pixelBytes ?? 0) + 1 });
      return end === png.length && pixels.length === pixelBytes && (hasPalette || !needsPalette);
    }
    at = end;
  }
}

/** The size of the uncompressed pixels, in bytes. @throws INVALID_ICON_FORMAT */
function pixelBytesOf(header: Buffer): number {
  if (header.length !== HEADER_BYTES) throw invalidIcon();
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colour = 0, compression, filter, interlace] = header.subarray(8);
  const { samples, depths } = COLOURS[colour] ?? { samples: 0, depths: [] };
  const isSize = (pixels: number) => pixels >= 1 && pixels <= ICON_PIXELS_MAX;
  if (!isSize(width) || !isSize(height) || !depths.includes(depth)) throw invalidIcon();
  if (compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1)) throw invalidIcon();
  const passes = interlace === 0 ? [[0, 0, 1, 1] as const] : PASSES;
  return passes.reduce((sum, [x, y, stepX, stepY]) => {
    const columns = Math.ceil((width - x) / stepX);
    const rows = Math.ceil((height - y) / stepY);
    // Each row begins with a byte for its filter.
    return columns > 0 && rows > 0 ? sum + rows * (1 + Math.ceil((columns * samples * depth) / 8)) : sum;
  }, 0);
}
