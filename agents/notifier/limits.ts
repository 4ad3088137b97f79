/** Bounds of a notification server. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Requests a client may make a minute (spec §8; decision 42). Every endpoint is counted, in its own bucket or in the general one: what
 * probes and scrapers ask for takes nothing from a page. Neither do preflights, which show no credential, and those who may not enter.
 */
export const RATES = {
  general: 60,
  notify: 10,
  icons: 100,
  health: 60,
  metrics: 60,
  preflight: 60,
  refused: 60,
} as const;
export const RATE_WINDOW_MS = MINUTE;
/** Clients whose requests are remembered; past it, those of the client that was away longest are forgotten. */
export const RATE_CLIENTS_MAX = 10_000;

export const TITLE_CHARS_MAX = 256;
/** A notice is a few lines. Escaped and in UTF-8 this stays far below the 128 KiB that Linux allows an argument. */
export const BODY_CHARS_MAX = 4_096;
/** The name of a program. */
export const SOURCE_CHARS_MAX = 64;
export const TIMEOUT_MS_MAX = 24 * HOUR;
/** More than a notice can show. */
export const ACTIONS_MAX = 8;
export const ACTION_NAME_CHARS_MAX = 64;
export const ACTION_LABEL_CHARS_MAX = 100;

/** Larger than any icon that a notice shows. */
export const ICON_BYTES_MAX = 512 * KIB;
export const ICON_PATH_CHARS_MAX = 4_096;
/** A data URL is 4/3 of its bytes, and its type's name. */
export const ICON_TEXT_CHARS_MAX = Math.ceil(ICON_BYTES_MAX / 3) * 4 + 128;
/** The largest icon with the longest text, written in JSON's longest form. */
export const REQUEST_BYTES_MAX = MIB;
/** Nobody sends a mebibyte for longer. */
export const REQUEST_MS_MAX = 30 * SECOND;

/** From a notice's acceptance to its answer: a desktop that takes longer hangs. */
export const DELIVERY_MS_MAX = 10 * SECOND;
export const ICON_READ_MS_MAX = 5 * SECOND;
/** Notices on their way at the same time, all clients together; each has up to three processes. */
export const DELIVERIES_MAX = 8;
/** What a program writes is a few lines; the rest is not read. */
export const OUTPUT_BYTES_MAX = 64 * KIB;
/** Of what a program wrote to stderr in a record and an answer. */
export const REASON_CHARS_MAX = 300;
/** Session buses that are tried for one notice. */
export const BUSES_MAX = 4;

/** Notices with actions each have a notify-send that waits for the choice; past it the oldest waits no more. */
export const WAITING_MAX = 32;
export const WAITING_MS_MAX = HOUR;

export const HISTORY_PER_DISPLAY_MAX = 1_000;
export const HISTORY_MAX = 20_000;
/** What a stream can resume from. */
export const EVENTS_MAX = 5_000;
export const STORED_ICON_BYTES_MAX = 64 * MIB;
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

export const STREAMS_MAX = 64;
export const STREAMS_PER_CLIENT_MAX = 16;
export const KEEPALIVE_MS = 15 * SECOND;
/** What a client may leave unread beyond what the network holds; past it, it is cut off and can resume. */
export const STREAM_BACKLOG_BYTES_MAX = 256 * KIB;
/** A longer gap is read from the history at once. */
export const RESUMED_EVENTS_MAX = 200;
