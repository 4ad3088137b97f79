import type { Stack, TestUser } from "../harness/stack.ts";

/** What became of the transfers of a storm, by idempotency key. */
export interface Storm {
  /** Acknowledged so far. */
  acknowledged(): number;
  /** Ends the storm, and asks again for each transfer that got no clear answer until it has one. */
  stop(): Promise<{ acknowledged: Map<string, string[]>; refused: unknown[]; askedAgain: number }>;
}

const CENT = "0.01";

/** Clients that move a cent at a time for these users, each transfer under a key of its own. */
export function storm(stack: Stack, users: readonly TestUser[], clients: number): Storm {
  let going = true;
  let count = 0;
  const acknowledged = new Map(users.map((user) => [user.id, [] as string[]]));
  const unclear: { user: TestUser; key: string }[] = [];
  const refused: unknown[] = [];

  async function transfer(user: TestUser, key: string): Promise<boolean> {
    try {
      const { status, body } = await stack.call("POST", "/api/v1/wallet/transfers", {
        token: user.token,
        body: { amount: CENT, idempotency_key: key },
      });
      if (status === 200) {
        acknowledged.get(user.id)?.push(key);
        count += 1;
        return true;
      }
      if (status !== 503) refused.push(body);
      return status !== 503;
    } catch {
      return false;
    }
  }

  const done = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let i = 0; going; i++) {
        const user = users[(client + i) % users.length] as TestUser;
        const key = `${client}-${i}`;
        if (!(await transfer(user, key))) unclear.push({ user, key });
      }
    }),
  );

  return {
    acknowledged: () => count,
    async stop() {
      going = false;
      await done;
      for (const { user, key } of unclear) {
        while (!(await transfer(user, key))) await Bun.sleep(50);
      }
      return { acknowledged, refused, askedAgain: unclear.length };
    },
  };
}

/** What the database holds of the users' transfers. */
export async function audit(stack: Stack, users: readonly TestUser[]) {
  const ids = users.map((user) => user.id);
  const receipts = await stack.db<{ actor_id: string; key: string }[]>`
    SELECT actor_id, key FROM receipts WHERE actor_id = ANY (${ids}::text[]) AND key LIKE 'wallet.transfer:%'`;
  const transactions = await stack.db<{ user_id: string; count: number }[]>`
    SELECT user_id, count(*)::int AS count FROM transactions
    WHERE user_id = ANY (${ids}::text[]) AND transaction_type = 'ai_credit_transfer' GROUP BY user_id`;
  const [unbalanced] = await stack.db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM wallets w
    LEFT JOIN (SELECT account, sum(amount_micros) AS micros FROM postings GROUP BY account) g
      ON g.account = 'general:' || w.user_id
    LEFT JOIN (SELECT account, sum(amount_micros) AS micros FROM postings GROUP BY account) a
      ON a.account = 'ai:' || w.user_id
    WHERE w.general_cents * 10000 <> coalesce(g.micros, 0) OR w.ai_limit_micros <> coalesce(a.micros, 0)`;
  const events = await stack.db<{ user_id: string; count: number }[]>`
    SELECT user_id, count(*)::int AS count FROM events
    WHERE user_id = ANY (${ids}::text[]) AND event_type = 'user.credit_transferred' GROUP BY user_id`;
  return {
    keys: new Map(
      ids.map((id) => [
        id,
        receipts
          .filter((receipt) => receipt.actor_id === id)
          .map((receipt) => receipt.key.slice("wallet.transfer:".length))
          .sort(),
      ]),
    ),
    transactions: new Map(transactions.map((row) => [row.user_id, row.count])),
    events: new Map(events.map((row) => [row.user_id, row.count])),
    unbalanced: unbalanced?.count ?? 0,
  };
}
