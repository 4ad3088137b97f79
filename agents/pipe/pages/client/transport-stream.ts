/** The part of mux.js that is used here. */
interface Mux {
  Transmuxer: new (options: {
    keepOriginalTimestamps: boolean;
  }) => {
    on(event: "data", handler: (segment: { initSegment: Uint8Array; data: Uint8Array }) => void): void;
    push(bytes: Uint8Array): void;
    flush(): void;
  };
}

const PACKET_BYTES = 188;
/** Pieces of about this size are converted to fragments at once. */
const PIECE_BYTES = 1_000_000;

/**
 * Converts an MPEG transport stream to MP4 fragments, piece by piece: a piece ends before a packet that begins a key
 * frame.
 */
export function transportStream(onFragment: (fragment: Uint8Array) => void): {
  push(bytes: Uint8Array): void;
  end(): void;
} {
  // From mux.js, which stands before this script on the page.
  const transmuxer = new (globalThis as unknown as { muxjs: Mux }).muxjs.Transmuxer({
    keepOriginalTimestamps: false,
  });
  let initialised = false;
  transmuxer.on("data", ({ initSegment, data }) => {
    if (!initialised) onFragment(initSegment);
    initialised = true;
    onFragment(data);
  });
  let rest = new Uint8Array(0);
  let pending = 0;
  const push = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    transmuxer.push(bytes);
    pending += bytes.length;
  };
  return {
    push(bytes) {
      const input = new Uint8Array(rest.length + bytes.length);
      input.set(rest);
      input.set(bytes, rest.length);
      const end = input.length - (input.length % PACKET_BYTES);
      let from = 0;
      for (let at = 0; at < end; at += PACKET_BYTES) {
        if (pending + at - from < PIECE_BYTES || !beginsPicture(input, at)) continue;
        push(input.slice(from, at));
        transmuxer.flush();
        pending = 0;
        from = at;
      }
      push(input.slice(from, end));
      rest = input.slice(end);
    },
    end() {
      transmuxer.flush();
    },
  };
}

/** Whether a packet begins a key frame: its random access indicator is set. */
function beginsPicture(bytes: Uint8Array, at: number): boolean {
  const byte = (index: number) => bytes[index] ?? 0;
  const hasStart = (byte(at + 1) & 0x40) !== 0;
  const hasAdaptation = (byte(at + 3) & 0x20) !== 0 && byte(at + 4) > 0;
  if (!hasStart || !hasAdaptation || (byte(at + 5) & 0x40) === 0) return false;
  const payload = at + 5 + byte(at + 4);
  return byte(payload + 2) === 1 && (byte(payload + 3) & 0xf0) === 0xe0;
}
