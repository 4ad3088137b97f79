/** Runs work at most once at a time for each key: callers that come while it runs share its result. */
export class SingleFlight<Key, Value> {
  readonly #running = new Map<Key, Promise<Value>>();

  /** How many keys have work that runs. */
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

/** Work that runs at most once at a time: callers that come while it runs share its result. */
export function singleFlight<Value>(work: () => Promise<Value>): () => Promise<Value> {
  const flight = new SingleFlight<"work", Value>();
  return () => flight.run("work", work);
}
