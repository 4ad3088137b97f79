import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { EVENT_TYPES, EventTypeSchema } from "../events.ts";
import { CursorPagination, cursorQuery, namedListQuery, TotalCount } from "../paging.ts";
import { Id, IdempotencyKey, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { sorting } from "../sorting.ts";
import { Text } from "../text.ts";

/** Webhooks: events of an account as signed requests to an address of its choice (docs/webhooks.md). */

/** How long the former secret signs beside the new one, in hours. */
export const PREVIOUS_SECRET_HOURS = { minimum: 0, maximum: 168, standard: 24 } as const;
export const DELIVERIES_PAGE = { standard: 50, max: 200 };
/** What is kept of a response. */
export const RESPONSE_CHARACTERS_MAX = 1_024;
/** The type of a test delivery: of no event. */
export const TEST_TYPE = "webhook.test";

const Url = Text({
  minLength: 1,
  maxLength: 2_048,
  description:
    "an https address without user name, password and fragment; http only where the operator allows its network",
  examples: ["https://example.com/hooks/berth"],
});
/** What is wrong with the form of an address, in words that follow the field's name; undefined: nothing. */
export function faultOfUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:"))
    return "must be an https address";
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  return url.hash === "" ? undefined : "must not have a fragment";
}

const Description = Text({ maxLength: 255 });
const EventTypes = Nullable(
  Type.Array(EventTypeSchema, {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    uniqueItems: true,
    description: "the event types that are sent; null: every type",
  }),
);

export const CreateWebhook = Strict({
  url: Url,
  description: Type.Optional(Description),
  event_types: Type.Optional(EventTypes),
  idempotency_key: Type.Optional(IdempotencyKey),
});
export type CreateWebhook = Static<typeof CreateWebhook>;

export const PatchWebhook = Strict(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    event_types: Type.Optional(EventTypes),
    enabled: Type.Optional(
      Type.Boolean({ description: "true switches it on again, with the events from then on" }),
    ),
  },
  { minProperties: 1 },
);
export type PatchWebhook = Static<typeof PatchWebhook>;

export const RotateSecret = Strict({
  keep_previous_hours: Type.Optional(
    Type.Integer({
      minimum: PREVIOUS_SECRET_HOURS.minimum,
      maximum: PREVIOUS_SECRET_HOURS.maximum,
      description: `how long requests are signed with the former secret too; ${PREVIOUS_SECRET_HOURS.standard} by default, 0 ends it at once`,
    }),
  ),
});

export const DISABLED_REASONS = ["by_owner", "failing", "too_far_behind"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];
export const DisabledReasonSchema = OneOf(
  DISABLED_REASONS,
  "`failing`: a delivery failed for a day and none succeeded; `too_far_behind`: too many deliveries waited",
);

export const Webhook = Type.Object({
  id: Id,
  url: Type.String(),
  description: Type.String(),
  event_types: EventTypes,
  enabled: Type.Boolean(),
  disabled_reason: Nullable(DisabledReasonSchema),
  previous_secret_until: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Webhook = Static<typeof Webhook>;

const Secret = Nullable(
  Type.String({
    description:
      "signs the requests (Standard Webhooks, `whsec_` and base64). Shown only in this reply; null when the request was repeated under its key",
  }),
);

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const DeliveryStatusSchema = OneOf(DELIVERY_STATUSES);

export const WebhookDelivery = Type.Object({
  id: Id,
  webhook_id: Id,
  message_id: Type.String({
    description: "the header `webhook-id`: the event's id, also of a redelivery; of a test an id of its own",
  }),
  event_type: Type.String({ description: `an event type, or \`${TEST_TYPE}\`` }),
  status: DeliveryStatusSchema,
  attempts: Type.Integer(),
  next_attempt_at: Nullable(Timestamp),
  last_attempt_at: Nullable(Timestamp),
  response_status: Nullable(Type.Integer()),
  response_body: Nullable(
    Type.String({ description: `the first ${RESPONSE_CHARACTERS_MAX} characters of the last response` }),
  ),
  error: Nullable(Type.String({ description: "why the last attempt failed" })),
  duration_ms: Nullable(Type.Integer()),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** Deliveries are numbered as they are made, so their ids are in the order of time. */
export const DELIVERIES_SORT = sorting("-created_at", { created_at: "text" });
export const WEBHOOKS_SORT = sorting("created_at", { created_at: "time", updated_at: "time" });
export const WebhooksQuery = namedListQuery(WEBHOOKS_SORT);
export const DeliveriesQuery = Strict({
  ...cursorQuery(DELIVERIES_PAGE, DELIVERIES_SORT),
  status: Type.Optional(DeliveryStatusSchema),
  event_type: Type.Optional(EventTypeSchema),
});
export const DeliveryParams = Strict({ id: Id, delivery_id: Id });

export const WebhookReply = Reply(Webhook);
export const WebhookSecretReply = Reply(Type.Composite([Webhook, Type.Object({ secret: Secret })]));
export const WebhooksReply = Reply(
  Type.Object({ webhooks: Type.Array(Webhook), count: TotalCount, pagination: CursorPagination }),
);
export const DeliveryReply = Reply(
  Type.Composite([
    WebhookDelivery,
    Type.Object({ payload: Type.String({ description: "the body of the request, as it is signed" }) }),
  ]),
);
export const DeliveriesReply = Reply(
  Type.Object({
    deliveries: Type.Array(WebhookDelivery),
    count: Type.Integer(),
    pagination: CursorPagination,
  }),
);
export const DeliveryQueuedReply = Reply(
  Type.Object({ delivery_id: Type.String({ description: "id of the delivery in the log" }) }),
);
