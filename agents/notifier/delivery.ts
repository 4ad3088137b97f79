import { createHash, randomBytes } from "node:crypto";
import type { BusOptions } from "./desktop/bus.ts";
import { type Shown, show, type Waiting } from "./desktop/notify-send.ts";
import { DesktopError } from "./desktop/program.ts";
import type { Changed, Draft, History } from "./history/history.ts";
import { readDisplay } from "./http/query.ts";
import { Refusal } from "./http/refusal.ts";
import { EXTENSIONS } from "./icons/image.ts";
import { type Icon, loadIcon } from "./icons/source.ts";
import { DELIVERIES_MAX, DELIVERY_MS_MAX, ICON_READ_MS_MAX, WAITING_MAX, WAITING_MS_MAX } from "./limits.ts";
import type { NotificationRecord } from "./record.ts";
import { readNotify } from "./schema.ts";

export interface DeliveryOptions extends BusOptions {
  readonly history: History;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly deliveryMsMax?: number;
  /** Receives every change, for streams. */
  readonly changed: (changed: Changed) => void;
}

/** Who sends a notification, as far as the request tells. */
export interface Sender {
  readonly program: string | null;
  readonly userId: string | null;
}

const BUSY_SECONDS = 1;

/** Shows notices on displays, and records the results in the history. */
export class Delivery {
  /** The part of icons' ids that differs between runs of the server. */
  readonly #session = randomBytes(8).toString("hex");
  readonly #running = new Set<Promise<unknown>>();
  readonly #waiting = new Set<Waiting>();
  readonly #closing = new AbortController();

  constructor(private readonly options: DeliveryOptions) {}

  get running(): number {
    return this.#running.size;
  }

  /** Shows a notice. @throws Refusal; with 502 the desktop did not accept it, and the history says so */
  async notify(body: unknown, sender: Sender): Promise<NotificationRecord> {
    const asked = readNotify(body);
    const display = readDisplay(asked.display, "body.display");
    if (this.#running.size >= DELIVERIES_MAX || this.#closing.signal.aborted) {
      const headers = { "retry-after": String(BUSY_SECONDS) };
      throw new Refusal(503, "OVERLOADED", "too many notifications are on their way", headers);
    }
    const work = this.#deliver({ ...asked, display }, sender);
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /** Kills deliveries in progress, and returns when the history has their results. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const waiting of this.#waiting) waiting.end();
    await Promise.allSettled(this.#running);
  }

  async #deliver(
    asked: Omit<ReturnType<typeof readNotify>, "display"> & { display: number },
    sender: Sender,
  ): Promise<NotificationRecord> {
    const { history, clock, spawner, deliveryMsMax = DELIVERY_MS_MAX } = this.options;
    const icon =
      asked.icon === undefined ? null : await loadIcon(asked.icon, spawner, this.#within(ICON_READ_MS_MAX));
    const createdAt = clock();
    const id = newId(createdAt);
    const draft: Draft = {
      id,
      display: asked.display,
      title: asked.title,
      body: asked.body,
      urgency: asked.urgency ?? "normal",
      source: asked.source ?? sender.program,
      userId: sender.userId,
      timeout: asked.timeout ?? null,
      actions: asked.actions ?? [],
      createdAt,
      icon: icon && this.#stored(id, icon, createdAt),
    };
    history.addPending(draft);
    let shown: Shown;
    try {
      const notice = { ...draft, icon: icon?.shown ?? null };
      shown = await show(notice, this.options, this.#within(deliveryMsMax));
    } catch (cause) {
      const reason = cause instanceof DesktopError ? cause.message : "something went wrong inside";
      this.options.changed(history.recordResult(id, reason, null));
      if (cause instanceof DesktopError) throw new Refusal(502, "NOTIFY_FAILED", reason);
      throw cause;
    }
    const changed = history.recordResult(id, null, shown.actions);
    this.options.changed(changed);
    if (shown.waiting !== null) this.#wait(id, shown.waiting);
    return changed.record;
  }

  #stored(id: string, { image }: Icon, createdAt: number): Draft["icon"] {
    if (image === null) return null;
    const hash = createHash("sha256").update(image.bytes).digest("base64url");
    const name = `${this.#session}_${id}_${createdAt}.${EXTENSIONS[image.type]}`;
    return { ...image, id: name, etag: `"${hash}"`, createdAt };
  }

  /** Waits for the choice of an action, which may come long after the response. */
  #wait(id: string, waiting: Waiting): void {
    this.#waiting.add(waiting);
    const timer = setTimeout(waiting.end, WAITING_MS_MAX);
    timer.unref();
    if (this.#waiting.size > WAITING_MAX) this.#waiting.values().next().value?.end();
    waiting.choice.then((action) => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
      if (action === null || this.#closing.signal.aborted) return;
      const changed = this.options.history.choose(id, action);
      if (changed !== null) this.options.changed(changed);
    });
  }

  #within(ms: number) {
    return { signal: AbortSignal.any([AbortSignal.timeout(ms), this.#closing.signal]) };
  }
}

/** 24 hexadecimal characters: the second, and 64 random bits. */
const newId = (now: number) =>
  Math.floor(now / 1_000)
    .toString(16)
    .padStart(8, "0") + randomBytes(8).toString("hex");
