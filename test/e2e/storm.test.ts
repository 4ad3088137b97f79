import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { proveLedger } from "../../actors/billing/ledger/queries.ts";
import { DomainError } from "../../schemas/errors.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";

/** Everything that moves money at once, over several users and hosts, with requests that come twice; then the proof. */

const USERS = 6;
const STEPS = 400;
/** Requests under way at once. */
const WORKERS = 24;

let stack: EmbeddedStack;
let users: TestUser[];
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2 });
  users = await Promise.all(Array.from({ length: USERS }, () => stack.user({ balance: "50" })));
});
afterAll(() => stack.stop());

const anyStep = fc.record({
  act: fc.constantFrom("credit", "transfer", "charge", "refund", "deposit", "invoice", "transfer over HTTP"),
  user: fc.nat(USERS - 1),
  cents: fc.integer({ min: 1, max: 2_000 }),
  /** How often the same request is sent, at once. */
  times: fc.constantFrom(1, 1, 2, 3),
});
type Step = (typeof anyStep extends fc.Arbitrary<infer T> ? T : never) & { readonly key: string };

const amountOf = (cents: number) => (cents / 100).toFixed(2);

/** Does one step; answers what its receipt says, or the code of the refusal that it had to reckon with. */
async function play({ act, user: index, cents, key }: Step): Promise<string> {
  const user = users[index] as TestUser;
  const wallet = stack.actors.wallet(user.id);
  const once = { key, hasClientKey: true };
  try {
    switch (act) {
      case "credit":
        return (await wallet.credit({ amount: amountOf(cents), reason: "storm" }, once)).value.transaction_id;
      case "transfer":
        return (await wallet.transfer({ amount: amountOf(cents) }, once)).value.general_balance;
      case "charge":
        return (
          await wallet.charge({ amount_cents: cents, transaction_type: "rental", reason: "storm" }, once)
        ).value.transaction_id;
      case "refund": {
        // What is refunded was charged, under a key that belongs to it.
        const { value } = await wallet.charge(
          { amount_cents: cents, transaction_type: "image_purchase", reason: "storm" },
          { key: `${key}:charge`, hasClientKey: true },
        );
        const charge_transaction_id = value.transaction_id;
        return (await wallet.refund({ amount_cents: cents, charge_transaction_id, reason: "storm" }, once))
          .value.transaction_id;
      }
      case "deposit": {
        const source = cents % 2 === 0 ? "cardpay" : "codehost_bonus";
        return (await wallet.deposit({ amount_cents: cents, source, reason: "storm" }, once)).value
          .transaction_id;
      }
      case "invoice": {
        const [newest] = await stack.db`
          SELECT id FROM transactions WHERE user_id = ${user.id} ORDER BY created_at DESC, id DESC LIMIT 1`;
        const { status, body } = await stack.call("POST", `/api/v1/wallet/invoices/generate/${newest?.id}`, {
          token: user.token,
        });
        expect([200, 201]).toContain(status);
        return body.data.invoice_id;
      }
      default: {
        const { status, body } = await stack.call("POST", "/api/v1/wallet/transfers", {
          token: user.token,
          body: { amount: amountOf(cents), idempotency_key: key },
        });
        if (status === 200) return body.data.general_balance;
        expect([status, body.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
        return body.code;
      }
    }
  } catch (error) {
    if (error instanceof DomainError && error.code === "INSUFFICIENT_BALANCE") return error.code;
    throw error;
  }
}

test("a storm of mixed operations, each sent up to three times, ends with the ledger proved", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`storm: seed ${seed}`);
  const steps = fc.sample(anyStep, { seed, numRuns: STEPS });
  const left = steps.map((step, index): Step => ({ ...step, key: `storm-${index}` })).reverse();
  const work = async () => {
    for (let step = left.pop(); step !== undefined; step = left.pop()) {
      const sent = step;
      const answers = await Promise.all(Array.from({ length: sent.times }, () => play(sent)));
      // A refusal may be followed by a success under the same key: money may have come in between.
      const receipts = new Set(answers.filter((answer) => answer !== "INSUFFICIENT_BALANCE"));
      if (sent.act !== "invoice") expect(receipts.size).toBeLessThanOrEqual(1);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));

  const report = await proveLedger(stack.databaseUrl);
  expect(report.checks.filter(({ broken }) => broken > 0)).toEqual([]);
  expect(report.transactions).toBeGreaterThan(STEPS / 3);
  const [twice] = await stack.db`
    SELECT count(*)::int AS invoices, count(DISTINCT transaction_id)::int AS transactions FROM invoices`;
  expect(twice?.invoices).toBe(twice?.transactions);
  expect(twice?.invoices).toBeGreaterThan(0);
  for (const user of users) {
    const { body } = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
    expect(body.data.general_balance).toMatch(/^\d+\.\d{2}$/);
  }
});
