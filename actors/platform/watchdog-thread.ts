import { writeSync } from "node:fs";
import { BEATS, HANDLER, TURN_MS } from "./watchdog.ts";

/** The watching thread of `watchdog.ts`. */

declare const self: Worker;

type Message =
  | { readonly shared: Int32Array; readonly stuckSeconds: number }
  | { readonly handler: string; readonly number: number };

const handlers = new Map<number, string>();

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if ("handler" in data) handlers.set(data.number, data.handler);
  else watch(data.shared, data.stuckSeconds);
};

/** Counts its own turns instead of time, so that a process that was stopped and continued does not count as hanging. */
function watch(shared: Int32Array, stuckSeconds: number): void {
  let beats = -1;
  let turns = 0;
  setInterval(() => {
    const now = Atomics.load(shared, BEATS);
    turns = now === beats ? turns + 1 : 0;
    beats = now;
    const seconds = (turns * TURN_MS) / 1_000;
    if (seconds < stuckSeconds) return;
    const handler = handlers.get(Atomics.load(shared, HANDLER)) ?? "something that is no handler";
    // The logger belongs to the hanging thread, so the line is written directly.
    const line = {
      level: 60,
      time: Date.now(),
      pid: process.pid,
      handler,
      msg: `${handler} has not returned for ${seconds} s; ending this process`,
    };
    writeSync(2, `${JSON.stringify(line)}\n`);
    process.kill(process.pid, "SIGKILL");
  }, TURN_MS);
}
