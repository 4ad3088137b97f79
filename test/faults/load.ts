import type { StackClient } from "../harness/stack-client.ts";
import { type Attempt, cents, type History, isUnclear, type Payer } from "./history.ts";

/** Transfers that are made one after the other by each client, and all that was answered to them. */
export interface Load {
  /** Transfers acknowledged so far; of one user when asked. */
  acknowledged(user?: Payer): number;
  /** Tries that had no clear answer so far. */
  unclear(): number;
  /** Ends the load once each transfer has a clear answer. */
  stop(): Promise<History>;
}

/** One is too small for a fee, one leaves a fee and a net. */
const AMOUNTS = ["0.01", "0.20", "0.07"];
/** More than anyone has. */
const TOO_MUCH = "999999999";
/** A client that got no clear answer asks again after this: often within an outage, which lasts seconds. */
const ASK_AGAIN_MS = 100;
/** Between two transfers of a client: some are always under way when trouble comes, and the machine has time for the rest. */
const PAUSE_MS = 30;

/**
 * Clients that move money of these users, each transfer under a key of its own. What gets no clear answer is asked for again
 * until it has one. Now and then they ask for more than there is, for the same again, or for another amount under a used key.
 */
export function startLoad(stack: Pick<StackClient, "call">, users: readonly Payer[], clients: number): Load {
  let going = true;
  let unclear = 0;
  const counts = new Map<string, number>();
  const history: Attempt[] = [];

  async function attempt(user: Payer, key: string, amount: string): Promise<Attempt> {
    const startMs = performance.now();
    const answer = await stack
      .call("POST", "/api/v1/wallet/transfers", {
        token: user.token,
        body: { amount, idempotency_key: key },
      })
      .catch(() => undefined);
    // What the provider of AI credit knows by now is the gateway's to add: the wallet's receipt does not have it.
    const {
      replayed = false,
      key_created: _created,
      limit_sync_pending: _pending,
      ...receipt
    } = answer?.status === 200 ? answer.body.data : {};
    const made: Attempt = {
      userId: user.id,
      key,
      amountCents: cents(amount),
      startMs,
      endMs: performance.now(),
      status: answer?.status ?? 0,
      code: answer?.body?.code,
      replayed,
      receipt: answer?.status === 200 ? receipt : undefined,
    };
    history.push(made);
    if (isUnclear(made)) unclear += 1;
    if (made.status === 200 && !replayed) counts.set(user.id, (counts.get(user.id) ?? 0) + 1);
    return made;
  }

  async function untilClear(user: Payer, key: string, amount: string): Promise<void> {
    while (isUnclear(await attempt(user, key, amount))) await Bun.sleep(ASK_AGAIN_MS);
  }

  const done = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let i = 0; going; i++, await Bun.sleep(PAUSE_MS)) {
        const user = users[(client + i) % users.length] as Payer;
        const key = `${client}-${i}`;
        const amount = AMOUNTS[i % AMOUNTS.length] as string;
        if (i % 16 === 7) await untilClear(user, key, TOO_MUCH);
        else await untilClear(user, key, amount);
        if (i % 16 === 3) await untilClear(user, key, amount);
        if (i % 16 === 11) await untilClear(user, key, "5");
      }
    }),
  );

  return {
    acknowledged: (user) =>
      user === undefined
        ? [...counts.values()].reduce((sum, count) => sum + count, 0)
        : (counts.get(user.id) ?? 0),
    unclear: () => unclear,
    async stop() {
      going = false;
      await done;
      return history;
    },
  };
}
