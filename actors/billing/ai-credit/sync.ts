import type { AiCreditSynced } from "../../../schemas/billing/ai-credit.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { type AiProvider, keyNameOf, ProviderError } from "./provider/provider.ts";
import { withTimeLimit } from "./provider/time-limit.ts";
import { type CreditRecord, readCredit } from "./queries.ts";
import { MAKE_MS_MAX } from "./rules.ts";

export type Announce = (synced: AiCreditSynced) => void;

interface Tools {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly provider: AiProvider;
  readonly announce: Announce;
}

/** The time limits for setting a key's limit, and for searching all keys, which takes many pages. */
const SET_MS_MAX = 5_000;
const FIND_MS_MAX = 60_000;

/** Sets one user's limit at the provider. Rejects when that did not succeed; it can be repeated. */
export async function syncCredit(userId: string, tools: Tools): Promise<void> {
  const { db, provider, announce } = tools;
  const credit = await readCredit(db, userId, provider.name);
  if (credit.limitMicros === 0n && credit.keyId === null) return;
  let { createdWithMicros } = credit;
  if (credit.keyId === null) {
    await makeKey(userId, credit, tools);
    createdWithMicros = credit.limitMicros;
  } else if (credit.syncedMicros !== credit.limitMicros) {
    await setLimit(userId, credit.keyId, credit.limitMicros, tools);
  }
  announce({
    user_id: userId,
    synced_micros: credit.limitMicros.toString(),
    created_with_micros: createdWithMicros?.toString() ?? null,
  });
}

async function setLimit(
  userId: string,
  keyId: string,
  limitMicros: bigint,
  { provider, actors }: Tools,
): Promise<void> {
  await withTimeLimit(SET_MS_MAX, (signal) => provider.setLimit(keyId, limitMicros, signal));
  const limit_micros = limitMicros.toString();
  await actors.ai_credit(userId).record_limit({ provider: provider.name, key_id: keyId, limit_micros });
}

/**
 * Creates a user's key, and never two of them: an attempt is recorded before it is made. If its outcome is unknown,
 * the key is searched for once the request can no longer arrive.
 */
async function makeKey(userId: string, credit: CreditRecord, tools: Tools): Promise<void> {
  const { provider, actors } = tools;
  const actor = actors.ai_credit(userId);
  const { value: begun } = await actor.begin({ provider: provider.name });
  if (begun.outcome === "is one") throw new Error("the key has been made meanwhile");
  if (begun.outcome === "wait") throw new Error("an earlier attempt to make the key may be under way");
  const name = keyNameOf(userId);
  let looked = false;
  try {
    if (begun.look_first) {
      const keyId = await withTimeLimit(FIND_MS_MAX, (signal) => provider.find(name, signal));
      looked = true;
      if (keyId !== undefined) {
        await withTimeLimit(SET_MS_MAX, (signal) => provider.setLimit(keyId, credit.limitMicros, signal));
        await recordKey(keyId);
        return;
      }
    }
    await recordKey(
      await withTimeLimit(MAKE_MS_MAX, (signal) => provider.create(name, credit.limitMicros, signal)),
    );
  } catch (error) {
    const isLook = begun.look_first && !looked;
    if (error instanceof ProviderError && (isLook || error.isOver)) {
      await actor.record_end({ attempt: begun.attempt, uncertain: isLook || !error.nothingDone });
    }
    throw error;
  }

  async function recordKey(keyId: string): Promise<void> {
    const limit_micros = credit.limitMicros.toString();
    await actor.record_key({ provider: provider.name, key_id: keyId, limit_micros });
  }
}
