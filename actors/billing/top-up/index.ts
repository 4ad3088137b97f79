import { type Static, Type } from "@sinclair/typebox";
import {
  PaymentAdapterSchema,
  PaymentProviderSchema,
  ResolveReview,
} from "../../../schemas/billing/top-up.ts";
import { TransactionReceipt } from "../../../schemas/billing/wallet.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { Amount, Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { fromCents, moneyText, toCents } from "../../platform/money.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { ReplyTo } from "../../runtime/transport/message.ts";
import {
  deposit,
  openReview,
  recordResolvedEvent,
  recordSettledEvent,
  type State,
  saveReview,
} from "./changes.ts";
import { DepositContext, onDepositCredited, onDepositRefused } from "./deposit-replies.ts";
import {
  canOpenSession,
  creditable,
  decideSettlement,
  type Intent,
  isOver,
  isSettledByPayment,
  type Settlement,
  statusAt,
} from "./rules.ts";
import { paymentIntentTable } from "./table.ts";

type Ctx = Context<State>;

const Cents = Type.Integer({ minimum: 0, maximum: 100_000_000_000_000 });
const Session = Type.String({ minLength: 1, maxLength: 255 });
const Done = Type.Object({});

const CreateInput = Strict({
  user_id: Id,
  provider: PaymentProviderSchema,
  amount: Amount,
  /** The smallest and largest payment, from the gateway's settings. */
  min_cents: Cents,
  max_cents: Cents,
  lifetime_ms: Type.Integer({ minimum: 1 }),
});
const ClaimInput = Strict({ token: Type.String(), adapter: PaymentAdapterSchema, for_ms: Type.Integer() });
const OpenedInput = Strict({ session_id: Session, redirect_url: Type.String({ maxLength: 4096 }) });
/** The sender of a callback: one from another processor than the intent's is refused. */
const Source = { provider: PaymentProviderSchema, adapter: PaymentAdapterSchema };
const SettleInput = Strict({
  ...Source,
  session_id: Session,
  paid_cents: Nullable(Cents),
  currency: Type.String({ maxLength: 16 }),
  reported: Type.String({ maxLength: 255 }),
  is_final: Type.Boolean(),
});
const EndInput = Strict({
  ...Source,
  session_id: Session,
  outcome: Type.Union([Type.Literal("failed"), Type.Literal("expired")]),
});
const ResolveInput = Strict({ ...ResolveReview.properties, review_id: Id });
const ReviewRef = Type.Object({ review_id: Id });
const EXPIRE = "expire";

/** The key is the id of the processor's event, so a repeated event counts once, whatever its content. */
const ONE_EVENT = { fingerprint: () => "" };

