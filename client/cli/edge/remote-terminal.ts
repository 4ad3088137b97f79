import { constants } from "node:os";
import { Refused } from "../failures.ts";
import type { Io, LocalTerminal } from "../io.ts";
import type { Entrance } from "./entrance.ts";
import { escapeReader, withoutAnswers } from "./escape.ts";

const SOCKET = "/api/v1/terminal/ws";
const SESSIONS = "/api/v1/terminal/sessions";
const RETRY_MS = { first: 250, max: 5_000 } as const;
/** Shown output is acknowledged in steps of this size, and when it pauses. */
const ACK_BYTES = 64 * 1024;
const ACK_MS = 50;
/** The server's close codes after which there is nothing to come back to. */
const CLOSED = { ended: 4000, badToken: 4401, tooMany: 4429 } as const;
/** Ends what a program may have switched on: the alternate screen, mouse reports, pasting, a hidden cursor, colours. */
const RESTORE =
  "\u001b[?1049l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?2004l\u001b[?1l\u001b>\u001b[?25h\u001b[0m\r\n";
const CLEAR = "\u001b[H\u001b[2J";
const SIGNAL_STATUS = 128;

export type Ended =
  | { readonly how: "left" }
  | { readonly how: "exited"; readonly status: number; readonly reason: string | null };

type Message =
  | { readonly type: "attached"; readonly resume: string }
  | {
      readonly type: "exit";
      readonly code: number | null;
      readonly signal: string | null;
      readonly reason: string | null;
    }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "snapshot" | "size" | "clients" | "name" };

/** Shows a session of a container's terminal on the local one, until it ends or the user leaves it. */
export async function attach(
  io: Io,
  local: LocalTerminal,
  entrance: Entrance,
  session: number,
): Promise<Ended> {
  const terminal = new Attachment(io, local, entrance, session);
  local.setRaw(true);
  try {
    return await terminal.run();
  } finally {
    local.setRaw(false);
    await io.out(RESTORE);
  }
}

class Attachment {
  #socket: WebSocket | undefined;
  #token: string | undefined;
  #retryMs: number = RETRY_MS.first;
  #isSnapshot = false;
  #ended = Promise.withResolvers<Ended>();

  constructor(
    readonly io: Io,
    readonly local: LocalTerminal,
    readonly entrance: Entrance,
    readonly session: number,
  ) {}

  async run(): Promise<Ended> {
    const read = escapeReader();
    const ends = [
      this.local.onResize(() => this.#send({ type: "size", ...this.local.size() })),
      this.local.onInput((typed) => {
        const { passed, isLeaving } = read(withoutAnswers(typed));
        if (passed.length > 0 && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(passed);
        if (isLeaving) this.#ended.resolve({ how: "left" });
      }),
    ];
    void this.#connect();
    try {
      return await this.#ended.promise;
    } finally {
      for (const end of ends) end();
      const socket = this.#socket;
      this.#socket = undefined;
      socket?.close();
    }
  }

  async #connect(): Promise<void> {
    try {
      this.#token ??= await this.#newToken();
      const socket = await this.entrance.socket("terminal", SOCKET);
      socket.binaryType = "arraybuffer";
      this.#socket = socket;
      socket.onopen = () => this.#send({ type: "attach", token: this.#token, ...this.local.size() });
      const show = this.#shower();
      socket.onmessage = ({ data }) =>
        typeof data === "string" ? this.#received(JSON.parse(data) as Message) : show(new Uint8Array(data));
      socket.onclose = ({ code }) => this.#socket === socket && this.#closed(code);
    } catch (error) {
      if (this.#retryMs === RETRY_MS.first || error instanceof Refused) this.#ended.reject(error);
      else this.#connectLater();
    }
  }

  /** @throws BerthError when the session is gone */
  async #newToken(): Promise<string> {
    const response = await this.entrance.request("terminal", `${SESSIONS}/${this.session}/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ readonly: false }),
    });
    return ((await response.json()) as { token: string }).token;
  }

  /** Writes output, and acknowledges what is written, so that the server knows how far this terminal is behind. */
  #shower(): (bytes: Uint8Array) => void {
    let [shown, acked] = [0, 0];
    let timer: Timer | undefined;
    const ack = () => {
      clearTimeout(timer);
      timer = undefined;
      acked = shown;
      this.#send({ type: "ack", bytes: shown });
    };
    return (bytes) => {
      const before = this.#isSnapshot ? this.io.out(CLEAR) : undefined;
      this.#isSnapshot = false;
      void Promise.all([before, this.io.out(bytes)]).then(() => {
        shown += bytes.length;
        if (shown - acked >= ACK_BYTES) ack();
        else timer ??= setTimeout(ack, ACK_MS);
      });
    };
  }

  #received(message: Message): void {
    if (message.type === "attached") {
      this.#token = message.resume;
      this.#retryMs = RETRY_MS.first;
    } else if (message.type === "snapshot") this.#isSnapshot = true;
    else if (message.type === "notice") this.io.err(`\r\n[berth: ${message.text}]\r\n`);
    else if (message.type === "exit")
      this.#ended.resolve({ how: "exited", status: statusOf(message), reason: message.reason });
  }

  #closed(code: number): void {
    if (code === CLOSED.ended) this.#ended.resolve({ how: "exited", status: 0, reason: null });
    else if (code === CLOSED.tooMany)
      this.#ended.reject(new Refused("this session has as many viewers as it accepts"));
    else {
      if (code === CLOSED.badToken) this.#token = undefined;
      this.io.err("\r\n[berth: the connection is broken; connecting again, ~. leaves]\r\n");
      this.#connectLater();
    }
  }

  #connectLater(): void {
    setTimeout(() => void this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.max);
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

/** As a shell says it: a program that a signal ended has 128 and the signal's number. */
function statusOf({
  code,
  signal,
}: {
  readonly code: number | null;
  readonly signal: string | null;
}): number {
  if (code !== null) return code;
  const numbers = constants.signals as Readonly<Record<string, number>>;
  return SIGNAL_STATUS + (numbers[signal ?? ""] ?? 0);
}
