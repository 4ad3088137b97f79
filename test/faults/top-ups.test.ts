import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { readCluster } from "../../actors/runtime/store/cluster/queries.ts";
import { role } from "../../scripts/role.ts";
import { BTCPAY, startBtcpay } from "../gateway/routes/billing/top-up/btcpay-server.ts";
import {
  balanceOf,
  callback,
  has,
  intentOf,
  opened,
  SANDBOX_ENV,
  topUp,
} from "../gateway/routes/billing/top-up/processors.ts";
import { STRIPE_KEY, startStripe } from "../gateway/routes/billing/top-up/stripe-server.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { partitionOf } from "../harness/partition-of.ts";
import { programFile } from "../harness/program.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../harness/servers.ts";
import { type Stack, startStack } from "../harness/stack.ts";
import { standStill } from "../harness/stand-still.ts";
import { until } from "../harness/until.ts";

let stack: Stack;
afterEach(() => stack.stop());

const ROOT = join(import.meta.dir, "../..");

async function ownerOf(kind: string, id: string) {
  const { leases } = await readCluster(stack.db);
  const owner = leases.find(({ partition }) => partition === partitionOf(kind, id))?.owner ?? "";
  const host = stack.hosts.find(({ name }) => owner.startsWith(`${name}-`));
  if (host === undefined) throw new Error(`${kind} ${id} has no owner`);
  return host;
}

test("kill -9 of the intent's host between the settlement and the wallet's answer credits once, and completes then", async () => {
  // Leases outlive the moments in which the wallet's host stands still.
  stack = await startStack({ actorHosts: 2, env: { ...SANDBOX_ENV, BERTH_LEASE_TTL_MS: "8000" } });
  const user = await stack.user();
  const walletHost = await ownerOf("wallet", user.id);
  const elsewhere = async () => {
    for (;;) {
      const intent = await opened(stack, user, "25");
      if ((await ownerOf("top_up", intent.id)).name !== walletHost.name) return intent;
    }
  };
  const { id, session } = await elsewhere();
  const intentHost = await ownerOf("top_up", id);

  await standStill(walletHost.pid);
  try {
    expect((await callback(stack, { intent: id, session })).status).toBe(200);
    const [row] = await stack.db`SELECT status, settling FROM payment_intents WHERE id = ${id}`;
    expect(row).toEqual({ status: "pending", settling: true });
    expect(await intentOf(stack, user, id)).toMatchObject({ status: "pending", credited_at: null });
    process.kill(intentHost.pid, "SIGKILL");
  } finally {
    process.kill(walletHost.pid, "SIGCONT");
  }
  const settled = await until(async () => {
    const intent = await intentOf(stack, user, id);
    return intent.status === "completed" && intent;
  });
  expect(settled.credited_at).not.toBeNull();
  expect(await balanceOf(stack, user)).toBe("25.00");
  await callback(stack, { intent: id, session });
  await has(stack, user, id, "completed");
  expect(await stack.db`SELECT 1 FROM transactions WHERE user_id = ${user.id}`).toHaveLength(1);
  expect(await stack.db`SELECT 1 FROM tasks WHERE kind = 'top_up' AND actor_id = ${id}`).toHaveLength(0);
});

test("kill -9 of the gateway while a processor makes the session: the same key gets that session, and no other is made", async () => {
  const [stripe, btcpay] = [startStripe(), startBtcpay()];
  const env = {
    BERTH_CARDPAY_PROVIDER: "stripe",
    BERTH_CARDPAY_WEBHOOK_SECRETS: "whsec_test",
    BERTH_STRIPE_SECRET_KEY: STRIPE_KEY,
    BERTH_STRIPE_URL: stripe.url,
    BERTH_CRYPTOPAY_PROVIDER: "btcpay",
    BERTH_CRYPTOPAY_WEBHOOK_SECRETS: "secret",
    BERTH_BTCPAY_URL: btcpay.url,
    BERTH_BTCPAY_API_KEY: BTCPAY.key,
    BERTH_BTCPAY_STORE_ID: BTCPAY.store,
    BERTH_TOP_UP_RETURN_URL: "https://app.example.com/paid",
  };
  stack = await startStack({ env });
  const user = await stack.user();
  const port = await freePort();
  const other = await role({
    name: "other-gateway",
    command: [process.execPath, programFile("gateway/main.ts")],
    cwd: ROOT,
    env: {
      ...CLEAN_ENVIRONMENT,
      ...env,
      DATABASE_URL: stack.databaseUrls.gateway,
      NATS_URL: stack.nats.url,
      BERTH_PORT: String(port),
      BERTH_LISTEN: "127.0.0.1",
      BERTH_SIGNING_KEY_FILE: stack.signingKeyFile,
    },
    log: join(temporaryFolder(), "other-gateway.log"),
    watchdog: sharedWatchdog(),
  }).start(new AbortController().signal);
  try {
    stripe.state.mode = "makes-and-hangs";
    btcpay.state.mode = "makes-and-hangs";
    const body = { amount: "25", idempotency_key: "k" };
    const cut = ["cardpay/checkout", "cryptopay/invoice"].map((path) =>
      fetch(`http://127.0.0.1:${port}/api/v1/wallet/payments/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${user.token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).catch(() => undefined),
    );
    await until(() => stripe.sessions.length === 1 && btcpay.invoices.length === 1);
    process.kill(other.pid, "SIGKILL");
    expect(await Promise.all(cut)).toEqual([undefined, undefined]);
    stripe.state.mode = "up";
    btcpay.state.mode = "up";

    // Until its claim has run out, the one that is dead counts as under way.
    const resumed = (provider: "cardpay" | "cryptopay") =>
      until(async () => {
        const answer = await topUp(stack, user, body, provider);
        return answer.status === 201 && answer.body.data;
      });
    const [checkout, invoice] = await Promise.all([resumed("cardpay"), resumed("cryptopay")]);
    expect([stripe.sessions.length, btcpay.invoices.length]).toEqual([1, 1]);
    expect(checkout.checkout_url).toBe(stripe.sessions[0]?.url);
    expect(invoice.invoice_url).toBe(btcpay.invoices[0]?.checkoutLink);
  } finally {
    await other.stop();
    await Promise.all([stripe.stop(), btcpay.stop()]);
  }
});
