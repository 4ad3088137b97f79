import type { ActorsFor } from "../../actors/senders.ts";
import { RateLimiter } from "../http/rate-limit.ts";

const MINUTE_MS = 60_000;
/** One event stands for all wrong passwords of a minute, so that an attack does not fill the user's log. */
const EVENTS_PER_ACCOUNT = { name: "failed-login", limit: 1, windowSeconds: 60 };

/** Records wrong passwords in the user's event log: at most one event a minute for each account, over all gateways. */
export class FailedLogins {
  readonly #events = new RateLimiter(EVENTS_PER_ACCOUNT);

  constructor(
    private readonly actors: Pick<ActorsFor<"gateway">, "account">,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Never rejects: the client gets the same reply whether or not the event was written. */
  async record(userId: string, address: string): Promise<void> {
    if (!this.#events.tryConsume(userId).allowed) return;
    const key = `failed-login:${Math.floor(Date.now() / MINUTE_MS)}`;
    await this.actors
      .account(userId)
      .fail_login({ address }, { key, hasClientKey: false })
      .catch(this.failed);
  }
}
