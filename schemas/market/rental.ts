import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { ListReply, namedListQuery } from "../paging.ts";
import { Id, Nullable, Strict, Timestamp } from "../primitives.ts";
import { sorting, sortKeys } from "../sorting.ts";
import { Cents, PRICE_CENTS_MAX, Prices, RentalDays, ServerSpecs } from "./server.ts";

/** Rentals: the user of a server, and until when (spec, control plane §2, §4.3). */

export const RentalStatus = Type.Union([Type.Literal("active"), Type.Literal("ended")]);

/** How a rental extends itself. */
export const AutoExtension = Type.Object({
  additional_days: RentalDays,
  max_charge_cents: Type.Unsafe<number>({
    ...Cents,
    description: "cents: the most that one extension may cost",
  }),
  price_cents: Nullable(
    Type.Unsafe<number>({
      ...Cents,
      description: "cents: what an extension costs at present; null: there is no price",
    }),
  ),
  next_at: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description:
        "the time of the next attempt; null: none, since the paid time has not begun or the end is too near",
    }),
  ),
  last_failure: Nullable(
    Type.Object({
      code: Type.String({
        description:
          "`INSUFFICIENT_BALANCE`; `CHARGE_EXCEEDS_MAX`: the price is above `max_charge_cents`; `PRICE_NOT_FOUND`: the length has no price any more; " +
          "`UNAVAILABLE`: the wallet could not be asked",
      }),
      price_cents: Nullable(Cents),
      failed_at: Timestamp,
    }),
  ),
});

export const Rental = Type.Object({
  id: Id,
  user_id: Id,
  pool_id: Nullable(Id),
  server_id: Id,
  server_name: Type.String(),
  specs: ServerSpecs,
  status: RentalStatus,
  host_joined: Type.Boolean({
    description:
      "whether the server's host has joined, so that containers can run there; false: an operator still sets it up, and " +
      "`server.updated` with `host_joined` says when it is ready",
  }),
  awaits_delivery: Type.Boolean({
    description:
      "true: an operator sets the server up, and the paid time begins when its host joins. Until then nothing ends: `rental_start` and " +
      "`rental_end` are as if it had begun with the payment, and move when it does",
  }),
  rental_start: Timestamp,
  rental_end: Timestamp,
  auto_extension: Nullable(AutoExtension),
  renewal_prices: Nullable(Prices),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Rental = Static<typeof Rental>;

const MaxCharge = Type.Optional({
  ...Cents,
  // Price and setup fee together.
  maximum: 2 * PRICE_CENTS_MAX,
  description: "the most that may be charged, in cents; required unless the total is 0",
});

/** The `reason` in `server.updated` of a rental that extends itself no longer since its renter's account is suspended. */
export const ACCOUNT_SUSPENDED = "account_suspended";

/** The `reason` in `server.expired` of a rental that ended since its machine was removed. */
export const HOST_REMOVED = "host_removed";

/** `expected_rental_end`: the end that the caller has read, so that an extension in between is not lost. */
export const EndRental = Strict({ expected_rental_end: Type.String({ maxLength: 64 }) });

export const Rent = Strict({
  pool_id: Type.Optional(Id),
  rental_days: RentalDays,
  max_charge_cents: MaxCharge,
});
export type Rent = Static<typeof Rent>;

export const Extend = Strict({
  expected_rental_end: Type.String({
    maxLength: 64,
    description: "the `rental_end` that the client last read: the extension applies only if it is unchanged",
  }),
  additional_days: RentalDays,
  max_charge_cents: MaxCharge,
});
export type Extend = Static<typeof Extend>;

export const AutoExtend = Strict({
  additional_days: Type.Unsafe<number>({
    ...RentalDays,
    description: "by how many days at a time; one of the lengths of `renewal_prices`",
  }),
  max_charge_cents: Type.Unsafe<number>({
    ...Cents,
    description: "the most that one extension may cost, in cents",
  }),
});

/** The payment for a rental or an extension. */
const charged = {
  charged_cents: Cents,
  transaction_id: Nullable(Id),
};

export const RentalReply = Reply(Rental);
export const RENTALS_SORT = sorting("created_at", {
  created_at: "time",
  server_name: "text",
  rental_end: "time",
});
export const RentalSort = sortKeys(RENTALS_SORT);
export const RentalsQuery = namedListQuery(RENTALS_SORT);
export const RentalsReply = ListReply(Rental);
export const ChargedRentalReply = Reply(Type.Composite([Rental, Type.Object(charged)]));
/** The replies of the actors. */
export const Charged = Type.Object(charged);
export type Charged = Static<typeof Charged>;
/** A host of an earlier version does not say the name. */
export const HandedOver = Type.Object({ ...charged, server_name: Type.Optional(Type.String()) });
