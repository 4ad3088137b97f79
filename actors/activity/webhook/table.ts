import type { DisabledReason } from "../../../schemas/activity/webhook.ts";
import type { EventType } from "../../../schemas/events.ts";
import { boolean, json, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";

/** A webhook as its actor holds it. */
export interface WebhookRecord {
  readonly userId: string;
  readonly url: string;
  readonly description: string;
  /** Null: every type. */
  readonly eventTypes: readonly EventType[] | null;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  /** Events from this time on are sent. */
  readonly enabledSince: Date;
  /** As it is, since it signs. */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
  readonly createdAt: Date;
  /** Time of the last change. */
  readonly changedAt: Date;
}

export const webhookTable = rootTable<WebhookRecord>("webhooks", {
  key: "id",
  fields: {
    userId: text("user_id"),
    url: text("url"),
    description: text("description"),
    eventTypes: nullable(json<readonly EventType[]>("event_types")),
    enabled: boolean("enabled"),
    disabledReason: nullable(text<DisabledReason>("disabled_reason")),
    enabledSince: timestamp("enabled_since"),
    secret: text("secret"),
    previousSecret: nullable(text("previous_secret")),
    previousSecretUntil: nullable(timestamp("previous_secret_until")),
    createdAt: timestamp("created_at"),
    changedAt: timestamp("updated_at"),
  },
});
