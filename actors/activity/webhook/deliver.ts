import type { Logger } from "pino";
import type { Networks } from "../../../system/networks.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { WebhookMetrics } from "./metrics.ts";
import { type ClaimedDelivery, claimDeliveries, finishAttempt } from "./queue/queries.ts";
import { type RetryTimes, retryAfterMs } from "./rules.ts";
import { sendDelivery } from "./send.ts";

/** Attempts that an actor host makes at once, and of one webhook: a slow receiver keeps no other waiting. */
const IN_FLIGHT_MAX = 32;
const PER_WEBHOOK_MAX = 4;
/** A claim lasts for so many attempts' time: one, and writing down its outcome. */
const CLAIM_ATTEMPTS = 2;
/** How long a host that stops waits for attempts that are under way. */
const STOP_MS_MAX = 2_000;

export interface DelivererOptions {
  readonly db: Sql;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
  /** Private networks that webhooks may reach. */
  readonly networks: Networks;
  /** Of an attempt. */
  readonly timeoutMs: number;
  readonly times: RetryTimes;
}

/** Makes deliveries as their time comes. Any actor host may make any of them: a claim in the database keeps two from making one. */
export class WebhookDeliverer {
  readonly #inFlight = new Map<string, number>();
  readonly #attempts = new Set<Promise<void>>();
  #count = 0;
  #isClaiming = false;
  #isWanted = false;
  #isStopped = false;

  constructor(private readonly options: DelivererOptions) {}

  /** There may be something to deliver. */
  wake(): void {
    this.#isWanted = true;
    if (!this.#isClaiming && !this.#isStopped) void this.#claim();
  }

  /** Claims nothing more, and waits a moment for what is under way. What has not ended by then is made again when its claim runs out. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.race([Promise.all(this.#attempts), Bun.sleep(STOP_MS_MAX)]);
  }

  async #claim(): Promise<void> {
    this.#isClaiming = true;
    try {
      while (this.#isWanted && this.#count < IN_FLIGHT_MAX && !this.#isStopped) {
        this.#isWanted = false;
        const claimed = await claimDeliveries(this.options.db, {
          limit: IN_FLIGHT_MAX - this.#count,
          perWebhook: PER_WEBHOOK_MAX,
          claimMs: this.options.timeoutMs * CLAIM_ATTEMPTS,
          busy: [...this.#inFlight].filter(([, n]) => n >= PER_WEBHOOK_MAX).map(([id]) => id),
        });
        for (const delivery of claimed) this.#start(delivery);
      }
    } catch (error) {
      this.options.log.warn({ err: error }, "webhook deliveries could not be claimed; trying again");
    } finally {
      this.#isClaiming = false;
    }
  }

  #start(delivery: ClaimedDelivery): void {
    const attempt = this.#deliver(delivery);
    this.#attempts.add(attempt);
    void attempt.finally(() => this.#attempts.delete(attempt));
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { db, log, metrics, networks, timeoutMs, times } = this.options;
    this.#add(delivery.webhookId, 1);
    try {
      const outcome = await sendDelivery(delivery, networks, timeoutMs);
      metrics.observe(outcome);
      const retryMs = outcome.isDelivered
        ? undefined
        : retryAfterMs(delivery.attempts, delivery.firstAttemptAt, new Date(), times);
      await finishAttempt(db, delivery, outcome, retryMs ?? null);
    } catch (error) {
      log.warn(
        { err: error, delivery: delivery.id },
        "the outcome of a webhook delivery is not written; it is made again",
      );
    } finally {
      this.#add(delivery.webhookId, -1);
      // The next of the same thing, and room for others.
      this.wake();
    }
  }

  #add(webhookId: string, n: number): void {
    this.#count += n;
    const count = (this.#inFlight.get(webhookId) ?? 0) + n;
    if (count === 0) this.#inFlight.delete(webhookId);
    else this.#inFlight.set(webhookId, count);
  }
}
