import { readFileSync } from "node:fs";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createLocalJWKSet, type JSONWebKeySet } from "jose";
import { writeAtomically } from "../../../system/atomic-file.ts";

/** How often the keys are read. A token with an unknown key makes the edge read them at once. */
const REFRESH_MS = 5 * 60_000;
const RETRY_MS = 2_000;
/** The shortest time between two reads because of unknown key ids. */
const LOOKUP_MS_MIN = 5_000;
/** The same while no keys are known, as after the first start. */
const FIRST_LOOKUP_MS_MIN = 200;

const KeySet = Type.Object({
  keys: Type.Array(
    Type.Object({ kty: Type.Literal("OKP"), crv: Type.Literal("Ed25519"), x: Type.String() }),
    {
      minItems: 1,
      maxItems: 16,
    },
  ),
});

/** The control plane's public keys. They are also stored on disk, for a start without the control plane. */
export class ControlPlaneKeys {
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #text = "";
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #closed = false;

  /**
   * @param ask requests the keys from the control plane; rejects when it does not reply
   * @param file the file on disk
   */
  constructor(
    private readonly ask: () => Promise<string>,
    private readonly file: string,
  ) {
    try {
      this.#ingest(readFileSync(file, "utf8"));
    } catch {
      // None yet.
    }
  }

  /** Begins to read the keys regularly. */
  start(): void {
    void this.#refresh();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Undefined while none are known. */
  get current(): ReturnType<typeof createLocalJWKSet> | undefined {
    return this.#keys;
  }

  /** Reads the keys again for a token with an unknown key, unless they were just read. Settles when they are read. */
  async refresh(): Promise<void> {
    const sinceMs = this.#keys === undefined ? FIRST_LOOKUP_MS_MIN : LOOKUP_MS_MIN;
    if (this.#closed || performance.now() - this.#askedAt < sinceMs) return;
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#askedAt = performance.now();
    let isDone = false;
    try {
      const text = await this.ask();
      isDone = this.#ingest(text);
      if (isDone && text !== this.#text) {
        this.#text = text;
        await writeAtomically(this.file, text);
      }
    } catch {
      // The keys are read again soon; the known ones stay valid.
    }
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), isDone ? REFRESH_MS : RETRY_MS);
    this.#timer.unref();
  }

  #ingest(text: string): boolean {
    const set: unknown = JSON.parse(text);
    if (!Value.Check(KeySet, set)) return false;
    this.#keys = createLocalJWKSet(set as JSONWebKeySet);
    return true;
  }
}
