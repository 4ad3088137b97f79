/** Whoever lets users spend their AI credit: a key for each user, with a limit, and a count of what was used of it. */
export interface AiProvider {
  /** Kept with each key, so that keys of one provider are not taken for another's. */
  readonly name: string;
  /** The id of the key of this name. */
  find(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Creates a key and returns its id. The key's secret is not stored. */
  create(name: string, limitMicros: bigint, signal: AbortSignal): Promise<string>;
  setLimit(keyId: string, limitMicros: bigint, signal: AbortSignal): Promise<void>;
  read(keyId: string, signal: AbortSignal): Promise<Reading>;
}

export interface Reading {
  /** Null where the key has none. */
  readonly limitMicros: bigint | null;
  readonly usageMicros: bigint;
}

interface Failure {
  /** Surely nothing was done: the provider said so, or was never reached. */
  readonly nothingDone?: boolean;
  /** The provider has responded: nothing of the request happens later. */
  readonly isOver?: boolean;
  /** It has no such key, which says nothing of any other. */
  readonly isOfKey?: boolean;
  readonly cause?: unknown;
}

/** The provider did not do it, or it is unknown whether it did. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly nothingDone: boolean;
  readonly isOver: boolean;
  readonly isOfKey: boolean;

  constructor(
    message: string,
    { nothingDone = false, isOver = nothingDone, isOfKey = false, cause }: Failure,
  ) {
    super(message, { cause });
    this.nothingDone = nothingDone;
    this.isOver = isOver;
    this.isOfKey = isOfKey;
  }
}

export const noSuchKey = () =>
  new ProviderError("the provider has no such key", { nothingDone: true, isOfKey: true });

/** A user's key is told from others by its name. */
export const keyNameOf = (userId: string): string => `berth-${userId}`;
