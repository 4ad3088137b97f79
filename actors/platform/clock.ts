import type { Clock } from "../runtime/ports.ts";

/** The machine's clocks. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  soon: (callback) => {
    setImmediate(callback);
  },
};
