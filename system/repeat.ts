import type { Logger } from "pino";

/**
 * Does some work now and again `ms` after it was done, until it is stopped. Work that fails is tried again at its next turn.
 * @param failed what the log says then
 * @returns what stops it
 */
export function repeat(ms: number, work: () => Promise<void>, log: Logger, failed: string): () => void {
  let stopped = false;
  let timer: Timer | undefined;
  const run = () => {
    work()
      .catch((error) => {
        if (!stopped) log.warn({ err: error }, failed);
      })
      .finally(() => {
        if (!stopped) timer = setTimeout(run, ms);
      });
  };
  run();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
