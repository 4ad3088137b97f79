/** A user's key at the provider of AI credit, as its actor holds it. */
export interface AiCredit {
  readonly provider: string;
  readonly keyId: string | null;
  /** What the provider was last told. */
  readonly syncedMicros: bigint;
  readonly createdWithMicros: bigint | null;
  readonly attempt: number;
  readonly attemptAt: Date | null;
  /** An attempt ended without a word of what it did: the provider is asked before there is another one. */
  readonly uncertain: boolean;
}

export const NO_KEY: AiCredit = {
  provider: "",
  keyId: null,
  syncedMicros: 0n,
  createdWithMicros: null,
  attempt: 0,
  attemptAt: null,
  uncertain: false,
};

/**
 * How long an attempt to make a key is left alone: longer than its request may take, here and on the way, so that what it made
 * is there to be found. `MAKE_MS_MAX` ends the request itself.
 */
export const MAKE_MS_MAX = 5_000;
export const ATTEMPT_MS = 2 * MAKE_MS_MAX;

/** A key is about to be made. Undefined where another attempt may still be under way. A key of another provider does not count. */
export function beginAttempt(credit: AiCredit, provider: string, now: Date): AiCredit | undefined {
  const { attempt, attemptAt } = credit;
  if (attemptAt !== null && now.getTime() < attemptAt.getTime() + ATTEMPT_MS) return undefined;
  const isOther = credit.provider !== provider;
  return {
    ...(isOther ? { ...NO_KEY, provider } : credit),
    attempt: attempt + 1,
    attemptAt: now,
    uncertain: !isOther && (credit.uncertain || attemptAt !== null),
  };
}

/** An attempt is over, and has made no key that we know of. `uncertain`: there may be one even so, of this attempt or an earlier one. */
export function ended(credit: AiCredit, attempt: number, uncertain: boolean): AiCredit {
  if (credit.attempt !== attempt || credit.keyId !== null) return credit;
  return { ...credit, attemptAt: null, uncertain };
}

/** The key has been made, or found. */
export function made(credit: AiCredit, provider: string, keyId: string, limitMicros: bigint): AiCredit {
  if (credit.provider !== provider || credit.keyId !== null) return credit;
  return {
    ...credit,
    keyId,
    syncedMicros: limitMicros,
    createdWithMicros: limitMicros,
    attemptAt: null,
    uncertain: false,
  };
}

/**
 * The key was given a limit. A lower one than before is believed: an owner that stood still has told the provider late, and
 * the wallet's own is told again.
 */
export function synced(credit: AiCredit, provider: string, keyId: string, limitMicros: bigint): AiCredit {
  if (credit.provider !== provider || credit.keyId !== keyId) return credit;
  return { ...credit, syncedMicros: limitMicros };
}
