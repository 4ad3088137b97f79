/** A provider of AI credit: it has a key for each user, with a limit and the usage so far. */
export interface AiProvider {
  /** Stored with each key, so that keys of different providers are not confused. */
  readonly name: string;
  /** The id of the key with this name; undefined if there is none. */
  find(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Creates a key and returns its id. The key's secret is not stored. */
  create(name: string, limitMicros: bigint, signal: AbortSignal): Promise<string>;
  setLimit(keyId: string, limitMicros: bigint, signal: AbortSignal): Promise<void>;
  read(keyId: string, signal: AbortSignal): Promise<Reading>;
}

export interface Reading {
  /** Null for a key without a limit. */
  readonly limitMicros: bigint | null;
  readonly usageMicros: bigint;
}

interface Failure {
  /** Certainly nothing was done: the provider said so, or was never reached. */
  readonly nothingDone?: boolean;
  /** The provider has responded: the request has no later effects. */
  readonly isOver?: boolean;
  /** The key is unknown to the provider; other keys are not affected. */
  readonly isOfKey?: boolean;
  readonly cause?: unknown;
}

/** The provider did not carry out the request, or it is unknown whether it did. */
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

/** The name of a user's key, by which it can be found. */
export const keyNameOf = (userId: string): string => `berth-${userId}`;