/** Payment intents. Keyed by intent. */
export const topUpActor = actor("top_up", {
  table: paymentIntentTable,
  hasTasks: true,
  empty: (): State => null,
  conflicts: { ...quotaConflicts("open_top_ups_per_user"), ...deletedAccountConflict() },
  on: {
    create: command(
      CreateInput,
      Done,
      (state: State, input, ctx: Ctx) => {
        if (state !== null) return {};
        const amountCents = toCents(input.amount);
        const [min, max] = [BigInt(input.min_cents), BigInt(input.max_cents)];
        if (amountCents < min || amountCents > max) {
          throw new ValidationError(
            "body.amount",
            `must be from ${moneyText(fromCents(min))} to ${moneyText(fromCents(max))}`,
          );
        }
        const expiresAt = new Date(ctx.now.getTime() + input.lifetime_ms);
        ctx.setState({
          userId: input.user_id,
          provider: input.provider,
          adapter: null,
          status: "pending",
          settling: false,
          amountCents,
          sessionId: null,
          redirectUrl: null,
          sessionClaim: null,
          depositedCents: 0n,
          deposits: 0,
          creditedAt: null,
          expiresAt,
          createdAt: ctx.now,
          reviews: [],
        });
        ctx.setTimer(EXPIRE, { at: expiresAt, op: "expire" });
        return {};
      },
      // The key alone identifies the request: a repetition returns the original intent, whatever its amount (spec
      // §4.9).
      { fingerprint: () => "" },
    ),

    /** Claims the right to ask the processor for the hosted session: one request at a time has it, for a while. */
    claim: command(ClaimInput, Type.Object({ granted: Type.Boolean() }), (state: State, input, ctx: Ctx) => {
      const intent = requireIntent(state);
      if (!canOpenSession(intent, ctx.now)) return { granted: false };
      const until = new Date(ctx.now.getTime() + input.for_ms);
      ctx.setState({ ...intent, adapter: input.adapter, sessionClaim: { token: input.token, until } });
      return { granted: true };
    }),

    /** Releases a claim after a failure, so that the next request may try at once. */
    release: command(Strict({ token: Type.String() }), Done, (state: State, { token }, ctx: Ctx) => {
      if (state?.sessionClaim?.token === token) ctx.setState({ ...state, sessionClaim: null });
      return {};
    }),

    /** Records the hosted session. The first one that is recorded counts. */
    record_session: command(OpenedInput, Done, (state: State, { session_id, redirect_url }, ctx: Ctx) => {
      const intent = requireIntent(state);
      if (intent.redirectUrl !== null) return {};
      if (intent.sessionId !== null && intent.sessionId !== session_id) return {};
      ctx.setState({ ...intent, sessionId: session_id, redirectUrl: redirect_url, sessionClaim: null });
      return {};
    }),

    /**
     * Records that the processor has the money, even for an expired or failed intent. The wallet gets it, or an
     * operator decides.
     */
    settle: command(
      SettleInput,
      Done,
      (state: State, input, ctx: Ctx) => {
        const told = existingFrom(state, input);
        // The gateway may have ended before it recorded the session that the processor had made.
        const intent = { ...told, sessionId: told.sessionId ?? input.session_id };
        const settlement: Settlement = {
          sessionId: input.session_id,
          paidCents: input.paid_cents === null ? null : BigInt(input.paid_cents),
          currency: input.currency,
          reported: input.reported,
          isFinal: input.is_final,
        };
        const verdict = decideSettlement(intent, settlement);
        if (verdict.kind === "nothing") return {};
        if (verdict.kind === "flag") {
          ctx.setState(openReview(ctx, intent, settlement, verdict.reason));
          return {};
        }
        ctx.clearTimer(EXPIRE);
        const late = { ...intent, status: statusAt(intent, ctx.now) };
        ctx.setState(deposit(ctx, settledInFull(ctx, late), verdict.cents, settlement, null));
        return {};
      },
      ONE_EVENT,
    ),

    /** Ends an intent whose processor reports that nothing will be paid. Earlier payments stay. */
    end: command(
      EndInput,
      Done,
      (state: State, input, ctx: Ctx) => {
        const intent = existingFrom(state, input);
        const isOther = intent.sessionId !== null && intent.sessionId !== input.session_id;
        if (isOther || isOver(intent, ctx.now)) return {};
        ctx.clearTimer(EXPIRE);
        ctx.setState({ ...intent, status: input.outcome, sessionClaim: null });
        if (input.outcome === "failed") recordSettledEvent(ctx, intent, { outcome: "failed" });
        return {};
      },
      ONE_EVENT,
    ),

    /**
     * Ends an intent that its user does not want to pay any more. Money that still arrives is credited, as after any expiry.
     *
     * @throws PAYMENT_STATE_CONFLICT once the money has arrived
     */
    cancel: command(Strict({}), Done, (state: State, _input, ctx: Ctx) => {
      const intent = requireIntent(state);
      if (intent.settling || intent.status === "completed")
        throw new DomainError("PAYMENT_STATE_CONFLICT", "The payment has arrived");
      if (isOver(intent, ctx.now)) return {};
      ctx.clearTimer(EXPIRE);
      ctx.setState({ ...intent, status: "expired", expiresAt: ctx.now, sessionClaim: null });
      return {};
    }),

    expire: command(Strict({}), Done, (intent: State, _input, ctx: Ctx) => {
      if (intent === null || intent.status !== "pending" || intent.settling) return {};
      // This host's clock may be behind that of the host that set the time.
      if (!isOver(intent, ctx.now)) ctx.setTimer(EXPIRE, { at: intent.expiresAt, op: "expire" });
      else ctx.setState({ ...intent, status: "expired", sessionClaim: null });
      return {};
    }),

    /** Handles the wallet's reply to a deposit. Only then is the intent completed. */
    on_credited: command(
      ReplyTo(TransactionReceipt, DepositContext),
      Done,
      (state: State, { context, reply }, ctx: Ctx) => {
        const intent = requireIntent(state);
        if (reply.status === "ok") onDepositCredited(ctx, intent, context, reply.value.transaction_id);
        else onDepositRefused(ctx, intent, context, reply.message);
        return {};
      },
    ),

    /** Resolves the review of a flagged settlement, by an operator's decision. */
    resolve: operatorCommand(ResolveInput, ReviewRef, (state: State, input, ctx: Ctx, operator) => {
      const intent = requireIntent(state);
      const review = intent.reviews.find(({ id }) => id === input.review_id);
      if (review === undefined) throw new DomainError("REVIEW_NOT_FOUND", "Review not found");
      if (review.status !== "open")
        throw new DomainError("REVIEW_RESOLVED", "this review is resolved already");
      const resolvedBy = operator?.id ?? null;
      const resolved = { ...review, note: input.note, resolvedBy, resolvedAt: ctx.now };
      recordPrivilegedAct(ctx, operator, {
        act: "payment_review_resolved",
        userId: intent.userId,
        resourceId: review.id,
        data: { intent_id: ctx.actorId, action: input.action, note: input.note },
      });
      if (input.action === "dismiss") {
        ctx.setState(saveReview(ctx, intent, { ...resolved, status: "dismissed" }));
        recordSettledEvent(ctx, intent, { outcome: "dismissed", review_id: review.id });
        recordResolvedEvent(ctx, intent, resolved, "dismissed");
        return { review_id: review.id };
      }
      const cents = creditable(intent, review);
      const saga = ctx.newId();
      const crediting = saveReview(ctx, intent, { ...resolved, status: "crediting" });
      ctx.setState(deposit(ctx, crediting, cents, { ...review, isFinal: true }, { id: review.id, saga }));
      return ctx.awaitSaga(saga);
    }),
  },
});

/** Closes the reviews of partial payments, since the full amount was paid now. */
function settledInFull(ctx: Ctx, intent: Intent): Intent {
  const open = intent.reviews.find((review) => isSettledByPayment(intent, review));
  if (open === undefined) return intent;
  return saveReview(ctx, intent, {
    ...open,
    status: "dismissed",
    note: "settled in full",
    resolvedAt: ctx.now,
  });
}

function requireIntent(state: State): Intent {
  if (state === null) throw new DomainError("PAYMENT_INTENT_NOT_FOUND", "Payment intent not found");
  return state;
}

function existingFrom(
  state: State,
  { provider, adapter }: Static<typeof SettleInput> | Static<typeof EndInput>,
): Intent {
  const intent = requireIntent(state);
  return requireIntent(intent.provider === provider && intent.adapter === adapter ? intent : null);
}
