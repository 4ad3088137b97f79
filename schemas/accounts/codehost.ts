import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Decimal, Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { Text } from "../text.ts";

/** An identity at a code host, linked by OAuth, and the bonus for it (spec, control plane §2, §4.6; design §3 "Credentials"). */

export const LinkBegun = Type.Object({
  authorization_url: Type.String({ description: "where the user's browser goes next" }),
  expires_at: Timestamp,
});

export const Linked = Type.Object({ codehost_username: Type.String(), linked_at: Timestamp });
export type Linked = Static<typeof Linked>;

const Parameter = Type.Optional(Text({ maxLength: 2048 }));

/**
 * The parameters with which a code host may send its user back: RFC 6749 §4.1.2, RFC 9207, and additions of known
 * hosts. Others are refused, as in every query.
 */
export const CallbackQuery = Strict({
  code: Parameter,
  state: Parameter,
  error: Parameter,
  error_description: Parameter,
  error_uri: Parameter,
  iss: Parameter,
  scope: Parameter,
  session_state: Parameter,
  setup_action: Parameter,
  installation_id: Parameter,
});
export type CallbackQuery = Static<typeof CallbackQuery>;

export const BonusClaim = Type.Object({ amount_usd: Decimal, at: Timestamp, transaction_id: Id });
export type BonusClaim = Static<typeof BonusClaim>;

/** All fields while the offer is on. Otherwise only `enabled: false` and an earlier claim of the caller. */
export const BonusStatus = Type.Object({
  enabled: Type.Boolean(),
  repo: Type.Optional(Type.String({ description: "the repository that the bonus is for" })),
  amount_usd: Type.Optional(Decimal),
  codehost_linked: Type.Optional(Type.Boolean()),
  codehost_username: Type.Optional(Nullable(Type.String())),
  claimed: Type.Optional(Type.Boolean()),
  identity_claimed_elsewhere: Type.Optional(Type.Boolean()),
  claim: Type.Optional(Nullable(BonusClaim)),
});
export type BonusStatus = Static<typeof BonusStatus>;

const CLAIM_RESULTS = [
  "granted",
  "already_claimed",
  "identity_claimed_elsewhere",
  "not_linked",
  "offer_ended",
  "retry",
  "error",
] as const;

export const ClaimOutcome = Type.Object({
  result: OneOf(CLAIM_RESULTS),
  amount_usd: Type.Optional(Decimal),
  transaction_id: Type.Optional(Id),
  claim: Type.Optional(BonusClaim),
});
export type ClaimOutcome = Static<typeof ClaimOutcome>;

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
/**
 * The hash of a code host and the identity's numeric id there. A user name may get another owner, a numeric id does
 * not.
 */
const IdentityId = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Username = Text({ minLength: 1, maxLength: 200 });

/**
 * To the actor of an account: begins a link. Secrets arrive as hashes, except the PKCE verifier, which is sent to the
 * host once.
 */
export const BeginLink = Strict({
  state_hash: Hash,
  binding_hash: Hash,
  verifier: Type.String({ minLength: 43, maxLength: 128 }),
});
export const LinkExpiry = Type.Object({ expires_at: Timestamp });

/**
 * To the actor: the user has returned. `binding_hash` is null when the account itself sends the request, with its
 * token.
 */
export const RedeemLink = Strict({ state_hash: Hash, binding_hash: Nullable(Hash) });
export const LinkRedeemed = Type.Object({ verifier: Type.String() });

/** To the actor: the user's identity at the code host. */
export const LinkIdentity = Strict({ identity_id: IdentityId, username: Username });

/** Between actors: an account asks for the exclusive claim to an identity. */
export const HoldIdentity = Strict({ user_id: Id });
export const IdentityHeld = Type.Object({ held: Type.Boolean() });

export const LinkBegunReply = Reply(LinkBegun);
export const LinkedReply = Reply(Linked);
export const BonusStatusReply = Reply(BonusStatus);
export const ClaimReply = Reply(ClaimOutcome);
