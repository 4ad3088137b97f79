import type { ActorsFor } from "../../actors/senders.ts";
import { RateLimiter } from "../http/rate-limit.ts";

const MINUTE_MS = 60_000;
/** One event tells of all wrong passwords of its minute: guesses must not fill a user's log. */
const EVENTS_PER_ACCOUNT = { name: "failed-login", limit: 1, windowSeconds: 60 };

/** Tells users' logs of wrong passwords, at most once a minute for each account, whichever gateways are tried. */
export class FailedLogins {
  readonly #told = new RateLimiter(EVENTS_PER_ACCOUNT);

  constructor(
    private readonly actors: Pick<ActorsFor<"gateway">, "account">,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Never fails: whoever gave the wrong password learns the same whether or not it could be written. */
  async record(userId: string, address: string): Promise<void> {
    if (!this.#told.tryConsume(userId).allowed) return;
    const key = `failed-login:${Math.floor(Date.now() / MINUTE_MS)}`;
    await this.actors
      .account(userId)
      .fail_login({ address }, { key, hasClientKey: false })
      .catch(this.failed);
  }
}
