import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { ListReply, namedListQuery } from "../paging.ts";
import { Id, Strict, Timestamp } from "../primitives.ts";
import { sorting } from "../sorting.ts";
import { Name } from "../text.ts";

/** A user's payment methods (spec, control plane §2 "Wallet records", §4.7). */

export const PaymentMethodStatus = Type.Union([Type.Literal("active"), Type.Literal("inactive")]);
export type PaymentMethodStatus = Static<typeof PaymentMethodStatus>;

/** The maximum size of `details`: many times that of a postal address or an account's data. */
export const DETAILS_BYTES_MAX = 4_096;
export const DETAILS_DEPTH_MAX = 4;

/** Types that describe a card. Only the fields by which a person recognises the card are stored. */
export const CARD_TYPES: readonly string[] = ["card", "credit_card", "debit_card", "prepaid_card"];

export const Details = Type.Record(Type.String(), Type.Unknown(), {
  description:
    `free-form, at most ${DETAILS_BYTES_MAX} bytes of JSON and ${DETAILS_DEPTH_MAX} levels. For a card (${CARD_TYPES.join(", ")}) ` +
    "only last4, brand, exp_month and exp_year are stored, and other keys are refused. A body with a card number or a security code anywhere in it is refused",
  examples: [{ last4: "4242", brand: "visa", exp_month: 12, exp_year: 2031 }],
});
export type Details = Static<typeof Details>;

const NOT_CHARGED = "Berth charges no saved method: top-ups are paid on the processor's own page";
const STATUS = `whether you use it: a mark of your own, with no effect. ${NOT_CHARGED}`;
const IS_DEFAULT =
  "true for exactly one of your methods, as soon as you have any: the one that an application should offer first";

export const CreatePaymentMethod = Strict({
  type: Name(50),
  name: Name(100),
  details: Type.Optional(Details),
  is_default: Type.Optional(
    Type.Boolean({
      description: `${IS_DEFAULT}. Your first method is the default in any case. With true, the former default loses the mark. ${NOT_CHARGED}`,
    }),
  ),
});
export type CreatePaymentMethod = Static<typeof CreatePaymentMethod>;

export const ChangePaymentMethod = Strict(
  {
    details: Type.Optional(Details),
    status: Type.Optional(Type.Unsafe<PaymentMethodStatus>({ ...PaymentMethodStatus, description: STATUS })),
    is_default: Type.Optional(
      Type.Boolean({
        description: `${IS_DEFAULT}. With true, the former default loses the mark. ${NOT_CHARGED}`,
      }),
    ),
  },
  { minProperties: 1 },
);
export type ChangePaymentMethod = Static<typeof ChangePaymentMethod>;

export const PaymentMethod = Type.Object({
  id: Id,
  user_id: Id,
  type: Type.String(),
  name: Type.String(),
  status: Type.Unsafe<PaymentMethodStatus>({ ...PaymentMethodStatus, description: STATUS }),
  details: Details,
  is_default: Type.Boolean({ description: `${IS_DEFAULT}. ${NOT_CHARGED}` }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PaymentMethod = Static<typeof PaymentMethod>;

export const PaymentMethodReply = Reply(PaymentMethod);
export const METHODS_SORT = sorting("created_at", { created_at: "time", updated_at: "time", name: "text" });
export const PaymentMethodsQuery = namedListQuery(METHODS_SORT);
export const PaymentMethodsReply = ListReply(PaymentMethod);
