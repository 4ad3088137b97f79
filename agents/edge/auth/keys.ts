import { readFileSync } from "node:fs";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createLocalJWKSet, type JSONWebKeySet } from "jose";
import { writeAtomically } from "../../../system/atomic-file.ts";

/** New keys are seen by then; a token that is signed with one is looked up at once. */
const REFRESH_MS = 5 * 60_000;
const RETRY_MS = 2_000;
/** Tokens with made-up key ids make no more requests than this. */
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

/** The control plane's public keys. The last ones are kept on disk, for when it is away. */
export class ControlPlaneKeys {
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #text = "";
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #closed = false;

  /**
   * @param ask the control plane, by whatever link there is; rejects when nobody answers
   * @param file where they are kept
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

  /** Begins to keep them up to date. */
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

  /** A token names a key that is not among these: perhaps it is new. Settles when they were asked for, if it was time. */
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
      // Asked again soon; what is known stays good.
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
