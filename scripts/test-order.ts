import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";

/**
 * The slowest test files, with their approximate duration in seconds. They start first, so that none runs alone at
 * the end. Used for a first run; later runs use measured times.
 */
export const LONGEST: Readonly<Record<string, number>> = {
  "test/simulation/simulation.test.ts": 80,
  "test/agents/services/display.test.ts": 16,
  "test/agents/services/terminal-outlives-agent.test.ts": 45,
  "test/gateway/routes/hosting/container/silent-host.test.ts": 44,
  "test/gateway/routes/hosting/alias/hosts.test.ts": 44,
  "test/gateway/ai-credit/provider.test.ts": 37,
  "test/faults/infrastructure.test.ts": 36,
  "test/faults/top-ups.test.ts": 30,
  "test/fuzz/hostile-values.test.ts": 27,
  "test/gateway/routes/accounts/codehost/disabled.test.ts": 25,
  "test/gateway/routes/activity/event/follow.test.ts": 24,
  "test/agents/pipe/failure.test.ts": 23,
  "test/agents/terminal/ssh/ssh.test.ts": 26,
  "test/regression/host-rules-removed.test.ts": 25,
  "test/client/cli/whole-way.test.ts": 20,
  "test/agents/terminal/page/page.test.ts": 25,
  "test/faults/nats.test.ts": 24,
  "test/agents/reconciler/reconcile.test.ts": 23,
  "test/faults/webhooks.test.ts": 22,
  "test/gateway/routes/activity/webhook/webhooks.test.ts": 20,
  "test/faults/partition.test.ts": 22,
  "test/faults/ai-credit.test.ts": 21,
  "test/gateway/routes/hosting/container/inside.test.ts": 30,
  "test/gateway/routes/hosting/container/rebuilt.test.ts": 19,
  "test/agents/pipe/pages.test.ts": 18,
  "test/faults/postgres.test.ts": 18,
  "test/gateway/routes/activity/event/delete.test.ts": 16,
  "test/e2e/first-five-minutes.test.ts": 15,
  "test/agents/notifier/page/page.test.ts": 15,
  "test/agents/containers/images/container-of-image.test.ts": 12,
  "test/agents/services/notifications.test.ts": 17,
  "test/agents/reconciler/shares.test.ts": 15,
  "test/faults/actor-hosts.test.ts": 14,
  "test/gateway/routes/accounts/account/login-limit.test.ts": 12,
  "test/faults/sagas.test.ts": 12,
  "test/regression/container-takes-the-host.test.ts": 11,
  "test/gateway/routes/billing/top-up/stripe.test.ts": 11,
  "test/gateway/routes/hosting/alias/expiry.test.ts": 11,
};

const OTHER_SECONDS = 3;

/** Where a checkout stores how long its test files took when they last ran. */
const TIMES_FILE = "node_modules/.cache/berth-test-times.json";

/**
 * Writes for `bun test --timings` how long each file takes: it starts the longest first. Times measured here take
 * precedence over `LONGEST`.
 */
export function writeTimings(path: string, root: string): void {
  const all = [...new Glob("test/**/*.test.ts").scanSync(root)];
  const last = readLastTimes(root);
  const seconds = all.map((file) => [file, last[file] ?? LONGEST[file] ?? OTHER_SECONDS] as const);
  const files = Object.fromEntries(seconds.map(([file, one]) => [file, one * 1_000]));
  writeFileSync(path, JSON.stringify({ version: 1, files }));
}

/** Saves the times of a run for the next one; files that did not run keep their earlier times. */
export function saveTimes(root: string, seconds: Readonly<Record<string, number>>): void {
  const path = join(root, TIMES_FILE);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...readLastTimes(root), ...seconds }));
  } catch {
    // The checkout belongs to another user: the next run's order is just less good.
  }
}

function readLastTimes(root: string): Record<string, number> {
  try {
    const known: unknown = JSON.parse(readFileSync(join(root, TIMES_FILE), "utf8"));
    const entries = Object.entries(known ?? {}).filter(([, seconds]) => Number.isFinite(seconds));
    return Object.fromEntries(entries) as Record<string, number>;
  } catch {
    return {};
  }
}
