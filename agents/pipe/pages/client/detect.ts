/** The video format of these first bytes: `webm`, `mp4`, `mpegts`; null for any other. */
export function detect(bytes: Uint8Array): "webm" | "mp4" | "mpegts" | null {
  const is = (at: number, ...values: number[]) => values.every((value, index) => bytes[at + index] === value);
  if (is(0, 0x1a, 0x45, 0xdf, 0xa3)) return "webm";
  if (["ftyp", "styp", "moov"].includes(ascii(bytes, 4, 8))) return "mp4";
  // A packet has 188 bytes and begins with 0x47.
  if (is(0, 0x47) && (bytes.length <= 188 || is(188, 0x47)) && (bytes.length <= 376 || is(376, 0x47)))
    return "mpegts";
  return null;
}

/** The number of bytes that `detect` needs. */
export const DETECT_BYTES = 377;

/** The type of a WebM stream for a player, from its header; undefined while the header is incomplete. */
export function webmType(bytes: Uint8Array): string | undefined {
  const text = ascii(bytes, 0, bytes.length);
  const cluster = indexOf(bytes, [0x1f, 0x43, 0xb6, 0x75]);
  if (cluster === -1) return undefined;
  const names: Record<string, string> = {
    V_VP8: "vp8",
    V_VP9: "vp9",
    V_AV1: "av01.0.08M.08",
    A_OPUS: "opus",
    A_VORBIS: "vorbis",
  };
  const codecs = Object.keys(names).filter((name) => text.includes(name));
  return `video/webm; codecs="${codecs.map((name) => names[name]).join(", ")}"`;
}

/**
 * The type of an MP4 for a player. Undefined while more of it is needed; null if it can only be played when complete:
 * it is not in fragments, or its index comes last.
 */
export function mp4Type(bytes: Uint8Array): string | null | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at);
    const kind = ascii(bytes, at + 4, at + 8);
    if (kind === "mdat" || length < 8) return null;
    if (kind === "moov")
      return at + length > bytes.length ? undefined : moovType(bytes.subarray(at, at + length));
    at += length;
  }
  return undefined;
}

function moovType(moov: Uint8Array): string | null {
  const text = ascii(moov, 0, moov.length);
  if (!text.includes("mvex")) return null;
  const hex = (at: number) =>
    [0, 1, 2].map((index) => (moov[at + index] ?? 0).toString(16).padStart(2, "0")).join("");
  const codecs: string[] = [];
  const avc = text.indexOf("avcC");
  if (avc !== -1) codecs.push(`avc1.${hex(avc + 5)}`);
  if (/hvc1|hev1/.test(text)) codecs.push("hvc1.1.6.L120.B0");
  if (text.includes("vp09")) codecs.push("vp09.00.40.08");
  if (text.includes("av01")) codecs.push("av01.0.08M.08");
  if (text.includes("mp4a")) codecs.push("mp4a.40.2");
  if (/Opus/.test(text)) codecs.push("opus");
  return `video/mp4; codecs="${codecs.join(", ")}"`;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < Math.min(to, bytes.length); at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

function indexOf(bytes: Uint8Array, wanted: readonly number[]): number {
  const first = wanted[0] ?? 0;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((value, index) => bytes[at + index] === value)) return at;
  }
  return -1;
}
