/**
 * What the page and the server say to each other on the WebSocket. Binary frames are the terminal's bytes, output one
 * way and input the other; text frames are one of these messages as JSON.
 */

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** What a client says. `attach` comes first, and once. */
export type ClientMessage =
  | { readonly type: "attach"; readonly token: string; readonly cols: number; readonly rows: number }
  | { readonly type: "size"; readonly cols: number; readonly rows: number }
  /** How many bytes of output it has shown so far, of all that this connection brought. */
  | { readonly type: "ack"; readonly bytes: number };

/** What the server says. */
export type ServerMessage =
  /** Entered the session. `resume` is good for one further connection. */
  | {
      readonly type: "attached";
      readonly id: number;
      readonly name: string | null;
      readonly readonly: boolean;
      readonly resume: string;
    }
  /** The next binary frame is the whole screen: clear and take this size first. */
  | ({ readonly type: "snapshot" } & Size)
  | ({ readonly type: "size" } & Size)
  | { readonly type: "clients"; readonly count: number }
  | { readonly type: "name"; readonly name: string | null }
  /** Something that the person should know, such as input that was not taken. */
  | { readonly type: "notice"; readonly text: string }
  /** The last message: the process has ended, and this is how. */
  | {
      readonly type: "exit";
      readonly code: number | null;
      readonly signal: string | null;
      readonly reason: string | null;
    };

/** Close codes of the WebSocket. */
export const CLOSE = {
  /** The session is over; said in `exit`. */
  ended: 4000,
  /** The token is unknown, was used or is too old: load the page again. */
  badToken: 4401,
  /** Not what a client says. */
  badMessage: 4400,
  /** As many look at the session as it takes: come back later. */
  tooMany: 4429,
} as const;

/** Between these, a PTY takes any size, and a screen of it can be kept. */
export const SIZE = { min: { cols: 2, rows: 2 }, max: { cols: 1000, rows: 500 } } as const;

/** Reads a text frame; null when it is not a message. */
export function readClientMessage(text: string): ClientMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { type, token, cols, rows, bytes } = value as Record<string, unknown>;
  const isSize = Number.isInteger(cols) && Number.isInteger(rows);
  const size = { cols: within(cols, "cols"), rows: within(rows, "rows") };
  if (type === "attach" && typeof token === "string" && isSize) return { type, token, ...size };
  if (type === "size" && isSize) return { type, ...size };
  if (type === "ack" && Number.isSafeInteger(bytes)) return { type, bytes: bytes as number };
  return null;
}

const within = (value: unknown, side: "cols" | "rows") =>
  Math.min(Math.max(Number(value), SIZE.min[side]), SIZE.max[side]);
