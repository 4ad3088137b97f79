import { Elysia } from "elysia";
import { listDeliveries, readDelivery, readWebhook } from "../../../actors/activity/webhook/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  DELIVERIES_PAGE,
  DELIVERIES_SORT,
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryParams,
  DeliveryQueuedReply,
  DeliveryReply,
} from "../../../schemas/activity/webhook.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";

/** The log of a webhook's deliveries (docs/webhooks.md). */
export const webhookDeliveryRoutes = ({ db, actors, credentials }: GatewayContext) => {
  const assertOwn = async ({ userId }: Caller, id: string): Promise<void> => {
    if ((await readWebhook(db, userId, id)) === undefined)
      throw new DomainError("WEBHOOK_NOT_FOUND", "Webhook not found");
  };
  const ownDelivery = async (caller: Caller, { id, delivery_id }: { id: string; delivery_id: string }) => {
    await assertOwn(caller, id);
    const delivery = await readDelivery(db, id, delivery_id);
    if (delivery === undefined) throw new DomainError("WEBHOOK_DELIVERY_NOT_FOUND", "Delivery not found");
    return delivery;
  };

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read_account"))
    .get(
      "/",
      async ({ caller, params, query }) => {
        await assertOwn(caller, params.id);
        const page = listPage(`deliveries of ${params.id}`, query, DELIVERIES_PAGE, DELIVERIES_SORT);
        const filter = { status: query.status, eventType: query.event_type };
        const { rows: deliveries, next } = await listDeliveries(db, params.id, filter, page);
        const pagination = cursorPagination(page, next);
        return ok("Deliveries", { deliveries, count: deliveries.length, pagination });
      },
      {
        params: IdParams,
        query: DeliveriesQuery,
        response: { 200: DeliveriesReply, ...errors("WEBHOOK_NOT_FOUND") },
        detail: {
          summary: "Deliveries of a webhook, newest first",
          description: "What ended is kept for seven days.",
        },
      },
    )
    .get("/:delivery_id", async ({ caller, params }) => ok("Delivery", await ownDelivery(caller, params)), {
      params: DeliveryParams,
      response: { 200: DeliveryReply, ...errors("WEBHOOK_NOT_FOUND", "WEBHOOK_DELIVERY_NOT_FOUND") },
      detail: { summary: "A delivery with its payload" },
    });

  const changing = new Elysia().use(signedIn(credentials, "webhooks.manage")).post(
    "/:delivery_id/redeliver",
    async ({ caller, params, operation }) => {
      const { id } = await ownDelivery(caller, params);
      const { value } = await actors.webhook(params.id).redeliver({ original_id: id }, operation);
      return ok("Redelivery queued", value);
    },
    {
      params: DeliveryParams,
      response: {
        200: DeliveryQueuedReply,
        ...errors(
          "WEBHOOK_NOT_FOUND",
          "WEBHOOK_DELIVERY_NOT_FOUND",
          "WEBHOOK_DISABLED",
          "IDEMPOTENCY_KEY_REUSED",
        ),
      },
      detail: {
        summary: "Send a delivery again",
        description:
          "The same payload under the same `webhook-id`, as a delivery of its own, beside the order of the others.",
      },
    },
  );

  return new Elysia({ prefix: "/api/v1/webhooks/:id/deliveries", detail: { tags: ["Webhooks"] } })
    .use(reading)
    .use(changing);
};
