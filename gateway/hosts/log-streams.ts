import { DomainError } from "../../schemas/errors.ts";
import type { HostLogsReply, HostLogsRequest } from "../../schemas/hosting/container-log.ts";
import { ActiveTimer } from "../../system/active-timer.ts";
import { eventFrame, KEEPALIVE_FRAME, retryFrame } from "../../system/server-sent-events.ts";

/** Streams of one gateway, and of one user on it. */
const STREAMS_MAX = 1_000;
const STREAMS_PER_USER_MAX = 10;
/** A stream whose credential has ended is closed within this time. */
const REVALIDATE_MS = 1_000;
/** Proxies close silent connections; half a minute is a common limit. */
const KEEPALIVE_MS = 15_000;
/** How long a host waits for a line before it replies that there is none. */
const WAIT_MS = 5_000;
/** A host that does not answer is asked again after this time: its agent may be restarting. */
const RETRY_MS = 1_000;

export interface LogStreamOptions {
  readonly userId: string;
  /** The id of the event at a position, by which a client goes on there. */
  idOf(position: string): string;
  /** The page after a position, which may wait for a line. @throws HOST_SILENT */
  read(after: string, waitMs: HostLogsRequest["wait_ms"]): Promise<HostLogsReply>;
  /** Rejects when the credential has ended, or its user may not read the container any more. */
  isStillAuthorized(): Promise<void>;
  /** Called once, when nothing more will be sent. */
  onEnd(): void;
}

/**
 * The logs that clients of this gateway follow. A stream holds no more than a page, which is read when the client reads:
 * what a slow client misses, since the log was full meanwhile, is said by `dropped`.
 */
export class LogStreams {
  readonly #open = new Set<LogStream>();
  readonly #timer = new ActiveTimer(REVALIDATE_MS, () => this.#revalidate());

  /**
   * A stream that begins with a page, and goes on behind it.
   * @throws OVERLOADED, RATE_LIMITED
   */
  open(options: LogStreamOptions, first: HostLogsReply): ReadableStream<Uint8Array> {
    if (this.#open.size >= STREAMS_MAX)
      throw new DomainError("OVERLOADED", "This gateway has too many streams of logs. Try again shortly");
    const own = [...this.#open].filter(({ userId }) => userId === options.userId).length;
    if (own >= STREAMS_PER_USER_MAX)
      throw new DomainError("RATE_LIMITED", `You follow ${STREAMS_PER_USER_MAX} logs already`);
    const stream = new LogStream(options, first, () => this.#open.delete(stream));
    this.#open.add(stream);
    this.#timer.start();
    return stream.body;
  }

  /** Ends every stream. Clients connect to another gateway, and go on where they were. */
  stop(): void {
    this.#timer.stop();
    for (const stream of this.#open) stream.end();
  }

  /** @returns whether streams are left */
  #revalidate(): boolean {
    for (const stream of this.#open) stream.revalidate();
    return this.#open.size > 0;
  }
}

const encoder = new TextEncoder();

class LogStream {
  readonly userId: string;
  readonly body: ReadableStream<Uint8Array>;
  readonly #ended = Promise.withResolvers<null>();
  #isEnded = false;
  #position: string;
  #unsent: string;

  constructor(
    private readonly options: LogStreamOptions,
    first: HostLogsReply,
    private readonly onEnd: () => void,
  ) {
    this.userId = options.userId;
    this.#position = first.position;
    this.#unsent = retryFrame(RETRY_MS) + framesOf(first, options.idOf);
    this.body = new ReadableStream(
      {
        pull: async (controller) => {
          const text = await this.#next();
          if (text === null) controller.close();
          else controller.enqueue(encoder.encode(text));
        },
        cancel: () => this.end(),
      },
      { highWaterMark: 0 },
    );
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#ended.resolve(null);
    this.options.onEnd();
    this.onEnd();
  }

  revalidate(): void {
    this.options.isStillAuthorized().catch(() => this.end());
  }

  /** What is to be sent next, within the time of a keepalive; null after the end. */
  async #next(): Promise<string | null> {
    const untilMs = performance.now() + KEEPALIVE_MS;
    while (this.#unsent === "" && performance.now() < untilMs) {
      const page = await Promise.race([this.#read(), this.#ended.promise]);
      if (this.#isEnded) return null;
      if (page === null) continue;
      this.#position = page.position;
      this.#unsent = framesOf(page, this.options.idOf);
    }
    if (this.#isEnded) return null;
    const text = this.#unsent || KEEPALIVE_FRAME;
    this.#unsent = "";
    return text;
  }

  /** The next page; null when the host does not answer, after a pause. */
  async #read(): Promise<HostLogsReply | null> {
    try {
      return await this.options.read(this.#position, WAIT_MS);
    } catch {
      await Bun.sleep(RETRY_MS);
      return null;
    }
  }
}

function framesOf({ lines, position, dropped }: HostLogsReply, idOf: LogStreamOptions["idOf"]): string {
  // Without an id where lines follow: a client that resumes in between is told again.
  const id = lines.length === 0 ? { id: idOf(position) } : {};
  const loss = dropped ? eventFrame({ event: "dropped", ...id, data: "{}" }) : "";
  const frames = lines.map(({ position: after, ...line }) =>
    eventFrame({ event: "line", id: idOf(after), data: JSON.stringify(line) }),
  );
  return loss + frames.join("");
}
