import { createHash, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { Elysia } from "elysia";
import { listWebhooks, readWebhook } from "../../../actors/activity/webhook/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  CreateWebhook,
  DeliveryQueuedReply,
  faultOfUrl,
  PatchWebhook,
  PREVIOUS_SECRET_HOURS,
  RotateSecret,
  WEBHOOKS_SORT,
  WebhookReply,
  WebhookSecretReply,
  WebhooksQuery,
  WebhooksReply,
} from "../../../schemas/activity/webhook.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import type { Networks } from "../../../system/networks.ts";
import { isPublicAddress } from "../../../system/public-address.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { hasOperationReceipt } from "../../http/operation-receipt.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";

const SECRET_BYTES = 32;

/** The caller's webhooks (docs/webhooks.md). */
export const webhookRoutes = ({ db, actors, credentials, newId, webhookNetworks }: GatewayContext) => {
  const own = async ({ userId }: Caller, id: string) => {
    const webhook = await readWebhook(db, userId, id);
    if (webhook === undefined) throw new DomainError("WEBHOOK_NOT_FOUND", "Webhook not found");
    return webhook;
  };

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read_account"))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("webhooks", caller), query, LIST_PAGE, WEBHOOKS_SORT);
        const { rows: webhooks, total, next } = await listWebhooks(db, caller.userId, page);
        return ok("Webhooks", { webhooks, count: total, pagination: cursorPagination(page, next) });
      },
      {
        query: WebhooksQuery,
        response: { 200: WebhooksReply },
        detail: { summary: "Your webhooks, oldest first" },
      },
    )
    .get("/:id", async ({ caller, params }) => ok("Webhook", await own(caller, params.id)), {
      params: IdParams,
      response: { 200: WebhookReply, ...errors("WEBHOOK_NOT_FOUND") },
      detail: { summary: "A webhook" },
    });

  const changing = new Elysia()
    .use(signedIn(credentials, "webhooks.manage"))
    .post(
      "/",
      async ({ caller, body, operation }) => {
        const { idempotency_key: _key, ...fields } = body;
        assertTarget(fields.url, webhookNetworks);
        const id = actorIdFor("webhook", caller.userId, operation, newId);
        const secret = newSecret();
        const { value } = await actors
          .webhook(id)
          .create({ user_id: caller.userId, secret, ...fields }, operation);
        return created("Webhook created", withSecret(value, secret));
      },
      {
        body: CreateWebhook,
        response: { 201: WebhookSecretReply, ...errors("QUOTA_EXCEEDED", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Create a webhook; only this reply shows its secret",
          "x-shown-once": ["secret"],
          description:
            "Your events from now on (those of `GET /api/v1/events`, others' too) are sent to the address as POST requests, signed by Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`. " +
            "The body has `type`, `timestamp` and `data`, the event. Each event comes at least once, those of one resource in their order: drop by `webhook-id` what comes twice. " +
            "Any 2xx within 15 seconds is success; otherwise attempts follow for a day, with growing pauses. Redirects 307 and 308 are followed, three at most. Addresses of private networks are refused, also after names and redirects are looked up.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body, operation }) => {
        await own(caller, params.id);
        if (body.url !== undefined) assertTarget(body.url, webhookNetworks);
        const { value } = await actors.webhook(params.id).update(body, operation);
        return ok("Webhook changed", value);
      },
      {
        params: IdParams,
        body: PatchWebhook,
        response: { 200: WebhookReply, ...errors("WEBHOOK_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Change a webhook, or switch it on or off",
          description:
            "Switched off, its pending deliveries fail, and events are not kept for it. Deliveries that are pending go to the new address.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        const deleted = { kind: "webhook", actorId: params.id, op: "delete" };
        if (!(await hasOperationReceipt(db, operation, deleted))) await own(caller, params.id);
        await actors.webhook(params.id).delete({}, operation);
        return done("Webhook deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("WEBHOOK_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: { summary: "Delete a webhook with its deliveries" },
      },
    )
    .post(
      "/:id/secret",
      async ({ caller, params, body, operation }) => {
        await own(caller, params.id);
        const secret = newSecret();
        const keep_previous_hours = body?.keep_previous_hours ?? PREVIOUS_SECRET_HOURS.standard;
        const { value } = await actors
          .webhook(params.id)
          .rotate_secret({ secret, keep_previous_hours }, operation);
        return ok("Secret rotated", withSecret(value, secret));
      },
      {
        params: IdParams,
        body: RotateSecret,
        response: { 200: WebhookSecretReply, ...errors("WEBHOOK_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Give a webhook a new secret; only this reply shows it",
          "x-shown-once": ["secret"],
          description:
            "For a day, or as long as `keep_previous_hours` says, each request has two signatures, of the new secret and of the former one. A secret before that one ends at once.",
        },
      },
    )
    .post(
      "/:id/test",
      async ({ caller, params, operation }) => {
        await own(caller, params.id);
        const { value } = await actors.webhook(params.id).test({}, operation);
        return ok("Test delivery queued", value);
      },
      {
        params: IdParams,
        response: {
          200: DeliveryQueuedReply,
          ...errors("WEBHOOK_NOT_FOUND", "WEBHOOK_DISABLED", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Send a test delivery",
          description: "Its type is `webhook.test`. The delivery appears in the log in a moment.",
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/webhooks", detail: { tags: ["Webhooks"] } })
    .use(reading)
    .use(changing);
};

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/** The secret of the first request counts: a repeated one has made another, which nobody keeps. */
function withSecret<T extends { secret_id: string }>({ secret_id, ...webhook }: T, secret: string) {
  const isKept = createHash("sha256").update(secret).digest("hex").startsWith(secret_id);
  return { ...webhook, secret: isKept ? secret : null };
}

/** @throws ValidationError for what would never be called. Names are looked up when they are called. */
function assertTarget(text: string, networks: Networks): void {
  const refuse = (why: string): never => {
    throw new ValidationError("body.url", why);
  };
  const fault = faultOfUrl(text);
  if (fault !== undefined) refuse(fault);
  const url = new URL(text);
  if (url.protocol !== "https:" && networks.isEmpty) refuse("must be an https address");
  const address = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublicAddress(address) && !networks.includes(address))
    refuse("must not be an address of a private network");
}
