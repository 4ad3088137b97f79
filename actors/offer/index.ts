import { Type } from "@sinclair/typebox";
import { Amount, Strict } from "../../schemas/primitives.ts";
import { toCents } from "../money.ts";
import { actor, type Context, command } from "../runtime/definition.ts";
import { loadOffers, type Offer } from "./queries.ts";

type State = Offer | null;

const Prices = Type.Record(Type.String({ pattern: "^[1-9][0-9]{0,3}$" }), Amount, {
  additionalProperties: false,
  description: "days → USD",
});
const AddInput = Strict({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  lead_time_hours: Type.Integer({ minimum: 1, maximum: 720 }),
  pricing_rules: Prices,
  setup_fee_rules: Prices,
  setup_fee: Amount,
  specs: Type.Record(Type.String(), Type.Unknown()),
});

/** All that can happen to an offer of servers that are yet to be built. Keyed by offer. */
export const offerActor = actor("offer", {
  table: "offers",
  key: "id",
  load: loadOffers,
  empty: (): State => null,
  row: (offer, id, now) =>
    offer && {
      id,
      name: offer.name,
      lead_time_hours: offer.leadTimeHours,
      pricing_rules: offer.pricingRules,
      setup_fee_rules: offer.setupFeeRules,
      setup_fee_cents: offer.setupFeeCents,
      specs: offer.specs,
      created_at: offer.createdAt,
      updated_at: now,
    },
  on: {
    add: command(AddInput, Type.Object({}), (offer: State, input, ctx: Context<State>) => {
      if (offer !== null) return {};
      ctx.become({
        name: input.name,
        leadTimeHours: input.lead_time_hours,
        pricingRules: input.pricing_rules,
        setupFeeRules: input.setup_fee_rules,
        setupFeeCents: toCents(input.setup_fee),
        specs: input.specs,
        createdAt: ctx.now,
      });
      return {};
    }),
  },
});
