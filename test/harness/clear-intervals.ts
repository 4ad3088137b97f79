/** Without imports, since every test file loads it with the preloaded file. */

const running = new Set<Timer>();

/**
 * Notes the intervals that are set from here on, so that those of one test file can be cleared when it has ended. One that a failed test left
 * running and that throws would fail every file after it in the same process.
 */
export function trackIntervals(): void {
  const set = globalThis.setInterval;
  const tracked = (...args: Parameters<typeof set>) => {
    const timer = set(...args);
    running.add(timer);
    return timer;
  };
  globalThis.setInterval = tracked as typeof set;
}

export function clearIntervals(): void {
  for (const timer of running) clearInterval(timer);
  running.clear();
}
