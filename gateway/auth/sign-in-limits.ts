import { BoundedMap } from "../../system/bounded-map.ts";
import { enforceLimit, enforceResult, RateLimiter } from "../http/rate-limit.ts";

/**
 * Limits of password attempts (docs/decisions/0010-sign-in-limits.md). A person needs a few attempts, an attacker
 * with a list of passwords many. Each gateway counts for itself.
 */
const PER_ADDRESS = { name: "address", limit: 100, windowSeconds: 60 };
const PER_ACCOUNT_AND_ADDRESS = { name: "login", limit: 10, windowSeconds: 60 };
/** OWASP's ASVS 4.0 (2.2.1) allows 100 failed attempts an hour on one account, over all addresses. */
const PER_ACCOUNT = { name: "account", limit: 100, windowSeconds: 60 * 60 };

/** About 150 bytes each. When it is full, the least recently used entry is dropped. */
const KNOWN_MAX = 100_000;

/** An attempt that was admitted. Its outcome is recorded once; a wrong password needs no call. */
interface SignInAttempt {
  /** The password was right: earlier attempts from this address no longer count. */
  recordSuccess(): void;
  /** The password was not checked: the attempt does not count. */
  withdraw(): void;
}

type Headers = Record<string, string | number>;

export class SignInLimits {
  readonly #addresses: RateLimiter;
  readonly #pairs: RateLimiter;
  readonly #accounts: RateLimiter;
  /** Account and address of successful sign-ins: attempts from other addresses do not lock these out. */
  readonly #known = new BoundedMap<string, true>(KNOWN_MAX);

  /** @param now milliseconds, monotonic; for tests */
  constructor(now?: () => number) {
    this.#addresses = new RateLimiter(PER_ADDRESS, now);
    this.#pairs = new RateLimiter(PER_ACCOUNT_AND_ADDRESS, now);
    this.#accounts = new RateLimiter(PER_ACCOUNT, now);
  }

  /** Records an address that the account is known to use: it was made there, or its second factor was proven there. */
  recordAddress(account: string, address: string): void {
    this.#known.set(`${account} ${address}`, true);
  }

  /** Counts an attempt by the client's address, before anything is read for it. @throws RATE_LIMITED */
  countByAddress(address: string, headers: Headers): void {
    enforceLimit(this.#addresses, address, headers);
  }

  /**
   * Counts an attempt on an account's password.
   *
   * @param account its id, so that user name and e-mail address count as one; for an unknown account the name that
   * was given
   * @throws RATE_LIMITED
   */
  countByAccount(account: string, address: string, headers: Headers): SignInAttempt {
    const pair = `${account} ${address}`;
    enforceLimit(this.#pairs, pair, headers);
    const ofAll = this.#accounts.tryConsume(account);
    if (!ofAll.allowed && !this.#known.has(pair)) enforceResult(PER_ACCOUNT, ofAll, headers);
    const uncountOfAll = () => {
      if (ofAll.allowed) this.#accounts.refund(account);
    };
    return {
      recordSuccess: () => {
        this.#pairs.reset(pair);
        uncountOfAll();
        this.#known.set(pair, true);
      },
      withdraw: () => {
        this.#pairs.refund(pair);
        uncountOfAll();
      },
    };
  }
}
