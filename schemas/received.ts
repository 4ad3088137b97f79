import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";

/** The content of a message: a valid value, or the reason why it is invalid. */
export type Received<T> = { readonly value: T } | { readonly reason: string };

/** Reads the text of any message without throwing. */
export type Reader<T> = (text: string) => Received<T>;

/** JSON that matches a schema. The length, in characters, is checked first, because parsing costs memory. */
export function jsonOf<S extends TSchema>(schema: S, lengthMax: number): Reader<Static<S>> {
  // Compiled at first use: most programs read few of the schemas.
  let form: TypeCheck<S> | undefined;
  return (text) => {
    if (text.length > lengthMax) return { reason: `longer than ${lengthMax} characters` };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { reason: "not JSON" };
    }
    form ??= TypeCompiler.Compile(schema);
    return form.Check(value) ? { value } : { reason: "not of its form" };
  };
}

/**
 * JSON from outside the control plane, such as a host's report: like `jsonOf`, but also refuses text that PostgreSQL
 * cannot store.
 */
export function storableJsonOf<S extends TSchema>(schema: S, lengthMax: number): Reader<Static<S>> {
  const read = jsonOf(schema, lengthMax);
  return (text) => {
    const received = read(text);
    // In JSON, NUL and lone surrogates appear only as escapes, which most messages do not contain.
    const isSuspect = "value" in received && /\\u(0000|d[89a-f])/i.test(text);
    return isSuspect && !isStorable(received.value)
      ? { reason: "text with U+0000 or a lone surrogate" }
      : received;
  };
}

function isStorable(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === "string" && (one.includes("\0") || !one.isWellFormed())) return false;
    if (typeof one === "object" && one !== null) rest.push(...Object.keys(one), ...Object.values(one));
  }
  return true;
}

/** Text that matches a pattern completely. */
export function textOf(pattern: RegExp, lengthMax: number): Reader<string> {
  return (text) => {
    if (text.length > lengthMax) return { reason: `longer than ${lengthMax} characters` };
    return pattern.test(text) ? { value: text } : { reason: "not of its form" };
  };
}

/** For a subject whose messages have no content. */
export const anything: Reader<void> = () => ({ value: undefined });

/** How often dropped messages of one kind are logged at most. */
const LOG_INTERVAL_MS = 60_000;

/** Counts messages that could not be read, by kind, and logs them once a minute. */
export class DroppedMessages {
  readonly #counts = new Map<string, number>();
  /** Dropped messages since the last log line, by kind. */
  readonly #unlogged = new Map<string, { count: number; reason: string }>();

  /** @param log receives at most one log line a minute for each kind */
  constructor(
    private readonly log: (line: { kind: string; count: number; reason: string; error?: unknown }) => void,
    private readonly everyMs = LOG_INTERVAL_MS,
  ) {}

  /** How many messages of each kind were dropped since the start. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(kind: string, reason: string, error?: unknown): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const unlogged = this.#unlogged.get(kind);
    if (unlogged !== undefined) {
      unlogged.count += 1;
      unlogged.reason = reason;
      return;
    }
    this.#unlogged.set(kind, { count: 0, reason });
    this.log({ kind, count: 1, reason, ...(error === undefined ? {} : { error }) });
    setTimeout(() => this.#reportLater(kind), this.everyMs).unref();
  }

  #reportLater(kind: string): void {
    const unlogged = this.#unlogged.get(kind);
    this.#unlogged.delete(kind);
    if (unlogged === undefined || unlogged.count === 0) return;
    this.#unlogged.set(kind, { count: 0, reason: unlogged.reason });
    this.log({ kind, ...unlogged });
    setTimeout(() => this.#reportLater(kind), this.everyMs).unref();
  }
}
