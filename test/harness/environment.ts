/** Where Bun keeps what it has compiled; `npm test` sets it for a run. */
const CACHE = "BUN_RUNTIME_TRANSPILER_CACHE_PATH";

/**
 * The environment of a process that a test starts, before the test's own variables: nothing of who runs the tests, but what Bun has compiled
 * already. Without that each process takes a quarter longer to start.
 */
export const CLEAN_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  ...(process.env[CACHE] === undefined ? {} : { [CACHE]: process.env[CACHE] }),
};
