export interface UntilOptions {
  /** How long to wait; `PATIENCE_MS` unless told. */
  readonly timeoutMs?: number;
  /** How often to look; unless told a tenth of the time that it took so far, within `PAUSE_MS`. */
  readonly everyMs?: number;
}

/** On a machine that others use as well, what takes a tenth of a second took a minute. It costs nothing where all is well. */
const PATIENCE_MS = 120_000;

/**
 * What comes soon is seen at once. What takes seconds is not asked for a hundred times a second: a look may be a request or a query, and six files wait at
 * a time.
 */
const PAUSE_MS = { min: 10, max: 200 };
const PAUSE_SHARE = 0.1;

/**
 * Waits until a condition holds, and returns what it returned.
 *
 * @param condition holds when it returns something other than undefined, null or false; it may throw meanwhile
 * @throws Error when it does not hold in time; `cause` is what it last threw
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, everyMs }: UntilOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  const start = performance.now();
  const pauseMs = () =>
    everyMs ?? Math.min(PAUSE_MS.max, Math.max(PAUSE_MS.min, (performance.now() - start) * PAUSE_SHARE));
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== undefined && value !== null && value !== false) {
        return value as Exclude<T, undefined | null | false>;
      }
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > start + timeoutMs)
      throw new Error(`not so within ${timeoutMs} ms: ${condition}`, { cause });
    await Bun.sleep(pauseMs());
  }
}
