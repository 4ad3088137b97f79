import { Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { AddOffer, ChangeOffer, Reserve } from "../../../schemas/market/offer.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { toDomainError } from "../../platform/to-domain-error.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo, ReplyTo } from "../../runtime/transport/message.ts";
import { assertDays } from "../prices.ts";
import type { reservationActor } from "../reservation/index.ts";
import { type OfferState, quote } from "./rules.ts";
import { offerTable } from "./table.ts";

type State = OfferState | null;
type Ctx = Context<State>;

const reservations = messagesTo<typeof reservationActor>("reservation");

const Nothing = Type.Object({});
const ChangeInput = Strict(ChangeOffer.properties);
const ReserveInput = Strict({
  days: Reserve.properties.days,
  max_charge_cents: Reserve.properties.max_charge_cents,
  reservation_id: Id,
  user_id: Id,
  pool_id: Nullable(Id),
});

/** Offers of servers that are not built yet. Keyed by offer, so that prices are changed and agreed on in one place. */
export const offerActor = actor("offer", {
  table: offerTable,
  hasTasks: true,
  empty: (): State => null,
  on: {
    create: operatorCommand(AddOffer, Nothing, (offer: State, input, ctx: Ctx, operator) => {
      if (offer !== null) return {};
      assertPrices(input);
      ctx.setState({
        name: input.name,
        leadTimeHours: input.lead_time_hours,
        pricingRules: input.pricing_rules,
        setupFeeRules: input.setup_fee_rules ?? {},
        setupFeeCents: input.setup_fee_cents ?? 0,
        specs: input.specs,
        orderable: true,
        createdAt: ctx.now,
      });
      recordOfferEvent(ctx, "server.added", { offer: input.name }, operator?.id);
      recordPrivilegedAct(ctx, operator, { act: "offer_added", resourceId: ctx.actorId, data: input });
      return {};
    }),

    update: operatorCommand(ChangeInput, Nothing, (state: State, input, ctx: Ctx, operator) => {
      const offer = requireOffer(state);
      assertPrices(input);
      ctx.setState({
        ...offer,
        name: input.name ?? offer.name,
        leadTimeHours: input.lead_time_hours ?? offer.leadTimeHours,
        pricingRules: input.pricing_rules ?? offer.pricingRules,
        setupFeeRules: input.setup_fee_rules ?? offer.setupFeeRules,
        setupFeeCents: input.setup_fee_cents ?? offer.setupFeeCents,
        specs: input.specs ?? offer.specs,
      });
      const { pricing_rules, setup_fee_rules, setup_fee_cents } = input;
      const priced = [pricing_rules, setup_fee_rules, setup_fee_cents].some((price) => price !== undefined);
      const changes = { offer: offer.name, ...input };
      recordOfferEvent(ctx, priced ? "server.price_changed" : "server.updated", changes, operator?.id);
      recordPrivilegedAct(ctx, operator, { act: "offer_updated", resourceId: ctx.actorId, data: changes });
      return {};
    }),

    /**
     * Withdraws the offer: it can no longer be ordered. Reservations keep it, and an operator can still read and
     * update it.
     */
    withdraw: operatorCommand(Strict({}), Nothing, (state: State, _input, ctx: Ctx, operator) => {
      const offer = requireOffer(state);
      if (!offer.orderable) return {};
      ctx.setState({ ...offer, orderable: false });
      const data = { offer: offer.name };
      recordOfferEvent(ctx, "server.removed", data, operator?.id);
      recordPrivilegedAct(ctx, operator, { act: "offer_withdrawn", resourceId: ctx.actorId, data });
      return {};
    }),

    /** Fixes the present price; the reservation pays it and replies (spec §4.2). */
    reserve: command(ReserveInput, Nothing, (state: State, input, ctx: Ctx) => {
      const offer = requireOffer(state);
      if (!offer.orderable) throw new DomainError("OFFER_NOT_FOUND", "Offer not found");
      const { rentCents, setupFeeCents } = quote(offer, input.days, input.max_charge_cents);
      const saga = ctx.newId();
      ctx.send(
        `begin:${saga}`,
        reservations(input.reservation_id).begin({
          user_id: input.user_id,
          pool_id: input.pool_id,
          offer_id: ctx.actorId,
          offer_name: offer.name,
          days: input.days,
          lead_time_hours: offer.leadTimeHours,
          rent_cents: rentCents,
          setup_fee_cents: setupFeeCents,
          renewal_prices: offer.pricingRules,
        }),
        { onReply: "on_reservation_begun", context: { saga } },
      );
      return ctx.awaitSaga(saga);
    }),

    /** Handles the reservation's reply: it was paid for, or could not be. */
    on_reservation_begun: command(
      ReplyTo(Nothing, Type.Object({ saga: Id })),
      Nothing,
      (_offer: State, { context, reply }, ctx: Ctx) => {
        ctx.completeSaga(context.saga, reply.status === "ok" ? {} : toDomainError(reply));
        return {};
      },
    ),
  },
});

function requireOffer(offer: State): OfferState {
  if (offer === null) throw new DomainError("OFFER_NOT_FOUND", "Offer not found");
  return offer;
}

/** Records an event of the operator's market. It is in no user's log; administrators read it. */
function recordOfferEvent(ctx: Ctx, event_type: EventType, data: Record<string, unknown>, by?: string): void {
  recordEvent(ctx, { event_type, resource_id: ctx.actorId, user_id: null, by, data });
}

function assertPrices(input: Pick<ChangeOffer, "pricing_rules" | "setup_fee_rules">): void {
  assertDays(input.pricing_rules ?? {}, "body.pricing_rules");
  assertDays(input.setup_fee_rules ?? {}, "body.setup_fee_rules");
}
