/** The limits of a notification server. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Requests of a client a minute (spec §8; decision 42). Every endpoint counts, in its own bucket or in the general
 * one, so that probes and scrapers do not use up a page's requests. Preflights and requests without a valid
 * credential do not count.
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
/** Clients whose requests are counted; when it is full, the least recently seen client is dropped. */
export const RATE_CLIENTS_MAX = 10_000;

export const TITLE_CHARS_MAX = 256;
/**
 * A notice has a few lines. Escaped and in UTF-8 this stays far below the 128 KiB that Linux allows for an argument.
 */
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
/** The length of a data URL: 4/3 of its bytes, and the name of its type. */
export const ICON_TEXT_CHARS_MAX = Math.ceil(ICON_BYTES_MAX / 3) * 4 + 128;
/** The largest icon with the longest text, written in JSON's longest form. */
export const REQUEST_BYTES_MAX = MIB;
/** The time limit for sending a request of a mebibyte. */
export const REQUEST_MS_MAX = 30 * SECOND;

/** The time limit from a notice's acceptance to its response: a desktop that takes longer hangs. */
export const DELIVERY_MS_MAX = 10 * SECOND;
export const ICON_READ_MS_MAX = 5 * SECOND;
/** Deliveries in progress, of all clients together; each has up to three processes. */
export const DELIVERIES_MAX = 8;
/** The output of a program that is read; programs write a few lines. */
export const OUTPUT_BYTES_MAX = 64 * KIB;
/** The part of a program's stderr in a record and a response. */
export const REASON_CHARS_MAX = 300;
/** Session buses that are tried for a notice. */
export const BUSES_MAX = 4;

/**
 * Notices with actions each have a notify-send process that waits for the choice; beyond this number the oldest ends.
 */
export const WAITING_MAX = 32;
export const WAITING_MS_MAX = HOUR;

export const HISTORY_PER_DISPLAY_MAX = 1_000;
export const HISTORY_MAX = 20_000;
/** Updates from which a stream can resume. */
export const EVENTS_MAX = 5_000;
export const STORED_ICON_BYTES_MAX = 64 * MIB;
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

export const STREAMS_MAX = 64;
export const STREAMS_PER_CLIENT_MAX = 16;
export const KEEPALIVE_MS = 15 * SECOND;
/** Unread data of a client beyond the network's buffers; a slower client is disconnected and can resume. */
export const STREAM_BACKLOG_BYTES_MAX = 256 * KIB;
/** The longest gap that a stream resends; clients read a longer one from the history. */
export const RESUMED_EVENTS_MAX = 200;
