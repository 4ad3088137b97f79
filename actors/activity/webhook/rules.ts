import type { DisabledReason, PatchWebhook } from "../../../schemas/activity/webhook.ts";
import { backoffMs } from "../../../system/backoff.ts";
import type { WebhookRecord } from "./table.ts";

/** The wait after the first failed attempt, doubled with each further one, up to the longest. */
export const RETRY_MS_MAX = 4 * 60 * 60 * 1000;

export interface RetryTimes {
  readonly firstRetryMs: number;
  /** After so long no further attempt is made. */
  readonly giveUpMs: number;
}

/** The wait before the next attempt; undefined: the delivery has failed. */
export function retryAfterMs(
  attempts: number,
  firstAttemptAt: Date,
  now: Date,
  { firstRetryMs, giveUpMs }: RetryTimes,
): number | undefined {
  const wait = backoffMs(attempts - 1, firstRetryMs, RETRY_MS_MAX);
  return now.getTime() + wait - firstAttemptAt.getTime() > giveUpMs ? undefined : wait;
}

/** What a change makes of a webhook. Switched on again, it sends the events from now on. */
export function change(webhook: WebhookRecord, asked: PatchWebhook, now: Date): WebhookRecord {
  const enabled = asked.enabled ?? webhook.enabled;
  const isSwitchedOn = enabled && !webhook.enabled;
  return {
    ...webhook,
    url: asked.url ?? webhook.url,
    description: asked.description ?? webhook.description,
    eventTypes: asked.event_types === undefined ? webhook.eventTypes : asked.event_types,
    enabled,
    disabledReason: enabled ? null : (webhook.disabledReason ?? "by_owner"),
    enabledSince: isSwitchedOn ? now : webhook.enabledSince,
    changedAt: now,
  };
}

export const disable = (webhook: WebhookRecord, reason: DisabledReason, now: Date): WebhookRecord => ({
  ...webhook,
  enabled: false,
  disabledReason: reason,
  changedAt: now,
});

/** The new secret signs from now on, and the former one beside it for a while. An older one ends. */
export function rotate(
  webhook: WebhookRecord,
  secret: string,
  keepPreviousHours: number,
  now: Date,
): WebhookRecord {
  const isKept = keepPreviousHours > 0;
  return {
    ...webhook,
    secret,
    previousSecret: isKept ? webhook.secret : null,
    previousSecretUntil: isKept ? new Date(now.getTime() + keepPreviousHours * 60 * 60 * 1000) : null,
    changedAt: now,
  };
}
