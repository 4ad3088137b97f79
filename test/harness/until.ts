export interface UntilOptions {
  /** How long to wait; `PATIENCE_MS` unless told. */
  readonly timeoutMs?: number;
  /** How often to look; 10 ms unless told. */
  readonly everyMs?: number;
}

/** On a machine that others use as well, what takes a tenth of a second took a minute. It costs nothing where all is well. */
const PATIENCE_MS = 120_000;

/**
 * Waits until a condition holds, and returns what it returned.
 *
 * @param condition holds when it returns something other than undefined, null or false; it may throw meanwhile
 * @throws Error when it does not hold in time; `cause` is what it last threw
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, everyMs = 10 }: UntilOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  const limit = performance.now() + timeoutMs;
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
    if (performance.now() > limit) throw new Error(`not so within ${timeoutMs} ms: ${condition}`, { cause });
    await Bun.sleep(everyMs);
  }
}
