import { type Static, Type } from "@sinclair/typebox";
import { TransactionReceipt } from "../../../schemas/billing/wallet.ts";
import type { DomainError } from "../../../schemas/errors.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import {
  abandonCharge,
  beginCharge,
  endCharge,
  PaymentTimedOut,
  paymentTimedOut,
  refundCharge,
  startPaymentTimeout,
} from "../../platform/charge-saga.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { fromCents } from "../../platform/money.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { toDomainError } from "../../platform/to-domain-error.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo, ReplyTo } from "../../runtime/transport/message.ts";
import { type imageActor, Quote, Rated } from "../image/index.ts";
import {
  assertNew,
  assertPrice,
  deltaOf,
  EMPTY_LIBRARY,
  type Library,
  type OwnRating,
  without,
} from "./rules.ts";
import { imageLibraryTable, imageRatingTable, ownedImageTable } from "./table.ts";

type Ctx = Context<Library>;

const images = messagesTo<typeof imageActor>("image");

const Nothing = Type.Object({});
const ImageRef = Strict({ image_id: Id });
/** The image of an order and the price that the user was shown: the context of each send. */
const Order = Type.Object({
  saga: Id,
  image_id: Id,
  source: Type.Union([Type.Literal("imported"), Type.Literal("purchased")]),
  max_price_cents: Type.Integer(),
});
type Order = Static<typeof Order>;
const Acquired = Type.Object({
  price_cents: Type.Integer(),
  general_balance: Nullable(Type.String({ description: "after the payment; null where nothing was due" })),
});
const Rating = Type.Object({ rating: Type.Number(), average: Type.Number(), count: Type.Integer() });

/** A user's images and ratings. Keyed by user. */
export const imageLibraryActor = actor("image_library", {
  table: imageLibraryTable,
  hasTasks: true,
  empty: (): Library => EMPTY_LIBRARY,
  conflicts: deletedAccountConflict(),
  on: {
    /** Imports a free image (spec §4.10). */
    import: command(ImageRef, Acquired, (library: Library, { image_id }, ctx: Ctx) =>
      acquire(ctx, library, { saga: ctx.newId(), image_id, source: "imported", max_price_cents: 0 }),
    ),

    /** Buys an image, for at most the price that the user was shown. */
    purchase: command(
      Strict({ ...ImageRef.properties, max_price_cents: Type.Integer({ minimum: 0 }) }),
      Acquired,
      (library: Library, { image_id, max_price_cents }, ctx: Ctx) =>
        acquire(ctx, library, { saga: ctx.newId(), image_id, source: "purchased", max_price_cents }),
      // The price that was shown is no part of the request.
      { fingerprint: ({ image_id }) => image_id },
    ),

    /** Handles the image's reply with its price. */
    on_quoted: command(
      ReplyTo(Quote, Order),
      Nothing,
      (library: Library, { context: order, reply }, ctx: Ctx) => {
        if (!isAwaited(library, order)) return {};
        if (reply.status === "error") return fail(ctx, library, order, toDomainError(reply));
        const { alias, price_cents } = reply.value;
        try {
          assertPrice(price_cents, order.source, order.max_price_cents);
        } catch (error) {
          return fail(ctx, library, order, error as DomainError);
        }
        if (price_cents === 0) return grant(ctx, library, order, alias, 0, null);
        beginCharge(ctx, {
          saga: order.saga,
          userId: ctx.actorId,
          charge: {
            amount_cents: price_cents,
            transaction_type: "image_purchase",
            reason: `Image ${alias}`,
          },
          onReply: "on_paid",
          context: { order, alias, price_cents },
        });
        return {};
      },
    ),

    /** Handles the wallet's reply to the charge. */
    on_paid: command(
      ReplyTo(TransactionReceipt, Type.Object({ order: Order, ...Quote.properties })),
      Nothing,
      (library: Library, { context: { order, alias, price_cents }, reply }, ctx: Ctx) => {
        if (isAwaited(library, order)) {
          return reply.status === "ok"
            ? grant(ctx, library, order, alias, price_cents, reply.value)
            : fail(ctx, library, order, toDomainError(reply));
        }
        if (reply.status === "ok") {
          refundCharge(ctx, ctx.actorId, {
            amount_cents: price_cents,
            charge_transaction_id: reply.value.transaction_id,
            reason: `Image ${alias}: the payment was confirmed too late`,
          });
        }
        return {};
      },
    ),

    /** Ends an order when the image or the wallet does not reply: the user does not get the image. */
    on_payment_timed_out: command(PaymentTimedOut, Nothing, (library: Library, { saga }, ctx: Ctx) => {
      abandonCharge(ctx, saga);
      if (ctx.isPending(`quote:${saga}`)) ctx.abort(`quote:${saga}`);
      const image_id = Object.keys(library.acquiring).find((id) => library.acquiring[id] === saga);
      if (image_id !== undefined) fail(ctx, library, { saga, image_id }, paymentTimedOut());
      return {};
    }),

    /** Rates an image, or changes the rating: a user has one rating of an image. */
    rate: command(
      Strict({ ...ImageRef.properties, hundredths: Type.Integer({ minimum: 0, maximum: 500 }) }),
      Rating,
      (library: Library, { image_id, hundredths }, ctx: Ctx) => {
        const known = library.ratings.get(image_id);
        if (known?.pendingSaga == null) {
          const saga = ctx.newId();
          sendRating(ctx, library, image_id, hundredths, known?.counted ?? null, saga);
          return ctx.awaitSaga(saga);
        }
        const next = known.next ?? ctx.newId();
        storeRating(ctx, library, image_id, { ...known, hundredths, next });
        return ctx.awaitSaga(next);
      },
    ),

    /** Handles the image's reply to a rating. */
    on_rated: command(
      ReplyTo(Rated, Type.Object({ saga: Id, image_id: Id, hundredths: Type.Integer() })),
      Nothing,
      (library: Library, { context: { saga, image_id, hundredths }, reply }, ctx: Ctx) => {
        const known = library.ratings.get(image_id);
        if (known === undefined) return {};
        const isOk = reply.status === "ok";
        const counted = isOk ? hundredths : known.counted;
        ctx.completeSaga(saga, isOk ? { rating: hundredths / 100, ...reply.value } : toDomainError(reply));
        if (known.next !== null) sendRating(ctx, library, image_id, known.hundredths, counted, known.next);
        else if (counted === null) deleteRating(ctx, library, image_id);
        else
          storeRating(ctx, library, image_id, {
            hundredths: counted,
            counted,
            pendingSaga: null,
            next: null,
          });
        return {};
      },
    ),
  },
});

