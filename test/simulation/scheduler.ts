import { drainMicrotasks } from "bun:jsc";
import { Random } from "./random.ts";

interface Event {
  readonly atMs: number;
  /** Which of several at one time comes first. */
  readonly tie: number;
  readonly label: string;
  run: (() => void) | undefined;
}

/**
 * Runs everything that happens in a simulated cluster, one event after another, each to the end of what it sets off at
 * once. Time is virtual: it jumps from event to event. Nothing else decides an order, so a seed decides all of it.
 */
export class Scheduler {
  nowMs = 0;
  readonly random: Random;
  readonly trace: Trace;
  /** A binary heap, the next event first. */
  readonly #heap: Event[] = [];

  constructor(seed: number, trace: Trace) {
    this.random = new Random(seed);
    this.trace = trace;
  }

  /** Runs `run` after `delayMs`; the answer cancels it. */
  after(delayMs: number, label: string, run: () => void): () => void {
    const event: Event = { atMs: this.nowMs + delayMs, tie: this.random.next(), label, run };
    this.#push(event);
    return () => {
      event.run = undefined;
    };
  }

  /** Runs until `done`; false if it is not by `limitMs` of virtual time. */
  run(done: () => boolean, limitMs: number): boolean {
    while (!done()) {
      const next = this.#heap[0];
      if (next === undefined || next.atMs > limitMs) return false;
      const event = this.#pop();
      if (event?.run === undefined) continue;
      this.nowMs = event.atMs;
      this.trace.event(event.atMs, event.label);
      event.run();
      drainMicrotasks();
    }
    return true;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.tie < b.tie);

/** What happened, as a number that tells two runs apart, and as lines where somebody reads them. */
export class Trace {
  readonly lines: string[] = [];
  events = 0;
  #hash = 0x811c9dc5;

  constructor(private readonly keepLines: boolean) {}

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, "0");
  }

  event(atMs: number, label: string): void {
    this.events += 1;
    this.#mix(Math.round(atMs * 1_000));
    for (let i = 0; i < label.length; i++) this.#mix(label.charCodeAt(i));
    if (this.keepLines) this.lines.push(`${atMs.toFixed(3).padStart(12)}  ${label}`);
  }

  /** Adds to the lines what the last event was about. */
  note(text: () => string): void {
    if (this.keepLines) this.lines.push(`${" ".repeat(14)}${text()}`);
  }

  #mix(number: number): void {
    this.#hash = Math.imul(this.#hash ^ number, 0x01000193);
  }
}
