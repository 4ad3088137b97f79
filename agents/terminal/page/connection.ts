import { CLOSE, type ClientMessage, type ServerMessage } from "../session/protocol.ts";

const RETRY_MS = { first: 250, max: 10_000 } as const;
/** Shown output is acknowledged in steps of this size, and when it pauses. */
const ACK_BYTES = 64 * 1024;
const ACK_MS = 50;
/** Large pastes are sent in pieces, so that ^C does not wait behind them. */
const INPUT_BYTES = 64 * 1024;

export interface ConnectionPaths {
  readonly socket: string;
  /** The path for requesting a token when the page's token is unknown, as after a restart of the server. */
  readonly tokens: string;
  readonly readonly: boolean;
}

export interface ConnectionEvents {
  /** @param shown must be called when the bytes are on the screen */
  output(bytes: Uint8Array, shown: () => void): void;
  message(message: ServerMessage): void;
  state(state: "connecting" | "connected" | "waiting" | "ended" | "forgotten" | "crowded"): void;
  size(): { cols: number; rows: number };
}

/** The WebSocket to the session, opened again whenever it breaks. */
export class Connection {
  readonly #paths: ConnectionPaths;
  readonly #events: ConnectionEvents;
  #token: string;
  #socket: WebSocket | null = null;
  #retryMs: number = RETRY_MS.first;
  #timer = 0;
  #isOver = false;
  /** Whether the present token was requested because the former one was unknown. */
  #isRenewed = false;

  constructor(paths: ConnectionPaths, token: string, events: ConnectionEvents) {
    this.#paths = paths;
    this.#token = token;
    this.#events = events;
    addEventListener("online", () => this.#retryNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#retryNow();
    });
  }

  open(): void {
    this.#events.state("connecting");
    const url = new URL(this.#paths.socket, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    let shown = 0;
    let acked = 0;
    let ackTimer = 0;
    const ack = () => {
      clearTimeout(ackTimer);
      ackTimer = 0;
      acked = shown;
      this.#send(socket, { type: "ack", bytes: shown });
    };
    socket.onopen = () => this.#send(socket, { type: "attach", token: this.#token, ...this.#events.size() });
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") {
        this.#received(JSON.parse(data) as ServerMessage);
        return;
      }
      const bytes = new Uint8Array(data as ArrayBuffer);
      this.#events.output(bytes, () => {
        shown += bytes.length;
        if (shown - acked >= ACK_BYTES) ack();
        else if (ackTimer === 0) ackTimer = window.setTimeout(ack, ACK_MS);
      });
    };
    socket.onclose = ({ code }) => {
      clearTimeout(ackTimer);
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#closed(code);
    };
  }

  input(text: string): void {
    this.inputBytes(new TextEncoder().encode(text));
  }

  inputBytes(bytes: Uint8Array): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
      this.#socket.send(bytes.slice(at, at + INPUT_BYTES));
    }
  }

  resized(size: { cols: number; rows: number }): void {
    if (this.#socket !== null) this.#send(this.#socket, { type: "size", ...size });
  }

  #received(message: ServerMessage): void {
    if (message.type === "attached") {
      this.#token = message.resume;
      this.#isRenewed = false;
      this.#retryMs = RETRY_MS.first;
      this.#events.state("connected");
    }
    if (message.type === "exit") this.#isOver = true;
    this.#events.message(message);
  }

  #closed(code: number): void {
    if (this.#isOver || code === CLOSE.ended) {
      this.#events.state("ended");
      return;
    }
    if (code === CLOSE.tooMany) {
      this.#events.state("crowded");
      return;
    }
    this.#events.state("waiting");
    if (code === CLOSE.badToken && !this.#isRenewed) void this.#renew();
    else this.#retryLater();
  }

  /** Requests another token, since the server does not know the former one any more; the session may still exist. */
  async #renew(): Promise<void> {
    try {
      const response = await fetch(this.#paths.tokens, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ readonly: this.#paths.readonly }),
      });
      if (response.status >= 400 && response.status < 500) {
        this.#events.state("forgotten");
        return;
      }
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { token } = (await response.json()) as { token: string };
      this.#token = token;
      this.#isRenewed = true;
    } catch {
      this.#retryLater();
      return;
    }
    this.open();
  }

  #retryLater(): void {
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      this.open();
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.max);
    // After a success, the next refusal may be renewed again.
    this.#isRenewed = false;
  }

  #retryNow(): void {
    if (this.#socket !== null || this.#isOver || this.#timer === 0) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.open();
  }

  #send(socket: WebSocket, message: ClientMessage): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }
}
