import pino from "pino";
import { startWatchdog } from "../../../actors/platform/watchdog.ts";

/** A process whose one handler is slow and whose other one never returns. */
const watchdog = startWatchdog(pino(), 2);
watchdog.watch("toy.slow");
const endMs = performance.now() + 150;
while (performance.now() < endMs);
watchdog.watch(null);
setTimeout(() => {
  watchdog.watch("toy.forever");
  for (;;);
}, 100);
