import { BoundedMap } from "../../system/bounded-map.ts";
import { enforce, limited, RateLimiter } from "../http/rate-limit.ts";

/**
 * How often a password may be guessed (docs/decisions/0010-sign-in-limits.md). A person needs a few tries, a list of
 * passwords many. Each gateway counts for itself.
 */
const PER_ADDRESS = { name: "address", limit: 100, windowSeconds: 60 };
const PER_ACCOUNT_AND_ADDRESS = { name: "login", limit: 10, windowSeconds: 60 };
/** What OWASP's ASVS 4.0 (2.2.1) allows for one account: 100 failed tries an hour, from wherever they come. */
const PER_ACCOUNT = { name: "account", limit: 100, windowSeconds: 60 * 60 };

/** About 150 bytes each. When full, the one that was used longest ago is forgotten. */
const KNOWN_MAX = 100_000;

/** A try that was let through. What becomes of it is said once. */
interface Try {
  /** The password was right: the tries before it from this address no longer count. */
  succeeded(): void;
  /** It was not looked at: it does not count. */
  withdrawn(): void;
}

type Headers = Record<string, string | number>;

export class SignInLimits {
  readonly #addresses: RateLimiter;
  readonly #pairs: RateLimiter;
  readonly #accounts: RateLimiter;
  /** Account and address of successful sign-ins: whoever guesses from elsewhere does not lock these out. */
  readonly #known = new BoundedMap<string, true>(KNOWN_MAX);

  /** @param now milliseconds, monotonic; for tests */
  constructor(now?: () => number) {
    this.#addresses = new RateLimiter(PER_ADDRESS, now);
    this.#pairs = new RateLimiter(PER_ACCOUNT_AND_ADDRESS, now);
    this.#accounts = new RateLimiter(PER_ACCOUNT, now);
  }

  /** Counts a try by the client's address alone, before anything is read for it. @throws RATE_LIMITED */
  fromAddress(address: string, headers: Headers): void {
    limited(this.#addresses, address, headers);
  }

  /**
   * Counts a try at an account's password.
   *
   * @param account its id, so that user name and e-mail address are one; the name that was given where there is none
   * @throws RATE_LIMITED
   */
  atAccount(account: string, address: string, headers: Headers): Try {
    const pair = `${account} ${address}`;
    limited(this.#pairs, pair, headers);
    const ofAll = this.#accounts.tryConsume(account);
    if (!ofAll.allowed && !this.#known.has(pair)) enforce(PER_ACCOUNT, ofAll, headers);
    const uncountOfAll = () => {
      if (ofAll.allowed) this.#accounts.refund(account);
    };
    return {
      succeeded: () => {
        this.#pairs.reset(pair);
        uncountOfAll();
        this.#known.set(pair, true);
      },
      withdrawn: () => {
        this.#pairs.refund(pair);
        uncountOfAll();
      },
    };
  }
}
