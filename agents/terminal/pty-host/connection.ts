import type { Socket } from "bun";
import { EventFrame, FrameReader, jsonFrame, type Reply, type Request, RequestFrame } from "./protocol.ts";
import { withSocketPath } from "./socket-path.ts";
import { WriteBuffer } from "./write-buffer.ts";

/** A PTY host answers within a millisecond. One that was stopped, or hangs, must not hang its agent. */
export const REPLY_MS_MAX = 5_000;

/** The PTY host does not do what it was asked. */
export class PtyHostError extends Error {
  override readonly name = "PtyHostError";
}

/** A connection to a PTY host, from the agent's side. */
export class PtyHostConnection {
  /** Called with every frame that is no reply. */
  onFrame: (type: number, payload: Buffer) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly writeBuffer: WriteBuffer;
  readonly #socket: Socket<PtyHostConnection | undefined>;
  readonly #replies: ((reply: Reply | null) => void)[] = [];
  #isClosed = false;

  private constructor(socket: Socket<PtyHostConnection | undefined>) {
    this.#socket = socket;
    this.writeBuffer = new WriteBuffer(socket);
    const reader = new FrameReader((type, payload) => this.#handle(type, payload), EventFrame.output);
    this.#receive = (bytes) => reader.push(bytes);
  }

  readonly #receive: (bytes: Buffer) => void;

  /** Rejects when nobody listens. */
  static open(folder: string): Promise<PtyHostConnection> {
    const { promise, resolve } = Promise.withResolvers<PtyHostConnection>();
    const handler = {
      open: (socket: Socket<PtyHostConnection | undefined>) => {
        socket.data = new PtyHostConnection(socket);
        resolve(socket.data);
      },
      data: ({ data }: Socket<PtyHostConnection | undefined>, bytes: Buffer) => data?.received(bytes),
      drain: ({ data }: Socket<PtyHostConnection | undefined>) => data?.writeBuffer.flush(),
      close: ({ data }: Socket<PtyHostConnection | undefined>) => data?.closed(),
      error: ({ data }: Socket<PtyHostConnection | undefined>) => data?.closed(),
    };
    return withSocketPath(folder, async (path) => {
      await Bun.connect<PtyHostConnection | undefined>({ unix: path, socket: handler, data: undefined });
      return promise;
    });
  }

  /**
   * @param withinMs null: for as long as there is a PTY host
   * @throws PtyHostError when the answer is no, or none comes
   */
  async request(
    request: Request,
    withinMs: number | null = REPLY_MS_MAX,
  ): Promise<Extract<Reply, { ok: true }>> {
    if (this.#isClosed) throw new PtyHostError("the PTY host is gone");
    const { promise, resolve } = Promise.withResolvers<Reply | null>();
    this.#replies.push(resolve);
    this.writeBuffer.send(jsonFrame(RequestFrame.request, request));
    const giveUp = () => {
      // What it says from here on would be taken for an answer to something else.
      resolve(null);
      this.close();
    };
    const timer = withinMs === null ? undefined : setTimeout(giveUp, withinMs);
    const reply = await promise;
    clearTimeout(timer);
    if (reply?.ok) return reply;
    throw new PtyHostError(reply === null ? "the PTY host does not answer" : reply.problem);
  }

  close(): void {
    this.#socket.terminate();
    this.closed();
  }

  /** Closes it behind what was sent. */
  end(): void {
    this.#socket.end();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  received(bytes: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#receive(bytes);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const resolve of this.#replies.splice(0)) resolve(null);
    this.onClose();
  }

  #handle(type: number, payload: Buffer): void {
    if (type === EventFrame.reply) this.#replies.shift()?.(JSON.parse(payload.toString()));
    else this.onFrame(type, payload);
  }
}
