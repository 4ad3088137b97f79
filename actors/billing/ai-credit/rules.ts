/** A user's key at the provider of AI credit, as its actor holds it. */
export interface AiCredit {
  readonly provider: string;
  readonly keyId: string | null;
  /** The limit that was last set at the provider. */
  readonly syncedMicros: bigint;
  readonly createdWithMicros: bigint | null;
  readonly attempt: number;
  readonly attemptAt: Date | null;
  /** An attempt ended with an unknown outcome: the provider is asked for the key before the next attempt. */
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
 * The time after which another attempt to create the key may begin. It is longer than a request may take, with its
 * transport, so that a key which the first attempt created can be found by then. `MAKE_MS_MAX` ends the request
 * itself.
 */
export const MAKE_MS_MAX = 5_000;
export const ATTEMPT_MS = 2 * MAKE_MS_MAX;

/**
 * Begins an attempt to create a key; undefined while another attempt may be in progress. A key of another provider
 * does not count.
 */
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

/**
 * Ends an attempt that has created no known key. `uncertain`: this attempt or an earlier one may have created one all
 * the same.
 */
export function ended(credit: AiCredit, attempt: number, uncertain: boolean): AiCredit {
  if (credit.attempt !== attempt || credit.keyId !== null) return credit;
  return { ...credit, attemptAt: null, uncertain };
}

/** Records that the key was created or found. */
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
 * Records the key's limit. A lower one than before is recorded too: a former owner may have set it late, and then the
 * wallet's limit must be set again.
 */
export function synced(credit: AiCredit, provider: string, keyId: string, limitMicros: bigint): AiCredit {
  if (credit.provider !== provider || credit.keyId !== keyId) return credit;
  return { ...credit, syncedMicros: limitMicros };
}
