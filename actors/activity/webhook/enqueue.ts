import { TEST_TYPE } from "../../../schemas/activity/webhook.ts";
import { EVERYBODY_AUDIENCE, hasOwnCopy } from "../../../schemas/audiences.ts";
import { EVENTS_PAGE, type EventRecord } from "../../../schemas/events.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { OutboxRow } from "../../runtime/ports.ts";
import { listEvents } from "../event/queries.ts";
import { readerKey, readReaders } from "../event/shared/queries.ts";
import { testPayload, type WebhookEffect } from "./index.ts";
import {
  type ActiveWebhook,
  enqueueDeliveries,
  type NewDelivery,
  readActiveWebhooks,
  readMessage,
} from "./queue/queries.ts";

type SharedEvent = EventRecord & { readonly audience?: string };

/** Clocks of actor hosts differ by so much at most: an event counts that is dated so long before its webhook. */
const CLOCK_SKEW_MS = 100;
/** At its start a host cannot know what its predecessor knew: it looks again for events of webhooks that changed so recently. */
const RECENT_MS = 10 * 60 * 1000;

export interface EnqueuerOptions {
  readonly db: Sql;
  newId(): string;
  /** There may be something to deliver. */
  onEnqueued(): void;
}

/**
 * Puts committed events into the queues of the webhooks that want them, as the outbox hands them over: in order, at least once.
 *
 * A host compares events with webhooks in memory, so that those of users without one cost nothing. It may know of a new webhook a moment
 * late: when it learns of one it reads from the log what has happened since, before it takes further events.
 */
export class WebhookEnqueuer {
  #webhooks = new Map<string, ActiveWebhook>();
  #byUser = new Map<string, ActiveWebhook[]>();
  #hasRead = false;
  /** Settles when the events since a new webhook are in its queue. */
  #backfilling: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #isOutdated = false;

  constructor(private readonly options: EnqueuerOptions) {}

  /** Events, in the order of their outbox. */
  async enqueue(rows: readonly OutboxRow[]): Promise<void> {
    if (!this.#hasRead) await this.refresh();
    await this.#backfilling;
    if (this.#byUser.size === 0) return;
    await this.#add(rows.map(({ body }) => body as SharedEvent));
  }

  /** What commits of webhooks themselves ask for. */
  async apply(effects: readonly WebhookEffect[]): Promise<void> {
    for (const effect of effects) {
      if (effect.kind === "changed") continue;
      const { webhook_id: webhookId, delivery_id: id } = effect;
      const message =
        effect.kind === "test"
          ? { messageId: id, type: TEST_TYPE, payload: testPayload(webhookId, effect.at) }
          : await readMessage(this.options.db, webhookId, effect.original_id);
      if (message === undefined) continue;
      await enqueueDeliveries(this.options.db, [{ id, webhookId, eventId: null, thing: id, ...message }]);
      this.options.onEnqueued();
    }
  }

  /** Reads the webhooks, and for those that are new what has happened since. */
  refresh(): Promise<void> {
    // What is being read may be older than what the caller knows of.
    this.#isOutdated = true;
    this.#refreshing ??= this.#readAll().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #readAll(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    const webhooks = await readActiveWebhooks(this.options.db);
    const known = this.#webhooks;
    const isNew = ({ id, version, updatedAt }: ActiveWebhook) =>
      this.#hasRead ? known.get(id)?.version !== version : updatedAt.getTime() > Date.now() - RECENT_MS;
    const added = webhooks.filter(isNew);
    this.#webhooks = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    this.#byUser = Map.groupBy(webhooks, ({ userId }) => userId);
    // Events that come meanwhile wait: those before them in the log go first.
    this.#backfilling = this.#backfill(added);
    try {
      await this.#backfilling;
      this.#hasRead = true;
    } catch (error) {
      // Found new again the next time.
      for (const { id } of added) this.#webhooks.delete(id);
      throw error;
    } finally {
      this.#backfilling = undefined;
    }
  }

  async #backfill(webhooks: readonly ActiveWebhook[]): Promise<void> {
    for (const webhook of webhooks) {
      const start = new Date(
        Math.max(webhook.updatedAt.getTime(), webhook.enabledSince.getTime()) - CLOCK_SKEW_MS,
      );
      const query = {
        start,
        limit: EVENTS_PAGE.max,
        offset: 0,
        sortBy: "created_at",
        sortOrder: "asc",
      } as const;
      let page = await listEvents(this.options.db, webhook.userId, query);
      for (;;) {
        const wanted = page.events.filter((event) => wants(webhook, event));
        if (wanted.length > 0) await this.#insert(wanted.map((event) => this.#deliveryOf(webhook, event)));
        if (page.next === undefined) break;
        page = await listEvents(this.options.db, webhook.userId, { ...query, after: page.next });
      }
    }
  }

  async #add(events: readonly SharedEvent[]): Promise<void> {
    const shared = events.flatMap(({ audience }) =>
      audience === undefined || audience === EVERYBODY_AUDIENCE ? [] : [audience],
    );
    const readers =
      shared.length === 0
        ? new Set<string>()
        : await readReaders(this.options.db, [...new Set(shared)], [...this.#byUser.keys()]);
    const deliveries = events.flatMap((event) =>
      this.#receivers(event, readers).map((webhook) => this.#deliveryOf(webhook, event)),
    );
    if (deliveries.length > 0) await this.#insert(deliveries);
  }

  #receivers(event: SharedEvent, readers: ReadonlySet<string>): ActiveWebhook[] {
    const { audience, user_id } = event;
    const own = user_id === null ? [] : (this.#byUser.get(user_id) ?? []);
    const others =
      audience === undefined
        ? []
        : [...this.#byUser].flatMap(([userId, webhooks]) => {
            const mayRead = audience === EVERYBODY_AUDIENCE || readers.has(readerKey(audience, userId));
            return mayRead && userId !== user_id && !hasOwnCopy(event, userId) ? webhooks : [];
          });
    return [...own, ...others].filter((webhook) => wants(webhook, event));
  }

  #deliveryOf({ id: webhookId }: ActiveWebhook, shared: SharedEvent): NewDelivery {
    const { audience: _audience, ...event } = shared;
    return {
      id: this.options.newId(),
      webhookId,
      messageId: event.id,
      eventId: event.id,
      type: event.event_type,
      thing: `${event.resource_type}:${event.resource_id ?? event.id}`,
      payload: JSON.stringify({ type: event.event_type, timestamp: event.created_at, data: event }),
    };
  }

  async #insert(deliveries: readonly NewDelivery[]): Promise<void> {
    await enqueueDeliveries(this.options.db, deliveries);
    this.options.onEnqueued();
  }
}

const wants = ({ eventTypes, enabledSince }: ActiveWebhook, event: EventRecord): boolean =>
  (eventTypes === null || eventTypes.includes(event.event_type)) &&
  Date.parse(event.created_at) >= enabledSince.getTime() - CLOCK_SKEW_MS;
