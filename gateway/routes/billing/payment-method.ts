import { Elysia } from "elysia";
import { listPaymentMethods, readPaymentMethod } from "../../../actors/billing/payment-method/queries.ts";
import {
  ChangePaymentMethod,
  CreatePaymentMethod,
  METHODS_SORT,
  PaymentMethodReply,
  PaymentMethodsQuery,
  PaymentMethodsReply,
} from "../../../schemas/billing/payment-method.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { refuseCardData, refuseCardText } from "../../http/card-data.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { listPage, okList, ownList } from "../../http/paging.ts";

const DEFAULTS =
  "A payment method is a note of how you pay, for people and for programs that show it. Berth never charges one: every top-up is paid on the " +
  "processor's own page. Exactly one of your payment methods is the default. The first one that you add becomes the default. When the default is deleted or " +
  "made inactive, the active method that was added last becomes the default; without an active method, the default stays or passes to the " +
  "method that was added last. Making a method the default makes it active.";

/** The caller's payment methods (spec, control plane §4.7). */
export const paymentMethodRoutes = (context: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/wallet/payment-methods", detail: { tags: ["Payment methods"] } })
    .use(reading(context))
    .use(writing(context));

const reading = ({ db, credentials }: GatewayContext) =>
  new Elysia()
    .use(signedIn(credentials, "wallet.read"))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("payment-methods", caller), query, LIST_PAGE, METHODS_SORT);
        return okList("Payment methods", page, await listPaymentMethods(db, caller.userId, page));
      },
      {
        query: PaymentMethodsQuery,
        response: { 200: PaymentMethodsReply },
        detail: { summary: "List your payment methods, oldest first", description: DEFAULTS },
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => {
        const method = await readPaymentMethod(db, caller.userId, params.id);
        if (method === undefined)
          throw new DomainError("PAYMENT_METHOD_NOT_FOUND", "Payment method not found");
        return ok("Payment method", method);
      },
      {
        params: IdParams,
        response: { 200: PaymentMethodReply, ...errors("PAYMENT_METHOD_NOT_FOUND") },
        detail: { summary: "A payment method" },
      },
    );

const writing = ({ actors, credentials }: GatewayContext) =>
  new Elysia()
    .use(signedIn(credentials, "wallet.spend"))
    // Runs before validation, whose errors would repeat unknown keys.
    .onTransform(({ body, request }) => {
      refuseCardData(body);
      // The idempotency key is stored with the operation's receipt.
      refuseCardText(request.headers.get("idempotency-key") ?? "", "headers.idempotency-key");
    })
    .post(
      "/",
      async ({ caller, body, operation }) => {
        const { value } = await actors.payment_methods(caller.userId).create(body, operation);
        return created("Payment method added", value);
      },
      {
        body: CreatePaymentMethod,
        response: {
          201: PaymentMethodReply,
          ...errors("QUOTA_EXCEEDED", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: { summary: "Add a payment method", description: DEFAULTS },
      },
    )
    .put(
      "/:id",
      async ({ caller, params, body, operation }) => {
        const { value } = await actors
          .payment_methods(caller.userId)
          .update({ id: params.id, change: body }, operation);
        return ok("Payment method changed", value);
      },
      {
        params: IdParams,
        body: ChangePaymentMethod,
        response: {
          200: PaymentMethodReply,
          ...errors("PAYMENT_METHOD_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: { summary: "Change its details or status, or make it the default", description: DEFAULTS },
      },
    )
    .put(
      "/:id/default",
      async ({ caller, params, operation }) => {
        const { value } = await actors
          .payment_methods(caller.userId)
          .update({ id: params.id, change: { is_default: true } }, operation);
        return ok("Default payment method set", value);
      },
      {
        params: IdParams,
        response: {
          200: PaymentMethodReply,
          ...errors("PAYMENT_METHOD_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: { summary: "Make it the default", description: DEFAULTS },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        await actors.payment_methods(caller.userId).delete({ id: params.id }, operation);
        return done("Payment method deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("PAYMENT_METHOD_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: { summary: "Delete a payment method", description: DEFAULTS },
      },
    );
