import type { Caller } from "../../schemas/accounts/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import { BoundedMap } from "../../system/bounded-map.ts";

/** How long it is taken for granted that an administrator has a second factor. The last one cannot be removed where it is required. */
const KNOWN_MS = 60_000;
/** An installation has few administrators. */
const KNOWN_MAX = 10_000;

/** Keeps administrators without a second factor from everything but setting one up, where the operator requires one. */
export class RequiredSecondFactor {
  readonly #known = new BoundedMap<string, number>(KNOWN_MAX);

  /**
   * @param required the operator's setting
   * @param has asks the database whether a user has a second factor
   * @param now milliseconds, monotonic; for tests
   */
  constructor(
    readonly required: boolean,
    private readonly has: (userId: string) => Promise<boolean>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the operator requires a second factor of such an account. */
  isRequiredOf({ role }: Pick<Caller, "role">): boolean {
    return this.required && role === "admin";
  }

  /** Undefined where there is nothing to wait for. @throws SECOND_FACTOR_SETUP_REQUIRED */
  assertSetUp(caller: Caller): Promise<void> | undefined {
    if (!this.isRequiredOf(caller)) return undefined;
    const knownUntilMs = this.#known.get(caller.userId) ?? 0;
    return this.now() < knownUntilMs ? undefined : this.#ask(caller.userId);
  }

  async #ask(userId: string): Promise<void> {
    if (!(await this.has(userId)))
      throw new DomainError(
        "SECOND_FACTOR_SETUP_REQUIRED",
        "Administrators need a second factor here: set one up at POST /api/v1/auth/second-factor/totp or /api/v1/auth/passkeys",
      );
    this.#known.set(userId, this.now() + KNOWN_MS);
  }
}
