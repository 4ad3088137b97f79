/** Queues at processes that share the cores of their machines, in simulated time. */

/** Calls what was put off, in the order of its time. */
export class Clock {
  #nowMs = 0;
  /** A heap: the earliest is first. */
  readonly #heap: { readonly at: number; readonly run: () => void }[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): void {
    const heap = this.#heap;
    const entry = { at: this.#nowMs + ms, run };
    let place = heap.length;
    heap.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= entry.at) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = entry;
  }

  /** Runs everything that is due before a time; what is later stays. */
  runUntil(ms: number): void {
    for (let first = this.#heap[0]; first !== undefined && first.at <= ms; first = this.#heap[0]) {
      this.#removeFirst();
      this.#nowMs = first.at;
      first.run();
    }
    this.#nowMs = ms;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const right = heap[child + 1];
      if (right !== undefined && right.at < (heap[child]?.at ?? Number.POSITIVE_INFINITY)) child += 1;
      const below = heap[child];
      if (below === undefined || below.at >= last.at) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
  }
}

/** So many processes run at once as there are cores; the others wait in turn. */
export class Machine {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(cores: number) {
    this.#free = cores;
  }

  /** Calls back when a core is free, which then is the caller's until `release`. */
  acquire(run: () => void): void {
    if (this.#free === 0) {
      this.#waiting.push(run);
      return;
    }
    this.#free -= 1;
    run();
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

interface Job {
  readonly cpuMs: number;
  readonly done: () => void;
}

/** Does one job after the other. */
export class Process {
  readonly #queue: Job[] = [];
  #isBusy = false;
  /** Milliseconds of CPU so far. */
  busyMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly machine: Machine,
  ) {}

  /** Calls `done` once the job and all before it are done. */
  run(cpuMs: number, done: () => void): void {
    this.#queue.push({ cpuMs, done });
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const job = this.#queue.shift();
    this.#isBusy = job !== undefined;
    if (job === undefined) return;
    this.machine.acquire(() => {
      this.clock.after(job.cpuMs, () => {
        this.busyMs += job.cpuMs;
        this.machine.release();
        job.done();
        this.#next();
      });
    });
  }
}
