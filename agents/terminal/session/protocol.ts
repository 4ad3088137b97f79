/**
 * The protocol between the page and the server on the WebSocket. Binary frames carry the terminal's output to the
 * page and its input to the server; each text frame is one of these messages as JSON.
 */

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Messages of a client. `attach` must be the first one, and is sent once. */
export type ClientMessage =
  | { readonly type: "attach"; readonly token: string; readonly cols: number; readonly rows: number }
  | { readonly type: "size"; readonly cols: number; readonly rows: number }
  /** How many of the output bytes that this connection has carried are shown. */
  | { readonly type: "ack"; readonly bytes: number };

/** Messages of the server. */
export type ServerMessage =
  /** The client has joined the session. `resume` is a token for one further connection. */
  | {
      readonly type: "attached";
      readonly id: number;
      readonly name: string | null;
      readonly readonly: boolean;
      readonly resume: string;
    }
  /** The next binary frame is the whole screen: the client first clears its own and takes this size. */
  | ({ readonly type: "snapshot" } & Size)
  | ({ readonly type: "size" } & Size)
  | { readonly type: "clients"; readonly count: number }
  | { readonly type: "name"; readonly name: string | null }
  /** A notice for the user, such as about rejected input. */
  | { readonly type: "notice"; readonly text: string }
  /** The last message: how the process ended. */
  | {
      readonly type: "exit";
      readonly code: number | null;
      readonly signal: string | null;
      readonly reason: string | null;
    };

/** Close codes of the WebSocket. */
export const CLOSE = {
  /** The session has ended, as the `exit` message said. */
  ended: 4000,
  /** The token is unknown, used or expired: the page has to be reloaded. */
  badToken: 4401,
  /** The message is invalid. */
  badMessage: 4400,
  /** The session has as many viewers as it accepts: retry later. */
  tooMany: 4429,
} as const;

/** The limits of a terminal's size, within which its screen can be stored. */
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
