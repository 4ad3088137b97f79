import type { Logger } from "pino";
import type { Sql } from "../../platform/db/sql.ts";
import type { MailSettings } from "../../platform/mail-settings.ts";
import { type ComposerOptions, compose, Obsolete } from "./compose.ts";
import type { MailMetrics } from "./metrics.ts";
import { readLinkKey } from "./queries.ts";
import { type ClaimedMail, claimMails, finishMail, readNextMs } from "./queue/queries.ts";
import { type Failure, failureOf, retryAfterMs } from "./rules.ts";
import { CONNECTIONS_MAX, connectMailer, type Mailer } from "./send.ts";

/** An attempt in all: the connection, TLS, the sign-in, and the mail, each of which has the timeout of the settings. */
const ATTEMPT_TIMEOUTS = 3;
/** A claim lasts longer than an attempt, by the time in which its outcome is written. */
const CLAIM_TIMEOUTS = ATTEMPT_TIMEOUTS + 1;
/** How long a host that stops waits for attempts that are under way. */
const STOP_MS_MAX = 2_000;
/** A mail that another host enqueued or left behind is found so late at most. */
const LOOK_MS_MAX = 60_000;
/** After the database did not answer. */
const AGAIN_MS = 5_000;

export interface MailDelivererOptions {
  readonly db: Sql;
  readonly log: Logger;
  readonly metrics: MailMetrics;
  readonly settings: MailSettings;
  readonly actors: ComposerOptions["actors"];
}

/** Sends mails as their time comes. Any actor host may send any of them: a claim in the database keeps two from sending one. */
export class MailDeliverer {
  readonly #mailer: Mailer;
  readonly #attempts = new Set<Promise<void>>();
  #isClaiming = false;
  #isWanted = false;
  #isStopped = false;
  #timer: Timer | undefined;

  constructor(private readonly options: MailDelivererOptions) {
    this.#mailer = connectMailer(options.settings);
    this.wake();
  }

  /** There may be something to send. */
  wake(): void {
    this.#isWanted = true;
    if (!this.#isClaiming && !this.#isStopped) void this.#claim();
  }

  /** Claims nothing more, and waits a moment for what is under way. What has not ended by then is sent again when its claim runs out. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.race([Promise.all(this.#attempts), Bun.sleep(STOP_MS_MAX)]);
    this.#mailer.close();
  }

  async #claim(): Promise<void> {
    const { db, log, settings } = this.options;
    this.#isClaiming = true;
    let nextMs: number | undefined = AGAIN_MS;
    try {
      while (this.#isWanted && this.#attempts.size < CONNECTIONS_MAX && !this.#isStopped) {
        this.#isWanted = false;
        const room = CONNECTIONS_MAX - this.#attempts.size;
        for (const mail of await claimMails(db, room, settings.timeoutMs * CLAIM_TIMEOUTS)) this.#start(mail);
      }
      // A mail that ends makes room, and wakes by itself.
      nextMs = this.#attempts.size < CONNECTIONS_MAX ? await readNextMs(db) : undefined;
    } catch (error) {
      log.warn({ err: error }, "mails could not be claimed; trying again");
    } finally {
      this.#isClaiming = false;
    }
    this.#schedule(nextMs);
  }

  /** Looks again at the time of the next mail. */
  #schedule(nextMs = LOOK_MS_MAX): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    if (this.#isWanted && this.#attempts.size < CONNECTIONS_MAX) return void this.#claim();
    this.#timer = setTimeout(() => this.wake(), Math.min(nextMs, LOOK_MS_MAX));
  }

  #start(mail: ClaimedMail): void {
    const attempt = this.#deliver(mail);
    this.#attempts.add(attempt);
    void attempt.finally(() => {
      this.#attempts.delete(attempt);
      this.wake();
    });
  }

  async #deliver(mail: ClaimedMail): Promise<void> {
    const from = performance.now();
    try {
      const failure = await this.#attempt(mail);
      await this.#finish(mail, failure, performance.now() - from);
    } catch (error) {
      this.options.log.warn(
        { err: error, mail: mail.id },
        "the outcome of a mail is not written; it is sent again",
      );
    }
  }

  /** @returns why it was not sent */
  async #attempt(mail: ClaimedMail): Promise<Failure | undefined> {
    const { db, actors, settings } = this.options;
    const { timeoutMs, publicUrl } = settings;
    try {
      const content = await compose(mail, { actors, publicUrl, readLinkKey: () => readLinkKey(db) });
      const sent = this.#mailer.send({ id: mail.id, to: mail.address, content });
      await withinTime(sent, timeoutMs * ATTEMPT_TIMEOUTS);
      return undefined;
    } catch (error) {
      return error instanceof Obsolete ? { reason: error.message, isFinal: true } : failureOf(error);
    }
  }

  async #finish(mail: ClaimedMail, failure: Failure | undefined, durationMs: number): Promise<void> {
    const { db, log, metrics, settings } = this.options;
    const isSent = failure === undefined;
    const retryMs = isSent || failure.isFinal ? undefined : retryAfterMs(mail, new Date(), settings);
    metrics.observe(isSent ? "sent" : retryMs === undefined ? "given_up" : "failed", durationMs);
    const said = { mail: mail.id, kind: mail.kind, user: mail.userId, attempts: mail.attempts };
    if (!isSent) log.warn({ ...said, reason: failure.reason, retryMs }, "a mail was not sent");
    await finishMail(db, mail, { isSent, error: failure?.reason ?? null, retryMs: retryMs ?? null });
  }
}

/** What the mail server does after the time is of no interest. */
function withinTime(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" })),
      ms,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
