import type { ServerWebSocket, WebSocketHandler } from "bun";
import { CLOSE, readClientMessage, type ServerMessage, type Size } from "../session/protocol.ts";
import type { Session } from "../session/session.ts";
import type { Viewer, ViewerSocket } from "../session/viewer.ts";
import type { Tokens } from "./tokens.ts";

/** What a token stands for. */
export interface TokenGrant {
  readonly session: Session;
  readonly readonly: boolean;
}

/** A connection, before and after its first message. */
export interface SocketState {
  entry: TokenGrant | null;
  viewer: Viewer | null;
  timer: Timer | null;
  /** A resize that is delayed by the rate limit. */
  resize: { timer: Timer; size: Size | null } | null;
  /** The number of messages in the second that began at `since`. */
  readonly rate: { since: number; messages: number };
  /** Whether the credential allows only watching. */
  readonly watchOnly: boolean;
}

/** Each viewer costs a snapshot and a copy of all output. */
export const VIEWERS_MAX = 64;
/** While a window is being resized, a client reports its size with every frame, and each report rebuilds the screen. */
const RESIZE_MS_MIN = 50;
/** Resizing delays all sessions, so one client may use at most a tenth of the time for it. */
const RESIZE_PART = 10;
/**
 * Far above what keys, a mouse and acknowledgements amount to; handling that many takes a few per cent of the
 * process's time.
 */
export const MESSAGES_A_SECOND_MAX = 20_000;
/** From the open connection to its first message; the page already has the token then. */
const ATTACH_MS_MAX = 10_000;
/** A page can be suspended for a night and resume its session. */
const RESUME_MS = 24 * 60 * 60 * 1000;
/** A single paste of that size is accepted; the session limits how much unread input it holds. */
const FRAME_BYTES_MAX = 16 << 20;
/** A client that sends nothing, not even pongs, for this long is gone. Far longer than any delay under heavy output. */
const IDLE_SECONDS = 300;

type Socket = ServerWebSocket<SocketState>;

export const newSocketState = (watchOnly: boolean): SocketState => ({
  entry: null,
  viewer: null,
  timer: null,
  resize: null,
  rate: { since: 0, messages: 0 },
  watchOnly,
});

/** The WebSocket's side of the protocol. */
export function socketHandler(tokens: Tokens<TokenGrant>): WebSocketHandler<SocketState> {
  const attach = (socket: Socket, text: string) => {
    const message = readClientMessage(text);
    if (message?.type !== "attach") return refuse(socket, CLOSE.badMessage, "attach comes first");
    const entry = tokens.redeem(message.token);
    if (entry === undefined) return refuse(socket, CLOSE.badToken, "load the page again");
    if (entry.session.clients >= VIEWERS_MAX) {
      return refuse(socket, CLOSE.tooMany, `${VIEWERS_MAX} look at this session already`);
    }
    const isReadonly = entry.readonly || socket.data.watchOnly;
    if (socket.data.timer !== null) clearTimeout(socket.data.timer);
    socket.data.entry = entry;
    const resume = tokens.issue({ ...entry, readonly: isReadonly }, RESUME_MS);
    const { cols, rows } = message;
    socket.data.viewer = entry.session.attach(
      viewerSocketOf(socket),
      { readonly: isReadonly, size: { cols, rows } },
      resume,
    );
  };

  /** Applies the first resize at once, and only the last one of those that follow. */
  const resize = (socket: Socket, size: Size) => {
    const { data } = socket;
    if (data.resize !== null) {
      data.resize.size = size;
      return;
    }
    const startedAt = performance.now();
    if (data.viewer !== null) data.entry?.session.resize(data.viewer, size);
    const took = performance.now() - startedAt;
    const timer = setTimeout(
      () => {
        const waiting = data.resize?.size ?? null;
        data.resize = null;
        if (waiting !== null) resize(socket, waiting);
      },
      Math.max(took * RESIZE_PART, RESIZE_MS_MIN),
    );
    data.resize = { timer, size: null };
  };

  return {
    maxPayloadLength: FRAME_BYTES_MAX,
    idleTimeout: IDLE_SECONDS,
    sendPings: true,
    perMessageDeflate: false,

    open(socket) {
      socket.data.timer = setTimeout(() => {
        if (socket.data.viewer === null) refuse(socket, CLOSE.badMessage, "attach did not come");
      }, ATTACH_MS_MAX);
    },

    message(socket, frame) {
      const { viewer, entry, rate } = socket.data;
      const now = performance.now();
      if (now - rate.since >= 1_000) Object.assign(rate, { since: now, messages: 0 });
      if (++rate.messages > MESSAGES_A_SECOND_MAX) {
        // Messages that it has already sent still arrive.
        if (rate.messages === MESSAGES_A_SECOND_MAX + 1)
          refuse(socket, CLOSE.badMessage, "too many messages");
        return;
      }
      if (viewer === null || entry === null) {
        if (typeof frame === "string") attach(socket, frame);
        else refuse(socket, CLOSE.badMessage, "attach comes first");
        return;
      }
      if (typeof frame !== "string") {
        entry.session.input(viewer, frame);
        return;
      }
      const message = readClientMessage(frame);
      if (message?.type === "ack") viewer.acked(message.bytes);
      else if (message?.type === "size") resize(socket, message);
      else refuse(socket, CLOSE.badMessage, "this is no message");
    },

    drain(socket) {
      socket.data.viewer?.resync();
    },

    close(socket) {
      const { viewer, entry, timer, resize: waiting } = socket.data;
      if (timer !== null) clearTimeout(timer);
      if (waiting !== null) clearTimeout(waiting.timer);
      if (viewer !== null) entry?.session.detach(viewer);
    },
  };
}

function refuse(socket: Socket, code: number, reason: string): void {
  socket.close(code, reason);
}

function viewerSocketOf(socket: Socket): ViewerSocket {
  const check = (sent: number) => {
    // The message was dropped, so this client's screen would be wrong from here on: it has to reconnect for a snapshot.
    if (sent === 0) socket.terminate();
  };
  return {
    get buffered() {
      return socket.getBufferedAmount();
    },
    sendBytes: (bytes) => {
      if (bytes.length > 0) check(socket.sendBinary(bytes));
    },
    sendMessage: (message: ServerMessage) => check(socket.sendText(JSON.stringify(message))),
    close: (code, reason) => socket.close(code, reason),
  };
}
