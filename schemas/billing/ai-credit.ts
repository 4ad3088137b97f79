import { type Static, Type } from "@sinclair/typebox";
import { Nullable, Strict } from "../primitives.ts";

/** AI credit: what the wallet, its provider and the gateways tell each other (spec, control plane §2 "Wallet records"). */

export const AI_USAGE_STATUS = {
  live: "just read from the provider",
  no_provider: "the platform has no provider of AI credit",
  no_key: "there is no key at the provider, for no credit was transferred yet",
  pending: "credit was transferred, and the key for it is not made yet",
  unavailable: "the provider did not answer in time",
} as const;
export type AiUsageStatus = keyof typeof AI_USAGE_STATUS;

/** Micro-USD as text. */
export const Micros = Type.String({ pattern: "^(0|[1-9][0-9]{0,18})$" });

/** Says that a key has been made, or been given a new limit. */
export const AiCreditSynced = Type.Object({
  user_id: Type.String(),
  synced_micros: Micros,
  created_with_micros: Nullable(Micros),
});
export type AiCreditSynced = Static<typeof AiCreditSynced>;

/** To the actor: somebody is about to make a key at the provider. */
export const BeginKey = Strict({ provider: Type.String({ maxLength: 40 }) });
export const KeyBegun = Type.Object({
  /** `make` it under this attempt; `wait`, since another attempt may be under way; there `is one` already. */
  outcome: Type.Union([Type.Literal("make"), Type.Literal("wait"), Type.Literal("is one")]),
  attempt: Type.Integer(),
  /** The outcome of an earlier attempt is unknown: the key may be there. */
  look_first: Type.Boolean(),
});

/** To the actor: this attempt is over. `uncertain`: there may be a key even so. */
export const AttemptEnded = Strict({ attempt: Type.Integer(), uncertain: Type.Boolean() });

/** To the actor: what the provider has. */
export const KeySynced = Strict({
  provider: Type.String({ maxLength: 40 }),
  key_id: Type.String({ minLength: 1, maxLength: 200 }),
  limit_micros: Micros,
});
export type KeySynced = Static<typeof KeySynced>;
