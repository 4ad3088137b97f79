import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";

/**
 * The slowest test files, with their approximate duration in seconds. They start first, so that none runs alone at
 * the end. Used for a first run; later runs use measured times.
 */
export const LONGEST: Readonly<Record<string, number>> = {
  "test/simulation/simulation.test.ts": 168,
  "test/agents/reconciler/killed-at-each-step.test.ts": 149,
  "test/e2e/first-five-minutes.test.ts": 115,
  "test/gateway/console/real-container.test.ts": 73,
  "test/fuzz/hostile-values.test.ts": 69,
  "test/gateway/console/console.test.ts": 67,
  "test/agents/containers/images/newer-image.test.ts": 67,
  "test/agents/containers/oci/container.test.ts": 59,
  "test/gateway/routes/hosting/alias/hosts.test.ts": 52,
  "test/agents/terminal/pty-host/restart.test.ts": 51,
  "test/client/cli/whole-way.test.ts": 47,
  "test/deploy/systemd.test.ts": 45,
  "test/agents/terminal/ssh/ssh.test.ts": 44,
  "test/gateway/routes/hosting/container/silent-host.test.ts": 43,
  "test/agents/reconciler/reconcile.test.ts": 42,
  "test/faults/infrastructure.test.ts": 37,
  "test/actors/idle.test.ts": 35,
  "test/gateway/routes/hosting/alias/expiry.test.ts": 34,
  "test/gateway/ai-credit/provider.test.ts": 34,
  "test/regression/container-takes-the-host.test.ts": 34,
  "test/upgrades/rolling-upgrade.test.ts": 33,
  "test/faults/ai-credit.test.ts": 33,
  "test/gateway/routes/hosting/container/settings-on-host.test.ts": 30,
  "test/faults/top-ups.test.ts": 30,
  "test/agents/pipe/memory.test.ts": 30,
  "test/gateway/lists/lists.test.ts": 30,
  "test/gateway/console/operator.test.ts": 29,
  "test/deploy/compose.test.ts": 30,
  "test/agents/services/terminal-outlives-agent.test.ts": 29,
  "test/gateway/certificates/acme.test.ts": 27,
  "test/regression/host-rules-removed.test.ts": 26,
  "test/gateway/routes/market/payment-timeout.test.ts": 24,
  "test/e2e/bad-input.test.ts": 23,
  "test/faults/nats.test.ts": 22,
  "test/agents/terminal/page/page.test.ts": 22,
  "test/gateway/routes/hosting/container/inside.test.ts": 22,
  "test/gateway/routes/hosting/container/rebuilt.test.ts": 22,
  "test/faults/partition.test.ts": 21,
  "test/agents/notifier/page/page.test.ts": 20,
  "test/agents/reconciler/shares.test.ts": 20,
  "test/gateway/repeated/repeated-requests.test.ts": 19,
  "test/scripts/backup/backup.test.ts": 19,
  "test/gateway/routes/accounts/account/deletion-faults.test.ts": 18,
  "test/agents/network/nft/agent-killed.test.ts": 18,
  "test/agents/terminal/server/upload.test.ts": 18,
  "test/agents/terminal/server/download.test.ts": 18,
  "test/agents/pipe/waiting.test.ts": 17,
  "test/agents/services/display.test.ts": 17,
  "test/faults/postgres.test.ts": 17,
  "test/agents/main.test.ts": 17,
  "test/gateway/routes/activity/event/delete.test.ts": 16,
  "test/scripts/servers.test.ts": 16,
  "test/agents/notifier/streams.test.ts": 16,
  "test/agents/services/notifications.test.ts": 16,
  "test/agents/terminal/session/session.test.ts": 16,
  "test/faults/actor-hosts.test.ts": 16,
  "test/agents/services/kinds-of-images.test.ts": 15,
  "test/gateway/ai-credit/sandbox.test.ts": 15,
  "test/gateway/routes/hosting/alias/domains.test.ts": 15,
  "test/agents/reconciler/many-containers.test.ts": 15,
  "test/actors/activity/mail/delivery.test.ts": 15,
  "test/gateway/console/flow.test.ts": 14,
  "test/agents/edge/http.test.ts": 14,
  "test/faults/stolen-host-credential.test.ts": 14,
  "test/scripts/supervisor.test.ts": 13,
  "test/agents/terminal/page/hands.test.ts": 13,
  "test/agents/services/pipe-and-files.test.ts": 13,
  "test/actors/runtime/timers.test.ts": 12,
  "test/gateway/routes/activity/webhook/webhooks.test.ts": 12,
  "test/gateway/routes/hosting/container/ended-sessions.test.ts": 12,
  "test/gateway/routes/activity/event/shared.test.ts": 12,
  "test/agents/exec/hostile-program.test.ts": 12,
  "test/gateway/routes/billing/top-up/stripe.test.ts": 12,
  "test/agents/terminal/session/ending.test.ts": 12,
  "test/faults/sagas.test.ts": 12,
  "test/actors/runtime/growth.test.ts": 11,
  "test/agents/terminal/page/clipboard.test.ts": 11,
  "test/agents/pipe/pages.test.ts": 11,
  "test/agents/exec/program.test.ts": 11,
  "test/agents/reconciler/part-disks.test.ts": 10,
  "test/client/cli/every-command.test.ts": 10,
  "test/gateway/routes/hosting/container/terminal-openings.test.ts": 10,
  "test/gateway/console/second-factor.test.ts": 10,
  "test/agents/services/programs.test.ts": 10,
  "test/regression/start-refused.test.ts": 10,
  "test/agents/terminal/pty-host/page.test.ts": 10,
};

const OTHER_SECONDS = 3;

/** Where a checkout stores how long its test files took when they last ran. */
const TIMES_FILE = "node_modules/.cache/berth-test-times.json";
/** Where it stores which test files had a failure in the last run: a path a line. */
const FAILED_FILE = "node_modules/.cache/berth-test-failed";

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
  save(join(root, TIMES_FILE), JSON.stringify({ ...readLastTimes(root), ...seconds }));
}

/** Saves which files had a failure. */
export function saveFailed(root: string, files: readonly string[]): void {
  save(join(root, FAILED_FILE), files.map((file) => `${file}\n`).join(""));
}

function save(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch {
    // The checkout belongs to another user: the next run just knows less.
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
