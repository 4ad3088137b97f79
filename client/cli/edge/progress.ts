import type { Io } from "../io.ts";
import { bytes, clock } from "../output/format.ts";

const DRAW_MS = 200;
/** The rate is that of the last seconds: what a person sees now. */
const RATE_MS = 3_000;

/** One line on the error output: how much, how fast, and how long it takes still. Nothing where that is no terminal. */
export function progressLine(io: Io, isQuiet: boolean, total: number | null) {
  const samples: { at: number; count: number }[] = [];
  let [count, drawnAt] = [0, 0];
  const draw = (now: number) => {
    samples.push({ at: now, count });
    while (samples.length > 2 && now - (samples[0]?.at ?? now) > RATE_MS) samples.shift();
    const [first] = samples;
    const seconds = (now - (first?.at ?? now)) / 1_000;
    const rate = seconds > 0 ? (count - (first?.count ?? 0)) / seconds : 0;
    const whole = total === null ? "" : ` of ${bytes(total)}`;
    const left = total === null || rate === 0 ? "" : `, ${clock((total - count) / rate)} left`;
    io.err(`\r\u001b[K${bytes(count)}${whole}, ${bytes(Math.round(rate))}/s${left}`);
    drawnAt = now;
  };
  const isShown = io.isInteractive && !isQuiet;
  return {
    show(bytesNow: number): void {
      count = bytesNow;
      const now = performance.now();
      if (isShown && now - drawnAt >= DRAW_MS) draw(now);
    },
    end(): number {
      if (isShown) {
        draw(performance.now());
        io.err("\n");
      }
      return count;
    },
  };
}
