import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";

/**
 * The slowest test files, with their approximate duration in seconds. They start first, so that none runs alone at
 * the end. Used for a first run; later runs use measured times.
 */
export const LONGEST: Readonly<Record<string, number>> = {
  "test/simulation/simulation.test.ts": 70,
  "test/agents/services/terminal-outlives-agent.test.ts": 45,
  "test/gateway/routes/hosting/container/silent-host.test.ts": 44,
  "test/gateway/routes/hosting/alias/hosts.test.ts": 44,
  "test/e2e/first-five-minutes.test.ts": 40,
  "test/scripts/supervisor.test.ts": 40,
  "test/gateway/ai-credit/provider.test.ts": 37,
  "test/faults/infrastructure.test.ts": 36,
  "test/agents/terminal/pty-host/restart.test.ts": 35,
  "test/faults/top-ups.test.ts": 30,
  "test/agents/reconciler/reconcile.test.ts": 30,
  "test/faults/postgres.test.ts": 30,
  "test/fuzz/hostile-values.test.ts": 27,
  "test/agents/terminal/ssh/ssh.test.ts": 26,
  "test/regression/host-rules-removed.test.ts": 25,
  "test/agents/terminal/page/page.test.ts": 25,
  "test/scripts/servers.test.ts": 25,
  "test/gateway/routes/market/payment-timeout.test.ts": 25,
  "test/faults/nats.test.ts": 24,
  "test/faults/partition.test.ts": 22,
  "test/faults/ai-credit.test.ts": 21,
  "test/gateway/routes/hosting/container/inside.test.ts": 30,
  "test/regression/second-agent-on-a-subnet.test.ts": 20,
  "test/agents/terminal/page/hands.test.ts": 20,
  "test/faults/actor-hosts.test.ts": 20,
  "test/agents/services/pipe-and-files.test.ts": 20,
  "test/client/cli/whole-way.test.ts": 20,
  "test/agents/pipe/memory.test.ts": 19,
  "test/gateway/routes/hosting/container/rebuilt.test.ts": 19,
  "test/agents/services/display.test.ts": 18,
  "test/agents/pipe/pages.test.ts": 18,
  "test/agents/services/notifications.test.ts": 17,
  "test/gateway/routes/activity/event/delete.test.ts": 16,
  "test/agents/services/without-isolation.test.ts": 15,
  "test/agents/notifier/page/page.test.ts": 15,
  "test/agents/reconciler/shares.test.ts": 15,
  "test/scripts/ledger-check.test.ts": 15,
  "test/agents/terminal/screen/bounds.test.ts": 15,
  "test/agents/main.test.ts": 15,
  "test/agents/terminal/page/clipboard.test.ts": 14,
  "test/regression/start-refused.test.ts": 14,
  "test/agents/terminal/pty-host/page.test.ts": 14,
  "test/gateway/routes/activity/webhook/webhooks.test.ts": 12,
  "test/agents/reconciler/many-containers.test.ts": 12,
  "test/agents/containers/images/container-of-image.test.ts": 12,
  "test/agents/containers/images/well-known.test.ts": 10,
  "test/e2e/bad-input.test.ts": 12,
  "test/faults/sagas.test.ts": 12,
  "test/agents/terminal/process/pid.test.ts": 12,
  "test/agents/terminal/process/launch.test.ts": 12,
  "test/agents/services/terminal.test.ts": 12,
  "test/system/first-process.test.ts": 12,
  "test/regression/container-takes-the-host.test.ts": 11,
  "test/gateway/routes/billing/top-up/stripe.test.ts": 11,
  "test/gateway/routes/hosting/alias/expiry.test.ts": 11,
  "test/gateway/routes/accounts/quota/attack.test.ts": 10,
  "test/gateway/lists/lists.test.ts": 10,
  "test/agents/exec/hostile-program.test.ts": 10,
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
