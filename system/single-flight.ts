/** Runs work at most once at a time for each key: callers that arrive while it runs share its result. */
export class SingleFlight<Key, Value> {
  readonly #running = new Map<Key, Promise<Value>>();

  /** How many keys have running work. */
  get size(): number {
    return this.#running.size;
  }

  has(key: Key): boolean {
    return this.#running.has(key);
  }

  run(key: Key, work: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}

/** Wraps work so that it runs at most once at a time: callers that arrive while it runs share its result. */
export function singleFlight<Value>(work: () => Promise<Value>): () => Promise<Value> {
  const flight = new SingleFlight<"work", Value>();
  return () => flight.run("work", work);
}
