import type { Logger } from "pino";

/** A handler does no I/O and is expected to return within a millisecond. */
const SLOW_MS = 100;
/** The turn of the watching thread. Between two of them is a beat. */
export const TURN_MS = 3_000;
const BEAT_MS = 2_000;

/** Memory shared with the watching thread: a counter of event-loop turns, and the running handler (0: none). */
export const BEATS = 0;
export const HANDLER = 1;

export interface Watchdog {
  /** Records the handler that begins to run; null when it has returned. */
  watch(handler: string | null): void;
  stop(): void;
}

/**
 * Finds handlers that block the event loop. A slow one is logged. One that never returns also blocks its own thread,
 * so a second thread logs the handler's name and ends the process, which is then started again.
 */
export function startWatchdog(log: Logger, stuckSeconds: number): Watchdog {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(new URL("./watchdog-thread.ts", import.meta.url).href);
  thread.unref();
  thread.postMessage({ shared, stuckSeconds });
  const numbers = new Map<string, number>();
  let running: string | undefined;
  let sinceMs = 0;
  const beat = setInterval(() => Atomics.add(shared, BEATS, 1), BEAT_MS);
  beat.unref();

  function numberOf(handler: string): number {
    let number = numbers.get(handler);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(handler, number);
      thread.postMessage({ handler, number });
    }
    return number;
  }

  return {
    watch(handler) {
      if (handler !== null) {
        running = handler;
        sinceMs = performance.now();
        shared[HANDLER] = numberOf(handler);
        return;
      }
      shared[HANDLER] = 0;
      const ms = performance.now() - sinceMs;
      if (ms > SLOW_MS) log.warn({ handler: running, ms: Math.round(ms) }, "a handler was slow");
    },
    stop() {
      clearInterval(beat);
      thread.terminate();
    },
  };
}
