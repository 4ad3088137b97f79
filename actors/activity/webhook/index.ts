import { Type } from "@sinclair/typebox";
import {
  CreateWebhook,
  type DisabledReason,
  PatchWebhook,
  PREVIOUS_SECRET_HOURS,
  TEST_TYPE,
  Webhook,
} from "../../../schemas/activity/webhook.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Id, OneOf, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { messagesTo } from "../../runtime/transport/message.ts";
import type { inboxActor } from "../inbox/index.ts";
import { change, disable, rotate } from "./rules.ts";
import { type WebhookRecord, webhookTable } from "./table.ts";

type State = WebhookRecord | null;
type Ctx = Context<State>;

/** The outbox topic of webhooks: a `WebhookEffect`. */
export const WEBHOOK_TOPIC = "webhook";

/** What actor hosts do after a commit of a webhook. */
export type WebhookEffect =
  /** A webhook has changed: every host reads them again. */
  | { readonly kind: "changed" }
  /** A delivery of its own, of a test or of an earlier delivery's payload. */
  | { readonly kind: "test"; readonly webhook_id: string; readonly delivery_id: string; readonly at: string }
  | {
      readonly kind: "redeliver";
      readonly webhook_id: string;
      readonly delivery_id: string;
      readonly original_id: string;
    };

const inboxes = messagesTo<typeof inboxActor>("inbox");

const SecretText = Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{32,}={0,2}$" });
const { idempotency_key: _key, ...NEW_FIELDS } = CreateWebhook.properties;
const CreateInput = Strict({ user_id: Id, secret: SecretText, ...NEW_FIELDS });
const RotateInput = Strict({
  secret: SecretText,
  keep_previous_hours: Type.Integer({
    minimum: PREVIOUS_SECRET_HOURS.minimum,
    maximum: PREVIOUS_SECRET_HOURS.maximum,
  }),
});
const DisableInput = Strict({ reason: OneOf(["failing", "too_far_behind"]) });
/** `secret_id` tells the gateway whether the secret that it made is the one that counts. */
const WithSecretId = Type.Composite([Webhook, Type.Object({ secret_id: Type.String() })]);
const Queued = Type.Object({ delivery_id: Id });

/** All that can happen to a webhook. Keyed by webhook. */
export const webhookActor = actor("webhook", {
  table: webhookTable,
  empty: (): State => null,
  hasTasks: true,
  conflicts: { ...quotaConflicts("webhooks_per_user"), ...deletedAccountConflict() },
  on: {
    create: command(
      CreateInput,
      WithSecretId,
      (state: State, input, ctx: Ctx) => {
        if (state !== null) throw idempotencyKeyReused();
        const made: WebhookRecord = {
          userId: input.user_id,
          url: input.url,
          description: input.description ?? "",
          eventTypes: input.event_types ?? null,
          enabled: true,
          disabledReason: null,
          enabledSince: ctx.now,
          secret: input.secret,
          previousSecret: null,
          previousSecretUntil: null,
          createdAt: ctx.now,
          changedAt: ctx.now,
        };
        save(ctx, made);
        return { ...webhookOf(ctx.actorId, made), secret_id: secretIdOf(made.secret) };
      },
      // Each try comes with a secret of its own.
      { fingerprint: ({ secret: _, ...asked }) => JSON.stringify(asked) },
    ),

    update: command(PatchWebhook, Webhook, (state: State, input, ctx: Ctx) => {
      const changed = change(requireWebhook(state), input, ctx.now);
      save(ctx, changed);
      return webhookOf(ctx.actorId, changed);
    }),

    delete: command(Strict({}), Type.Object({}), (state: State, _input, ctx: Ctx) => {
      requireWebhook(state);
      ctx.setState(null);
      ctx.emit(WEBHOOK_TOPIC, { kind: "changed" } satisfies WebhookEffect);
      return {};
    }),

    rotate_secret: command(
      RotateInput,
      WithSecretId,
      (state: State, input, ctx: Ctx) => {
        const rotated = rotate(requireWebhook(state), input.secret, input.keep_previous_hours, ctx.now);
        save(ctx, rotated);
        return { ...webhookOf(ctx.actorId, rotated), secret_id: secretIdOf(rotated.secret) };
      },
      { fingerprint: ({ keep_previous_hours }) => String(keep_previous_hours) },
    ),

    test: command(Strict({}), Queued, (state: State, _input, ctx: Ctx) => {
      requireEnabled(state);
      const delivery_id = ctx.newId();
      const at = ctx.now.toISOString();
      const effect: WebhookEffect = { kind: "test", webhook_id: ctx.actorId, delivery_id, at };
      ctx.emit(WEBHOOK_TOPIC, effect);
      return { delivery_id };
    }),

    /** The gateway has found the delivery to be one of this webhook. */
    redeliver: command(Strict({ original_id: Id }), Queued, (state: State, { original_id }, ctx: Ctx) => {
      requireEnabled(state);
      const delivery_id = ctx.newId();
      const effect: WebhookEffect = {
        kind: "redeliver",
        webhook_id: ctx.actorId,
        delivery_id,
        original_id,
      };
      ctx.emit(WEBHOOK_TOPIC, effect);
      return { delivery_id };
    }),

    /** Its address has not answered for a day, or is too slow. Its owner is told. */
    disable: command(DisableInput, Type.Object({}), (state: State, { reason }, ctx: Ctx) => {
      if (state === null || !state.enabled) return {};
      save(ctx, disable(state, reason, ctx.now));
      const id = ctx.newId();
      const notice = {
        id,
        ...noticeOf(state, reason),
        level: "warning" as const,
        public: false,
        page: "/account/webhooks",
        event: null,
      };
      ctx.send(`notice:${id}`, inboxes(state.userId).post(notice), { key: `webhook:${id}` });
      return {};
    }),
  },
});

function save(ctx: Ctx, webhook: WebhookRecord): void {
  ctx.setState(webhook);
  ctx.emit(WEBHOOK_TOPIC, { kind: "changed" } satisfies WebhookEffect);
}

function requireWebhook(webhook: State): WebhookRecord {
  if (webhook === null) throw new DomainError("WEBHOOK_NOT_FOUND", "Webhook not found");
  return webhook;
}

function requireEnabled(webhook: State): void {
  if (!requireWebhook(webhook).enabled)
    throw new DomainError("WEBHOOK_DISABLED", "The webhook is switched off: switch it on first");
}

function noticeOf({ url }: WebhookRecord, reason: DisabledReason): { title: string; body: string } {
  const { host } = new URL(url);
  const why =
    reason === "failing"
      ? "A delivery has failed for a day, and none has succeeded since."
      : "More deliveries are waiting than Berth keeps.";
  return {
    title: `A webhook to ${host} was switched off`,
    body: `${why} Switch it on again when it answers. Its log of deliveries says what failed, and sends it again.`,
  };
}

const secretIdOf = (secret: string): string =>
  new Bun.CryptoHasher("sha256").update(secret).digest("hex").slice(0, 16);

const webhookOf = (id: string, webhook: WebhookRecord): Webhook => ({
  id,
  url: webhook.url,
  description: webhook.description,
  event_types: webhook.eventTypes === null ? null : [...webhook.eventTypes],
  enabled: webhook.enabled,
  disabled_reason: webhook.disabledReason,
  previous_secret_until: webhook.previousSecretUntil?.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.changedAt.toISOString(),
});

/** The body of a test delivery. */
export const testPayload = (webhookId: string, at: string): string =>
  JSON.stringify({ type: TEST_TYPE, timestamp: at, data: { webhook_id: webhookId } });
