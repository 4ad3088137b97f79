import type { Logger } from "pino";
import { type ImageReference, parseImageReference } from "../../../schemas/hosting/image-reference.ts";
import { ActiveTimer } from "../../../system/active-timer.ts";
import { Backoff } from "../../../system/backoff.ts";
import { Semaphore } from "../../../system/semaphore.ts";
import { NotReady } from "../driver.ts";
import type { Limits } from "../limits.ts";
import { PULL_MS_MAX, PULLS_MAX, RETRY_FIRST_MS, RETRY_MAX_MS, UNWANTED_MS_MAX } from "./limits.ts";
import { ANYBODY, Puller, type PullProgress } from "./pull.ts";
import { PullError } from "./pull-error.ts";
import type { Credentials, RegistrySettings } from "./registries.ts";
import { ImageStore, type StoredImage } from "./store.ts";

/** What a pull has brought serves containers that were made at the same time; a later one asks the registry again. */
const FRESH_MS = 5_000;
const LOOK_MS = 5_000;

/** For whom an image is asked for. */
export interface ImageRequester {
  readonly project: string;
  /** The project's own for a registry, as they are now; null: none. */
  readonly credentials: (registry: string) => Promise<Credentials | null>;
}

const NOBODY: ImageRequester = { project: ANYBODY.project, credentials: async () => null };

/** A pull for one project says nothing of what another one may have. */
const keyOf = (text: string, project: string): string => `${project} ${text}`;

interface Pull {
  readonly progress: PullProgress;
  readonly stop: AbortController;
  /** Who wants to know when it is over. */
  readonly waiting: Set<() => void>;
  readonly backoff: Backoff;
  askedAtMs: number;
  /** When the registry was asked last; 0: never. */
  startedAtMs: number;
  isRunning: boolean;
  ended: Promise<void>;
  image: StoredImage | null;
  error: Error | null;
  /** Until then the last outcome holds. */
  holdsUntilMs: number;
}

/**
 * Images for the containers of this host: from the store, or from their registries. A pull serves all who want the same image, and
 * ends when nobody wants it any more.
 */
export class Images {
  readonly store: ImageStore;
  readonly #puller: Puller;
  readonly #pulls = new Map<string, Pull>();
  readonly #concurrency = new Semaphore(PULLS_MAX);
  readonly #log: Logger;
  readonly #watch = new ActiveTimer(LOOK_MS, () => this.#endUnwanted());
  #isClosed = false;

  constructor(options: { folder: string; settings: RegistrySettings; limits: Limits; log: Logger }) {
    this.store = new ImageStore(options.folder);
    this.#puller = new Puller(this.store, options.settings, options.limits);
    this.#log = options.log;
  }

  async prepare(): Promise<void> {
    await this.store.prepare();
  }

  /** An image that a container has; null when it is not here any more. */
  read(digest: string): Promise<StoredImage | null> {
    return this.store.read(digest);
  }

  /**
   * The image of a reference. Where that has a digest which is not here, or a tag, its registry is asked.
   *
   * @param wake called once it may be asked for again
   * @param sinceMs what the registry said before this time does not count, by `performance.now()`
   * @throws NotReady while it is being pulled; PullError when it cannot be had, until the next try
   */
  async ensure(
    text: string,
    wake: () => void,
    requester: ImageRequester = NOBODY,
    sinceMs = 0,
  ): Promise<StoredImage> {
    const reference = parseImageReference(text);
    const digest = await this.store.imported(reference);
    const imported = digest === null ? null : await this.store.read(digest);
    if (imported !== null) return imported;
    const key = keyOf(text, requester.project);
    const pull = this.#pulls.get(key) ?? newPull();
    this.#pulls.set(key, pull);
    this.#watch.start();
    pull.askedAtMs = performance.now();
    const isOld = pull.startedAtMs < sinceMs;
    const mayStart = !this.#isClosed && !pull.isRunning;
    if (mayStart && (isOld || performance.now() >= pull.holdsUntilMs))
      this.#start(text, reference, pull, requester);
    if (!pull.isRunning && pull.image !== null) return pull.image;
    if (!pull.isRunning && pull.error !== null) throw pull.error;
    pull.waiting.add(wake);
    throw new NotReady("its image is being pulled");
  }

