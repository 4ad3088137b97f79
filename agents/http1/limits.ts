/** The limits of HTTP/1, for every server. */

/** Two custom headers of a pipe at their limit of 8 KiB, and 32 KiB for all others. */
export const HEAD_BYTES_MAX = 48 * 1024;
export const HEADER_FIELDS_MAX = 128;

/** The size line of a chunk and the trailer carry nothing that is used, so they can be short. */
export const CHUNK_LINE_BYTES_MAX = 1024;
/** The framing of a body beyond what small chunks need: it bounds the work for extensions, which have no use. */
export const CHUNK_OVERHEAD_BYTES_MAX = 16 * 1024;
export const TRAILER_BYTES_MAX = 8 * 1024;

/** Chunks up to this size are copied and written together with their framing. */
export const COPIED_CHUNK_BYTES_MAX = 64 * 1024;
