import { Type } from "@sinclair/typebox";
import { AttemptEnded, BeginKey, KeyBegun, KeySynced } from "../../../schemas/billing/ai-credit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { type AiCredit, beginAttempt, ended, made, NO_KEY, synced } from "./rules.ts";
import { aiCreditTable } from "./table.ts";

const Done = Type.Object({});

/** A user's key at the provider of AI credit: attempts to create it, and the limit that was last set. Keyed by user. */
export const aiCreditActor = actor("ai_credit", {
  table: aiCreditTable,
  empty: (): AiCredit => NO_KEY,
  on: {
    begin: command(BeginKey, KeyBegun, (credit: AiCredit, { provider }, ctx: Context<AiCredit>) => {
      if (credit.provider === provider && credit.keyId !== null)
        return { outcome: "is one" as const, attempt: credit.attempt, look_first: false };
      const begun = beginAttempt(credit, provider, ctx.now);
      if (begun === undefined) return { outcome: "wait" as const, attempt: credit.attempt, look_first: true };
      ctx.setState(begun);
      return { outcome: "make" as const, attempt: begun.attempt, look_first: begun.uncertain };
    }),
    record_end: command(
      AttemptEnded,
      Done,
      (credit: AiCredit, { attempt, uncertain }, ctx: Context<AiCredit>) =>
        applyChange(ctx, credit, ended(credit, attempt, uncertain)),
    ),
    record_key: command(KeySynced, Done, (credit: AiCredit, input, ctx: Context<AiCredit>) =>
      applyChange(ctx, credit, made(credit, input.provider, input.key_id, BigInt(input.limit_micros))),
    ),
    record_limit: command(KeySynced, Done, (credit: AiCredit, input, ctx: Context<AiCredit>) =>
      applyChange(ctx, credit, synced(credit, input.provider, input.key_id, BigInt(input.limit_micros))),
    ),
  },
});

function applyChange(ctx: Context<AiCredit>, before: AiCredit, after: AiCredit): Record<string, never> {
  if (after !== before) ctx.setState(after);
  return {};
}
