import { startStack } from "./stack.ts";
import { type Answer, connectStack, type StackAddress, type StackClient } from "./stack-client.ts";
import { until } from "./until.ts";
import type { TestUser } from "./users.ts";

/** Where `npm test` gives out the control plane that its test files share. */
const socket = process.env.BERTH_TEST_STACK;

const STARTING = 202;
/** Beside the first files of a run, each of which starts something itself. */
const START_MS_MAX = 90_000;

export type SharedStack = StackClient;
export type { Answer, TestUser };

/**
 * The control plane that all test files of a run share which stop nothing, and which look at what is their own users' alone. It is started when the first file
 * asks for it. A test that stops processes, sets settings, or counts what belongs to everybody starts a stack of its own.
 */
export async function sharedStack(): Promise<SharedStack> {
  if (socket === undefined) return startStack(SHARED_OPTIONS);
  const response = await until(
    async () => {
      const answer = await fetch("http://stack/", { unix: socket });
      return answer.status === STARTING ? undefined : answer;
    },
    { timeoutMs: START_MS_MAX, everyMs: 50 },
  );
  if (!response.ok) throw new Error(`the shared stack did not start: ${await response.text()}`);
  return connectStack((await response.json()) as StackAddress);
}

/** Two actor hosts, since a message that finds the wrong one must not matter to any test. */
export const SHARED_OPTIONS = { actorHosts: 2, env: { BERTH_LEASE_TTL_MS: "5000" } };
