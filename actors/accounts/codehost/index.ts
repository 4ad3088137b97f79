import { Type } from "@sinclair/typebox";
import {
  BeginLink,
  ClaimOutcome,
  HoldIdentity,
  IdentityHeld,
  LinkExpiry,
  Linked,
  LinkIdentity,
  LinkRedeemed,
  RedeemLink,
} from "../../../schemas/accounts/codehost.ts";
import { TransactionReceipt } from "../../../schemas/billing/wallet.ts";
import { Strict } from "../../../schemas/primitives.ts";
import type { walletActor } from "../../billing/wallet/index.ts";
import { fromCents } from "../../platform/money.ts";
import type { CodehostBonus } from "../../platform/settings.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo, ReplyTo } from "../../runtime/transport/message.ts";
import {
  type Claim,
  type Claiming,
  type CodehostAccount,
  expiryOf,
  immediateOutcome,
  NO_ACCOUNT,
  redeem,
} from "./rules.ts";
import { codehostAccountTable, codehostIdentityTable, type Holder } from "./table.ts";

const Done = Type.Object({});
const Nothing = Strict({});
const NoContext = Type.Object({});

const identities = messagesTo<typeof codehostIdentityActor>("codehost_identity");
const wallets = messagesTo<ReturnType<typeof walletActor>>("wallet");

type Ctx = Context<CodehostAccount>;

/**
 * A user's link to the code host. Keyed by user. A claim is a saga: it reserves the identity, so that no other
 * account claims with it, and then deposits the bonus in the wallet.
 */
export const codehostAccountActor = (bonus: CodehostBonus | undefined) =>
  actor("codehost_account", {
    table: codehostAccountTable,
    hasTasks: true,
    empty: (): CodehostAccount => NO_ACCOUNT,
    on: {
      begin_link: command(BeginLink, LinkExpiry, (account: CodehostAccount, input, ctx: Ctx) => {
        const expiresAt = expiryOf(ctx.now);
        const { state_hash: stateHash, binding_hash: bindingHash, verifier } = input;
        ctx.setState({ ...account, attempt: { stateHash, bindingHash, verifier, expiresAt } });
        return { expires_at: expiresAt.toISOString() };
      }),

      redeem_link: command(RedeemLink, LinkRedeemed, (account: CodehostAccount, input, ctx: Ctx) => {
        const { verifier } = redeem(account, input.state_hash, input.binding_hash, ctx.now);
        ctx.setState({ ...account, attempt: null });
        return { verifier };
      }),

      link: command(LinkIdentity, Linked, (account: CodehostAccount, input, ctx: Ctx) => {
        const identity = { id: input.identity_id, username: input.username, linkedAt: ctx.now };
        ctx.setState({ ...account, identity });
        return { codehost_username: identity.username, linked_at: ctx.now.toISOString() };
      }),

      unlink: command(Nothing, Done, (account: CodehostAccount, _input, ctx: Ctx) => {
        if (account.identity !== null || account.attempt !== null)
          ctx.setState({ ...account, identity: null, attempt: null });
        return {};
      }),

      claim: command(Nothing, ClaimOutcome, (account: CodehostAccount, _input, ctx: Ctx) => {
        const { identity, claiming } = account;
        if (claiming !== null) {
          if (!claiming.joined) ctx.setState({ ...account, claiming: { ...claiming, joined: true } });
          return ctx.awaitSaga(joinedSaga(claiming.saga));
        }
        const result = immediateOutcome(account, bonus !== undefined);
        if (result !== undefined) return { result };
        if (identity === null || bonus === undefined) throw new Error("a claim without identity or offer");
        const saga = ctx.newId();
        const begun = { saga, identityId: identity.id, cents: bonus.amountCents, joined: false };
        ctx.setState({ ...account, claiming: begun });
        ctx.send(`hold:${saga}`, identities(identity.id).hold({ user_id: ctx.actorId }), {
          onReply: "on_held",
        });
        return ctx.awaitSaga(saga);
      }),

      /** Handles the identity's reply to the claim. */
      on_held: command(
        ReplyTo(IdentityHeld, NoContext),
        Done,
        (account: CodehostAccount, { reply }, ctx: Ctx) => {
          const claiming = underway(account);
          if (reply.status === "error") return endClaim(ctx, account, { result: "error" });
          if (!reply.value.held) return endClaim(ctx, account, { result: "identity_claimed_elsewhere" });
          const deposit = wallets(ctx.actorId).deposit({
            amount_cents: Number(claiming.cents),
            source: "codehost_bonus",
            reason: "Code-host bonus",
          });
          ctx.send(`deposit:${claiming.saga}`, deposit, { onReply: "on_deposited" });
          return {};
        },
      ),

      /** Handles the wallet's reply to the bonus. If the wallet refuses it, the identity becomes free. */
      on_deposited: command(
        ReplyTo(TransactionReceipt, NoContext),
        Done,
        (account: CodehostAccount, { reply }, ctx: Ctx) => {
          const { saga, identityId, cents } = underway(account);
          if (reply.status === "error") {
            ctx.send(`release:${saga}`, identities(identityId).release({ user_id: ctx.actorId }));
            return endClaim(ctx, account, { result: "error" });
          }
          const claim = { identityId, cents, transactionId: reply.value.transaction_id, at: ctx.now };
          return endClaim(ctx, { ...account, claim }, granted(claim));
        },
      ),
    },
  });

/**
 * An identity at the code host, so that two accounts cannot claim with it. Keyed by identity; its state is the user
 * who holds it.
 */
export const codehostIdentityActor = actor("codehost_identity", {
  table: codehostIdentityTable,
  empty: (): Holder | null => null,
  on: {
    hold: command(
      HoldIdentity,
      IdentityHeld,
      (holder: Holder | null, { user_id }, ctx: Context<Holder | null>) => {
        if (holder === null) ctx.setState({ userId: user_id });
        return { held: holder === null || holder.userId === user_id };
      },
    ),
    release: command(
      HoldIdentity,
      Done,
      (holder: Holder | null, { user_id }, ctx: Context<Holder | null>) => {
        if (holder?.userId === user_id) ctx.setState(null);
        return {};
      },
    ),
  },
});

const joinedSaga = (saga: string): string => `${saga}:joined`;

function underway({ claiming }: CodehostAccount): Claiming {
  if (claiming === null) throw new Error("a reply to a claim that is not in progress");
  return claiming;
}

/** Ends the claim. Only the first of the waiting requests gets the reply that the bonus was granted. */
function endClaim(ctx: Ctx, account: CodehostAccount, outcome: ClaimOutcome): Record<string, never> {
  const { saga, joined } = underway(account);
  ctx.setState({ ...account, claiming: null });
  ctx.completeSaga(saga, outcome);
  if (joined)
    ctx.completeSaga(
      joinedSaga(saga),
      outcome.result === "granted" ? { result: "already_claimed" } : outcome,
    );
  return {};
}

function granted({ cents, transactionId, at }: Claim): ClaimOutcome {
  const amount_usd = fromCents(cents);
  const claim = { amount_usd, at: at.toISOString(), transaction_id: transactionId };
  return { result: "granted", amount_usd, transaction_id: transactionId, claim };
}
