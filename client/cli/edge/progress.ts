import type { Io } from "../io.ts";
import { bytes, clock } from "../output/format.ts";

const DRAW_MS = 200;
/** The rate is that of the last seconds: what a person sees now. */
const RATE_MS = 3_000;

export interface Progress {
  /** @param bytesNow how many have been transferred */
  show(bytesNow: number): void;
  /** @returns how many bytes a person is told */
  end(): number;
}

/**
 * One line on the error output: how much, how fast, and how long it takes still. Nothing where that is no terminal.
 *
 * @param share of what is transferred: files in an archive are fewer bytes than the archive
 */
export function progressLine(io: Io, isQuiet: boolean, total: number | null, share = 1): Progress {
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
  // What the shell prints after Ctrl-C begins a line.
  io.interrupted.addEventListener("abort", () => drawnAt > 0 && io.err("\n"), { once: true });
  return {
    show(bytesNow: number): void {
      count = Math.round(bytesNow * share);
      const now = performance.now();
      if (isShown && now - drawnAt >= DRAW_MS) draw(now);
    },
    end(): number {
      // The sentence behind it says how much it was.
      if (drawnAt > 0) io.err("\r\u001b[K");
      return count;
    },
  };
}
