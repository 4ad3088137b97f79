import type { Socket } from "bun";
import { Outbox } from "./outbox.ts";
import { FrameReader, json, type Reply, type Request, SAY, TELL } from "./protocol.ts";
import { withSocketPath } from "./socket-path.ts";

/** A keeper answers within a millisecond. One that was stopped, or hangs, must not hang its agent. */
export const REPLY_MS_MAX = 5_000;

/** The keeper does not do what it was asked. */
export class KeeperError extends Error {
  override readonly name = "KeeperError";
}

/** A connection to a keeper, from the agent's side. */
export class KeeperLink {
  /** Called with every frame that is no reply. */
  onFrame: (type: number, payload: Buffer) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly outbox: Outbox;
  readonly #socket: Socket<KeeperLink | undefined>;
  readonly #replies: ((reply: Reply | null) => void)[] = [];
  #isClosed = false;

  private constructor(socket: Socket<KeeperLink | undefined>) {
    this.#socket = socket;
    this.outbox = new Outbox(socket);
    const reader = new FrameReader((type, payload) => this.#handle(type, payload), TELL.output);
    this.#receive = (bytes) => reader.push(bytes);
  }

  readonly #receive: (bytes: Buffer) => void;

  /** Rejects when nobody listens. */
  static open(folder: string): Promise<KeeperLink> {
    const { promise, resolve } = Promise.withResolvers<KeeperLink>();
    const handler = {
      open: (socket: Socket<KeeperLink | undefined>) => {
        socket.data = new KeeperLink(socket);
        resolve(socket.data);
      },
      data: ({ data }: Socket<KeeperLink | undefined>, bytes: Buffer) => data?.received(bytes),
      drain: ({ data }: Socket<KeeperLink | undefined>) => data?.outbox.drain(),
      close: ({ data }: Socket<KeeperLink | undefined>) => data?.closed(),
      error: ({ data }: Socket<KeeperLink | undefined>) => data?.closed(),
    };
    return withSocketPath(folder, async (path) => {
      await Bun.connect<KeeperLink | undefined>({ unix: path, socket: handler, data: undefined });
      return promise;
    });
  }

  /**
   * @param withinMs null: for as long as there is a keeper
   * @throws KeeperError when the answer is no, or none comes
   */
  async ask(request: Request, withinMs: number | null = REPLY_MS_MAX): Promise<Extract<Reply, { ok: true }>> {
    if (this.#isClosed) throw new KeeperError("the keeper is gone");
    const { promise, resolve } = Promise.withResolvers<Reply | null>();
    this.#replies.push(resolve);
    this.outbox.send(json(SAY.request, request));
    const giveUp = () => {
      // What it says from here on would be taken for an answer to something else.
      resolve(null);
      this.close();
    };
    const timer = withinMs === null ? undefined : setTimeout(giveUp, withinMs);
    const reply = await promise;
    clearTimeout(timer);
    if (reply?.ok) return reply;
    throw new KeeperError(reply === null ? "the keeper does not answer" : reply.problem);
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
    if (type === TELL.reply) this.#replies.shift()?.(JSON.parse(payload.toString()));
    else this.onFrame(type, payload);
  }
}