function acquire(ctx: Ctx, library: Library, order: Order) {
  assertNew(library, order.image_id, order.source);
  ctx.setState({ ...library, acquiring: { ...library.acquiring, [order.image_id]: order.saga } });
  ctx.send(`quote:${order.saga}`, images(order.image_id).quote({}), { onReply: "on_quoted", context: order });
  startPaymentTimeout(ctx, order.saga);
  return ctx.awaitSaga(order.saga);
}

/** Whether the user still waits for this order: it may have timed out. */
const isAwaited = ({ acquiring }: Library, { saga, image_id }: Order): boolean =>
  Object.hasOwn(acquiring, image_id) && acquiring[image_id] === saga;

function fail(
  ctx: Ctx,
  library: Library,
  order: Pick<Order, "saga" | "image_id">,
  why: DomainError,
): Record<string, never> {
  ctx.setState({ ...library, acquiring: without(library.acquiring, order.image_id) });
  endCharge(ctx, order.saga);
  ctx.completeSaga(order.saga, why);
  return {};
}

/** Adds an image to the user's library. Cents. */
function grant(
  ctx: Ctx,
  library: Library,
  { saga, image_id, source }: Order,
  alias: string,
  priceCents: number,
  payment: TransactionReceipt | null,
): Record<string, never> {
  ctx.setState({
    ...library,
    owned: new Set(library.owned).add(image_id),
    acquiring: without(library.acquiring, image_id),
  });
  endCharge(ctx, saga);
  const purchase = {
    source,
    pricePaidCents: priceCents,
    transactionId: payment?.transaction_id ?? null,
    createdAt: ctx.now,
  };
  ctx.insert("owned_images", ownedImageTable.row(ctx.actorId, { imageId: image_id }, purchase));
  recordEvent(ctx, {
    event_type: source === "imported" ? "activity_log.image_imported" : "activity_log.image_purchased",
    resource_id: image_id,
    user_id: ctx.actorId,
    data: {
      alias,
      ...(source === "imported"
        ? {}
        : { price: fromCents(BigInt(priceCents)), transaction_id: payment?.transaction_id ?? null }),
    },
  });
  ctx.completeSaga(saga, { price_cents: priceCents, general_balance: payment?.general_balance ?? null });
  return {};
}

/** Sends a rating to its image: one at a time, since messages may overtake each other. */
function sendRating(
  ctx: Ctx,
  library: Library,
  imageId: string,
  hundredths: number,
  counted: number | null,
  saga: string,
): void {
  const rating: OwnRating = { hundredths, counted, pendingSaga: saga, next: null };
  storeRating(ctx, library, imageId, rating);
  ctx.send(`rate:${saga}`, images(imageId).rate(deltaOf(rating)), {
    onReply: "on_rated",
    context: { saga, image_id: imageId, hundredths },
  });
}

function storeRating(ctx: Ctx, library: Library, imageId: string, rating: OwnRating): void {
  const row = imageRatingTable.row(ctx.actorId, { imageId, ...rating });
  if (library.ratings.has(imageId)) ctx.update("image_ratings", row);
  else ctx.insert("image_ratings", row);
  ctx.setState({ ...library, ratings: new Map(library.ratings).set(imageId, rating) });
}

function deleteRating(ctx: Ctx, library: Library, imageId: string): void {
  const ratings = new Map(library.ratings);
  ratings.delete(imageId);
  ctx.remove("image_ratings", { user_id: ctx.actorId, image_id: imageId });
  ctx.setState({ ...library, ratings });
}
