import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";

/**
 * The slowest test files, with their approximate duration in seconds. They start first, so that none runs alone at
 * the end. Used for a first run; later runs use measured times.
 */
export const LONGEST: Readonly<Record<string, number>> = {
  "test/gateway/console/console.test.ts": 180,
  "test/fuzz/hostile-values.test.ts": 132,
  "test/e2e/first-five-minutes.test.ts": 132,
  "test/agents/reconciler/killed-at-each-step.test.ts": 131,
  "test/simulation/simulation.test.ts": 128,
  "test/gateway/console/operator.test.ts": 114,
  "test/gateway/auth/spellings.test.ts": 84,
  "test/agents/terminal/session/session.test.ts": 77,
  "test/gateway/console/real-container.test.ts": 76,
  "test/agents/terminal/pty-host/restart.test.ts": 75,
  "test/regression/container-takes-the-host.test.ts": 65,
  "test/agents/terminal/session/output-scheduler.test.ts": 57,
  "test/agents/services/terminal-outlives-agent.test.ts": 55,
  "test/client/cli/whole-way.test.ts": 53,
  "test/gateway/routes/hosting/alias/hosts.test.ts": 53,
  "test/agents/terminal/ssh/ssh.test.ts": 52,
  "test/agents/terminal/page/page.test.ts": 49,
  "test/gateway/console/flow.test.ts": 48,
  "test/agents/reconciler/reconcile.test.ts": 45,
  "test/faults/partition.test.ts": 45,
  "test/agents/pipe/memory.test.ts": 42,
  "test/faults/ai-credit.test.ts": 41,
  "test/faults/infrastructure.test.ts": 41,
  "test/gateway/console/account.test.ts": 41,
  "test/regression/second-agent-on-a-subnet.test.ts": 41,
  "test/client/readme.test.ts": 40,
  "test/gateway/console/second-factor.test.ts": 40,
  "test/gateway/routes/hosting/container/settings-on-host.test.ts": 38,
  "test/gateway/ai-credit/provider.test.ts": 35,
  "test/system/first-process.test.ts": 35,
  "test/agents/containers/oci/container.test.ts": 33,
  "test/scripts/supervisor.test.ts": 33,
  "test/agents/edge/http.test.ts": 32,
  "test/agents/terminal/page/hands.test.ts": 32,
  "test/e2e/bad-input.test.ts": 31,
  "test/gateway/routes/hosting/container/silent-host.test.ts": 31,
  "test/scripts/ledger-check.test.ts": 31,
  "test/client/cli/binary.test.ts": 30,
  "test/faults/top-ups.test.ts": 30,
  "test/scripts/backup/backup.test.ts": 30,
  "test/agents/services/display.test.ts": 29,
  "test/faults/nats.test.ts": 29,
  "test/faults/postgres.test.ts": 29,
  "test/gateway/routes/hosting/alias/expiry.test.ts": 28,
  "test/faults/actor-hosts.test.ts": 27,
  "test/gateway/routes/hosting/storage-share/real-host.test.ts": 27,
  "test/agents/services/pipe-and-files.test.ts": 25,
  "test/agents/terminal/session/ending.test.ts": 25,
  "test/gateway/console/pools.test.ts": 25,
  "test/regression/deleted-data-folder.test.ts": 25,
  "test/regression/host-rules-removed.test.ts": 25,
  "test/agents/main.test.ts": 24,
  "test/gateway/routes/market/payment-timeout.test.ts": 24,
  "test/agents/network/nft/agent-killed.test.ts": 23,
  "test/agents/notifier/streams.test.ts": 23,
  "test/agents/terminal/screen/bounds.test.ts": 23,
  "test/gateway/console/network.test.ts": 23,
  "test/agents/pipe/pages.test.ts": 22,
  "test/agents/terminal/pty-host/page.test.ts": 22,
  "test/agents/notifier/page/page.test.ts": 21,
  "test/agents/reconciler/many-containers.test.ts": 21,
  "test/client/cli/every-command.test.ts": 21,
  "test/faults/sagas.test.ts": 21,
  "test/gateway/routes/hosting/container/rebuilt.test.ts": 21,
  "test/agents/containers/images/import.test.ts": 20,
  "test/agents/terminal/page/clipboard.test.ts": 20,
  "test/agents/exec/hostile-program.test.ts": 19,
  "test/agents/reconciler/shares.test.ts": 19,
  "test/gateway/routes/accounts/codehost/disabled.test.ts": 19,
  "test/agents/exec/program.test.ts": 18,
  "test/gateway/openapi/document.test.ts": 18,
  "test/gateway/routes/accounts/account/login-limit.test.ts": 18,
  "test/gateway/routes/hosting/container/inside.test.ts": 18,
  "test/actors/activity/event/reconcile.test.ts": 17,
  "test/agents/notifier/desktop/program.test.ts": 17,
  "test/gateway/ai-credit/sandbox.test.ts": 17,
  "test/regression/start-refused.test.ts": 17,
  "test/agents/exec/container.test.ts": 16,
  "test/agents/terminal/session/programs.test.ts": 16,
  "test/client/cli/account.test.ts": 16,
  "test/gateway/openapi/page.test.ts": 16,
  "test/gateway/routes/activity/event/delete.test.ts": 16,
  "test/gateway/routes/hosting/firewall/rules.test.ts": 16,
  "test/gateway/routes/market/race.test.ts": 16,
  "test/scripts/servers.test.ts": 16,
  "test/agents/containers/images/container-of-image.test.ts": 15,
  "test/agents/notifier/desktop/notify.test.ts": 15,
  "test/agents/services/notifications.test.ts": 15,
  "test/client/cli/admin.test.ts": 15,
  "test/client/cli/completion.test.ts": 15,
  "test/gateway/lists/lists.test.ts": 15,
  "test/agents/containers/root-image.test.ts": 14,
  "test/agents/notifier/icons/icons.test.ts": 14,
  "test/faults/stolen-host-credential.test.ts": 14,
  "test/gateway/routes/activity/event/shared.test.ts": 14,
  "test/gateway/routes/hosting/container/ended-sessions.test.ts": 14,
  "test/gateway/invoices/pdf/invoice-pdf.test.ts": 13,
  "test/gateway/routes/accounts/account/deletion-faults.test.ts": 13,
  "test/agents/containers/images/pull.test.ts": 12,
  "test/agents/edge/websocket.test.ts": 12,
  "test/agents/notifier/main.test.ts": 12,
  "test/agents/pipe/waiting.test.ts": 12,
  "test/agents/services/without-isolation.test.ts": 12,
  "test/e2e/ended-sessions.test.ts": 12,
  "test/gateway/routes/billing/top-up/stripe.test.ts": 12,
  "test/gateway/routes/hosting/container/terminal-openings.test.ts": 12,
  "test/gateway/routes/accounts/token/tokens.test.ts": 11,
  "test/gateway/routes/activity/event/follow.test.ts": 11,
  "test/gateway/routes/activity/notification/curated.test.ts": 11,
  "test/gateway/routes/activity/webhook/webhooks.test.ts": 11,
  "test/gateway/routes/hosting/firewall/replace.test.ts": 11,
  "test/gateway/routes/hosting/image/saga.test.ts": 11,
  "test/agents/edge/tls/certificates.test.ts": 10,
  "test/agents/pipe/crowd.test.ts": 10,
  "test/agents/terminal/server/upload.test.ts": 10,
  "test/client/cli/key-ring.test.ts": 10,
  "test/gateway/routes/accounts/codehost/bonus.test.ts": 10,
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
