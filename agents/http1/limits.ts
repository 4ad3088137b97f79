/** Bounds of HTTP/1 itself, for every reader. */

/** Two custom headers of a pipe at their cap of 8 KiB, and 32 KiB for all the rest. */
export const HEAD_BYTES_MAX = 48 * 1024;
export const HEADER_FIELDS_MAX = 128;

/** A size, an extension of a chunk and a trailer carry nothing that is used. */
export const CHUNK_LINE_BYTES_MAX = 1024;
/** What frames a body, beyond as much as small chunks need: a byte with a kilobyte of extensions around it is work for nothing. */
export const CHUNK_OVERHEAD_BYTES_MAX = 16 * 1024;
export const TRAILER_BYTES_MAX = 8 * 1024;

/** Written in one piece with their frame; a larger chunk is not worth its copy. */
export const COPIED_CHUNK_BYTES_MAX = 64 * 1024;
