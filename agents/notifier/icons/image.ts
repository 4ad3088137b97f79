/** Images that a notice may have (spec §2). */

export type ImageType = "image/png" | "image/jpeg" | "image/svg+xml";

export interface Image {
  readonly type: ImageType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const EXTENSIONS: Readonly<Record<ImageType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
};

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
/**
 * The beginning of an SVG: a declaration, comments, instructions, a document type without definitions, and the root.
 */
const SVG = /^\uFEFF?(\s|<\?[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^[>]*>)*<svg[\s/>]/;

/** The longest text before the root. */
const PROLOG_CHARS_MAX = 16 * 1024;

/** The image type, from the bytes themselves; null if it is none of the three. */
export function imageType(bytes: Uint8Array): ImageType | null {
  const begins = (magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
  if (begins(PNG)) return "image/png";
  if (begins(JPEG)) return "image/jpeg";
  return isSvg(bytes) ? "image/svg+xml" : null;
}

/** Whether the bytes are an SVG. Entities are refused: a few lines of them can expand to gigabytes. */
function isSvg(bytes: Uint8Array): boolean {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return false;
  }
  return SVG.test(text.slice(0, PROLOG_CHARS_MAX)) && !text.includes("<!ENTITY");
}
