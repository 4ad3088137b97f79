import { expect, test } from "bun:test";
import { runEnd } from "../../../agents/containers/ending.ts";
import { afterEnd, finishedState, isFinished } from "../../../agents/reconciler/run-end.ts";
import type { ContainerRecord } from "../../../agents/reconciler/store.ts";
import type { RestartPolicy } from "../../../schemas/hosting/container-settings.ts";

/** What a restart policy makes of an end. */

const ID = "0123456789abcdef01234567";
const recordOf = (restart_policy: RestartPolicy | undefined): ContainerRecord => ({
  id: ID,
  desired: {
    ...{ revision: 1, server_name: "node-1", id: ID, project_id: ID, name: "web", generation: 2 },
    ...{ state: "running", command: [], ...(restart_policy && { restart_policy }) },
  },
  ...{ address: "127.0.0.1", generation: 2, init: null, firewall: null },
});
/** Ends again and again until it is not started any more; how often it was started. */
function startsOf(policy: RestartPolicy | undefined, status: number, wasStable = false): number {
  let record = recordOf(policy);
  for (let starts = 0; starts < 10; starts++) {
    record = { ...record, ...afterEnd(record, runEnd("its command", status), wasStable) };
    if (isFinished(record)) return starts;
  }
  return Number.POSITIVE_INFINITY;
}

const FOREVER = Number.POSITIVE_INFINITY;
test.each([
  [undefined, 0, FOREVER],
  [{ name: "always", max_retries: null }, 0, FOREVER],
  [{ name: "unless-stopped", max_retries: null }, 1, FOREVER],
  [{ name: "no", max_retries: null }, 1, 0],
  [{ name: "on-failure", max_retries: null }, 1, FOREVER],
  [{ name: "on-failure", max_retries: null }, 0, 0],
  [{ name: "on-failure", max_retries: 3 }, 1, 3],
] as const)("%j starts a container that ends with %d again %d times", (policy, status, starts) => {
  expect(startsOf(policy, status)).toBe(starts);
});

test("a container that has run for a while begins its row of retries again, and a signal is a failure", () => {
  expect(startsOf({ name: "on-failure", max_retries: 3 }, 1, true)).toBe(FOREVER);
  expect(startsOf({ name: "on-failure", max_retries: 2 }, 137)).toBe(2);
});

test("what is not started again is stopped after status 0, and an error with its reason otherwise", () => {
  const ended = (policy: RestartPolicy, status: number, fields = {}) => {
    const record = { ...recordOf(policy), ...fields };
    return finishedState({ ...record, ...afterEnd(record, runEnd("its command", status), false) });
  };
  expect(ended({ name: "no", max_retries: null }, 0)).toEqual({ state: "stopped", error: null });
  expect(ended({ name: "no", max_retries: null }, 3)).toEqual({
    state: "error",
    error: "its command ended with status 3; its restart policy lets it end",
  });
  expect(ended({ name: "on-failure", max_retries: 2 }, 3, { retries: 2 }).error).toBe(
    "its command ended with status 3; it was started again 2 times",
  );
});

test("a new generation is started, whatever the one before it came to", () => {
  const record = { ...recordOf({ name: "no", max_retries: null }), finished: 1 };
  expect(isFinished(record)).toBe(false);
});
