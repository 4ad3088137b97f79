/** What a user does, and how much of it is written. */

export const USERS = 1_000;
export const DAYS = 365;
/** So many users are written, over the whole year: their rows are spread over the months as those of all would be. */
export const SHARE = 50;
export const WRITTEN_USERS = USERS / SHARE;
/** One written user in so many has a webhook that gets every event. */
export const USERS_PER_WEBHOOK = 10;
/** Bytes of a receiver's reply that a delivery keeps. */
export const WEBHOOK_REPLY_BYTES = 40;

/** Of a user and day. */
export const RATES = {
  /** General balance to AI credit: a transaction, two movements, an event, a receipt under the client's key. */
  transfers: 10,
  /** Of containers and firewalls: an event, and a receipt under the client's key. */
  keyedChanges: 10,
  /** The same under a key that the gateway minted. */
  mintedChanges: 10,
  /** An event. */
  signIns: 2,
  /** A notification to the user. */
  notifications: 1,
} as const;

/** Of a user and month (30 days): a rental is extended, which is a transaction with a movement, an event, an invoice. */
export const EXTENSIONS_A_MONTH = 1;
/** Of a user and month: an entry in the audit log, such as a new API token. */
export const AUDIT_ENTRIES_A_MONTH = 15;

/** How long rows are kept by default that are not kept for good. */
export const KEPT_DAYS = { mintedReceipts: 1, outbox: 1, deliveries: 7 } as const;
