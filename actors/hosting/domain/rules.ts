import { DomainError } from "../../../schemas/errors.ts";
import type { DomainClaim, DomainProof } from "../../../schemas/hosting/domain.ts";
import { backoffMs } from "../../../system/backoff.ts";

/** One account's claim to a domain. */
export interface Claim {
  readonly id: string;
  readonly domain: string;
  readonly userId: string;
  readonly projectId: string;
  readonly containerId: string;
  readonly aliasId: string;
  readonly serverId: string;
  readonly token: string;
  readonly state: "pending" | "verified" | "failed";
  readonly proof: DomainProof | null;
  readonly error: string | null;
  readonly failingSince: Date | null;
  readonly checkedAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly createdAt: Date;
}

/** A domain with all claims to it, by id. At most one is verified. */
export interface DomainNameState {
  readonly name: string;
  readonly claims: ReadonlyMap<string, Claim>;
}

/** What a look into DNS found; without a proof, why there is none. */
export interface Look {
  readonly proof: DomainProof | null;
  readonly error: string | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A new record is seen within minutes; the first look is made at once. */
const FIRST_LOOK_AGAIN_MS = 10_000;
const LOOK_AGAIN_MS_MAX = 60 * MINUTE_MS;
/** A proven domain. Its owner may have sold it since. */
const RECHECK_MS = 6 * 60 * MINUTE_MS;
/** A name server that is away for a night takes no domain from its alias. */
const GRACE_MS = 3 * DAY_MS;
/** A claim that nobody proves is forgotten by the checks, not by its user. */
const GIVE_UP_MS = 7 * DAY_MS;
/** The doubling ends long before. */
const DOUBLINGS_MAX = 20;

export type NewClaim = Pick<
  Claim,
  "id" | "domain" | "userId" | "projectId" | "containerId" | "aliasId" | "serverId" | "token"
>;

/** @throws DOMAIN_IN_USE when the account has claimed the domain already */
export function addClaim(state: DomainNameState, claim: NewClaim, now: Date): Claim {
  const own = [...state.claims.values()].find(({ userId }) => userId === claim.userId);
  if (own !== undefined)
    throw new DomainError(
      "DOMAIN_IN_USE",
      own.aliasId === claim.aliasId
        ? "the alias has this domain already"
        : "another alias of yours has this domain: remove it there first",
    );
  return {
    ...claim,
    state: "pending",
    proof: null,
    error: null,
    failingSince: now,
    checkedAt: null,
    nextCheckAt: now,
    verifiedAt: null,
    createdAt: now,
  };
}

/** The claim after a look into DNS. Who has proven the domain first keeps it while the proof holds. */
export function afterLook(state: DomainNameState, claim: Claim, look: Look, now: Date): Claim {
  const holder = [...state.claims.values()].find((one) => one.state === "verified");
  const isTaken = holder !== undefined && holder.id !== claim.id;
  const looked = { ...claim, checkedAt: now };
  if (look.proof !== null && !isTaken)
    return {
      ...looked,
      state: "verified",
      proof: look.proof,
      error: null,
      failingSince: null,
      nextCheckAt: later(now, RECHECK_MS),
      verifiedAt: claim.verifiedAt ?? now,
    };
  const error = look.proof === null ? look.error : "another account has proven that this domain is theirs";
  const failingSince = claim.failingSince ?? now;
  const failingMs = now.getTime() - failingSince.getTime();
  const isOver = failingMs >= (claim.state === "verified" ? GRACE_MS : GIVE_UP_MS);
  if (isOver || claim.state === "failed")
    return {
      ...looked,
      state: "failed",
      proof: null,
      error,
      failingSince,
      nextCheckAt: null,
      verifiedAt: null,
    };
  // As long again as it was looked for so far, so that few looks are made in a week.
  const doublings = Math.min(DOUBLINGS_MAX, Math.floor(Math.log2(1 + failingMs / FIRST_LOOK_AGAIN_MS)));
  const waitMs = backoffMs(doublings, FIRST_LOOK_AGAIN_MS, LOOK_AGAIN_MS_MAX);
  return { ...looked, error, failingSince, nextCheckAt: later(now, waitMs) };
}

/** The user asks for a look now. */
export const due = (claim: Claim, now: Date): Claim => ({
  ...claim,
  nextCheckAt: now,
  ...(claim.state === "failed" ? { state: "pending" as const, failingSince: now } : {}),
});

/** The claims of others to a domain that its holder has given up: they are looked at now, and not when they would have been. */
export const waitingAfter = (state: DomainNameState, left: Claim, now: Date): Claim[] =>
  left.state === "verified"
    ? [...state.claims.values()]
        .filter(({ id, state: of }) => id !== left.id && of === "pending")
        .map((claim) => ({ ...claim, nextCheckAt: now }))
    : [];

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

export const recordOf = (claim: Claim): DomainClaim => ({
  id: claim.id,
  domain: claim.domain,
  alias_id: claim.aliasId,
  state: claim.state,
  proof: claim.proof,
  error: claim.error,
  token: claim.token,
  checked_at: claim.checkedAt?.toISOString() ?? null,
  next_check_at: claim.nextCheckAt?.toISOString() ?? null,
  verified_at: claim.verifiedAt?.toISOString() ?? null,
  created_at: claim.createdAt.toISOString(),
});