  /** How far the pull of a reference is; null when there is none. */
  progress(text: string, project = NOBODY.project): PullProgress | null {
    const pull = this.#pulls.get(keyOf(text, project));
    return pull?.isRunning ? pull.progress : null;
  }

  /** Removes what nobody needs. @param used the digests that containers have */
  async collect(used: ReadonlySet<string>): Promise<void> {
    const wanted = new Set([...used, ...[...this.#pulls.values()].map((pull) => pull.image?.digest ?? "")]);
    const removed = await this.store.collect(
      (digest) => wanted.has(digest),
      (digest) => this.#puller.isBusy(digest),
    );
    if (removed.length > 0) this.#log.info({ images: removed }, "unused images removed");
  }

  /** Ends what is under way; what has come of it stays for the next time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.stop();
    for (const { stop } of this.#pulls.values()) stop.abort();
    await Promise.all([...this.#pulls.values()].map(({ ended }) => ended));
  }

  #start(text: string, reference: ImageReference, pull: Pull, requester: ImageRequester): void {
    const own: Pull = { ...newPull(), backoff: pull.backoff, waiting: pull.waiting, isRunning: true };
    own.askedAtMs = pull.askedAtMs;
    own.startedAtMs = performance.now();
    Object.assign(pull, own);
    pull.ended = this.#pull(text, reference, pull, requester).finally(() => {
      pull.isRunning = false;
      for (const wake of pull.waiting) wake();
      pull.waiting.clear();
    });
  }

  async #pull(
    text: string,
    reference: ImageReference,
    pull: Pull,
    { project, credentials }: ImageRequester,
  ): Promise<void> {
    const limit = AbortSignal.timeout(PULL_MS_MAX);
    const signal = AbortSignal.any([pull.stop.signal, limit]);
    const fromMs = performance.now();
    try {
      pull.image = await this.#concurrency.run(async () => {
        signal.throwIfAborted();
        const requester = { project, credentials: await credentials(reference.registry) };
        return await this.#puller.pull(reference, signal, pull.progress, requester);
      });
      pull.backoff.reset();
      pull.holdsUntilMs = performance.now() + FRESH_MS;
      const ms = Math.round(performance.now() - fromMs);
      this.#log.info({ image: text, digest: pull.image.digest, ms }, "image pulled");
    } catch (error) {
      // Ended here, which says nothing of the image: whoever asks again has it begun again.
      if (pull.stop.signal.aborted) return;
      const reason = limit.aborted ? `it takes longer than ${PULL_MS_MAX / 60_000} minutes` : reasonOf(error);
      pull.error = new PullError(`its image ${text} cannot be had: ${reason}`, { cause: error });
      pull.holdsUntilMs = performance.now() + pull.backoff.next();
      this.#log.warn({ image: text, reason }, "an image could not be pulled");
    }
  }

  /** Nobody waits for it: its container was deleted, or stopped. */
  /** @returns whether there are pulls, or what is known of former ones */
  #endUnwanted(): boolean {
    const before = performance.now() - UNWANTED_MS_MAX;
    for (const [text, pull] of this.#pulls) {
      if (pull.askedAtMs > before) continue;
      if (pull.isRunning) pull.stop.abort();
      else if (performance.now() > pull.holdsUntilMs) this.#pulls.delete(text);
    }
    return this.#pulls.size > 0;
  }
}

const newPull = (): Pull => ({
  progress: { done: 0, total: 0 },
  stop: new AbortController(),
  waiting: new Set(),
  backoff: new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS),
  askedAtMs: 0,
  startedAtMs: 0,
  isRunning: false,
  ended: Promise.resolve(),
  image: null,
  error: null,
  holdsUntilMs: 0,
});

/** What went wrong outside of our words: a full disk, perhaps. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
