import type { Socket } from "bun";
import { EventFrame, FrameReader, jsonFrame, type Reply, type Request, RequestFrame } from "./protocol.ts";
import { withSocketPath } from "./socket-path.ts";
import { WriteBuffer } from "./write-buffer.ts";

/** A PTY host replies within a millisecond. A stopped or hanging one must not block its agent. */
export const REPLY_MS_MAX = 5_000;

/** The PTY host refused or failed a request. */
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

  /** Connects. Rejects if there is no PTY host. */
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
   * @throws PtyHostError for a refusal, or without a reply
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
      // The connection is closed: a late reply would be taken as one to another request.
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

  /** Closes the connection after everything is sent. */
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
