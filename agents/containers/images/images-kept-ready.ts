import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import {
  PREPARED_ERROR_LENGTH_MAX,
  type PreparedImage,
  PreparedImages,
} from "../../../schemas/hosting/host.ts";
import { writeAtomically } from "../../../system/atomic-file.ts";
import { NotReady } from "../driver.ts";
import type { Images } from "./images.ts";

/** A tag that leads to a newer image is noticed after so long. */
const REFRESH_MS = 30 * 60_000;

interface Entry {
  readonly status: PreparedImage;
  /** Until then a ready image is not looked for again. */
  readonly holdsUntilMs: number;
  /** Looks again once its pull is over, so that the image is in use before the next look for unused ones. */
  readonly wake: () => void;
}

/**
 * The images of the catalogue that this host has before a container asks for them: they are pulled ahead, and are not removed. What is ready
 * is on the disk too, so that it stays also while a new agent has no control plane.
 */
export class ImagesKeptReady {
  readonly #entries = new Map<string, Entry>();
  readonly #file: string;
  /** The last write of the list. */
  #saved: Promise<void> = Promise.resolve();

  /** @param folder where the list is kept */
  constructor(
    private readonly images: Images,
    folder: string,
  ) {
    this.#file = join(folder, "prepared.json");
  }

  /** Reads what an earlier agent had ready. A file that is missing or broken means nothing: the control plane soon says what to keep. */
  async load(): Promise<void> {
    const known: unknown = await readFile(this.#file, "utf8")
      .then(JSON.parse)
      .catch(() => null);
    if (!Value.Check(PreparedImages, known)) return;
    for (const status of known.images) this.#entries.set(status.reference, this.#entryOf(status));
  }

  /** The digests that must not be removed. */
  get digests(): string[] {
    return [...this.#entries.values()].flatMap(({ status }) => status.digest ?? []);
  }

  /**
   * Replaces the list, and says how far each image is. It has to be called again and again: a pull that nobody asks for ends.
   *
   * @param references in full form, with registry and tag
   */
  async prepare(references: readonly string[]): Promise<PreparedImage[]> {
    const wanted = new Set(references);
    const before = [...this.#entries.keys()];
    for (const reference of before) if (!wanted.has(reference)) this.#entries.delete(reference);
    for (const reference of wanted) {
      if (!this.#entries.has(reference)) this.#entries.set(reference, this.#entryOf(pending(reference)));
      await this.#advance(reference);
    }
    if (before.some((reference) => !wanted.has(reference))) this.#save();
    // What is called ready outlives this agent.
    await this.#saved;
    return [...wanted].flatMap((reference) => this.#entries.get(reference)?.status ?? []);
  }

  #entryOf(status: PreparedImage): Entry {
    const wake = () => void this.#advance(status.reference).catch(() => undefined);
    return { status, holdsUntilMs: 0, wake };
  }

  async #advance(reference: string): Promise<void> {
    const before = this.#entries.get(reference);
    if (before === undefined) return;
    const { digest } = before.status;
    const isHere = digest !== null && (await this.images.read(digest)) !== null;
    if (isHere && performance.now() < before.holdsUntilMs) return;
    const status = await this.#look(reference, isHere ? digest : null, before.wake);
    const isDone = status.state === "ready" && status.error === null;
    // It may have left the list meanwhile.
    if (!this.#entries.has(reference)) return;
    this.#entries.set(reference, {
      ...before,
      status,
      holdsUntilMs: isDone ? performance.now() + REFRESH_MS : 0,
    });
    if (status.digest !== digest) this.#save();
  }

  /** @param digest of what is here already; null: nothing is */
  async #look(reference: string, digest: string | null, wake: () => void): Promise<PreparedImage> {
    try {
      const image = await this.images.ensure(reference, wake);
      return { reference, state: "ready", digest: image.digest, error: null };
    } catch (error) {
      const isPulling = error instanceof NotReady;
      const state = digest !== null ? "ready" : isPulling ? "pulling" : "error";
      const text = error instanceof Error ? error.message : String(error);
      const reason = isPulling ? null : text.slice(0, PREPARED_ERROR_LENGTH_MAX).toWellFormed();
      return { reference, state, digest, error: reason };
    }
  }

  /** Writes what is ready now, after all earlier writes. */
  #save(): void {
    const write = () => {
      const images = [...this.#entries.values()]
        .map(({ status }) => status)
        .filter(({ digest }) => digest !== null);
      return writeAtomically(this.#file, JSON.stringify({ images }));
    };
    this.#saved = this.#saved.then(write, write);
    // Whoever prepares learns of an error.
    this.#saved.catch(() => undefined);
  }
}

const pending = (reference: string): PreparedImage => ({
  reference,
  state: "pulling",
  digest: null,
  error: null,
});
