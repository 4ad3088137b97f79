import { type Static, Type } from "@sinclair/typebox";
import { Nullable, Strict } from "../primitives.ts";

/** AI credit: messages between the wallet, its provider and the gateways (spec, control plane §2 "Wallet records"). */

export const AI_USAGE_STATUS = {
  live: "just read from the provider",
  no_provider: "the platform has no provider of AI credit",
  no_key: "there is no key at the provider, because no credit has been transferred yet",
  pending: "credit was transferred, but its key has not been created yet",
  unavailable: "the provider did not answer in time",
} as const;
export type AiUsageStatus = keyof typeof AI_USAGE_STATUS;

/** An amount in micro-USD, as a decimal string. */
export const Micros = Type.String({ pattern: "^(0|[1-9][0-9]{0,18})$" });

/** Announces that a key was created, or has a new limit. */
export const AiCreditSynced = Type.Object({
  user_id: Type.String(),
  synced_micros: Micros,
  created_with_micros: Nullable(Micros),
});
export type AiCreditSynced = Static<typeof AiCreditSynced>;

/** To the actor: an actor host is about to create a key at the provider. */
export const BeginKey = Strict({ provider: Type.String({ maxLength: 40 }) });
export const KeyBegun = Type.Object({
  /**
   * `make`: create the key as this attempt; `wait`: another attempt may be in progress; `is one`: the key already
   * exists.
   */
  outcome: Type.Union([Type.Literal("make"), Type.Literal("wait"), Type.Literal("is one")]),
  attempt: Type.Integer(),
  /** The outcome of an earlier attempt is unknown: the key may exist. */
  look_first: Type.Boolean(),
});

/** To the actor: this attempt has ended. `uncertain`: it may have created a key. */
export const AttemptEnded = Strict({ attempt: Type.Integer(), uncertain: Type.Boolean() });

/** To the actor: the state at the provider. */
export const KeySynced = Strict({
  provider: Type.String({ maxLength: 40 }),
  key_id: Type.String({ minLength: 1, maxLength: 200 }),
  limit_micros: Micros,
});
export type KeySynced = Static<typeof KeySynced>;
