import { ValidationError } from "../schemas/errors.ts";
import { IdempotencyKey } from "../schemas/primitives.ts";
import { isText } from "../schemas/text.ts";

/**
 * The identity of one mutation: the same key never acts twice (design §2 "Exactly once"). A body's `idempotency_key`
 * wins over the header `Idempotency-Key`; without either the gateway mints a key for its own retries.
 */
export class Operation {
  #minted: string | undefined;
  #isReplayed = false;
  readonly #chosen: string | undefined;

  constructor(chosen?: string) {
    this.#chosen = chosen;
  }

  get key(): string {
    if (this.#chosen !== undefined) return this.#chosen;
    this.#minted ??= crypto.randomUUID();
    return this.#minted;
  }

  /**
   * Whether the client chose the key and may send it again. Otherwise it is minted here, for the gateway's own
   * retries.
   */
  get hasClientKey(): boolean {
    return this.#chosen !== undefined;
  }

  /** Whether an actor has replied with the receipt of an earlier request. */
  get isReplayed(): boolean {
    return this.#isReplayed;
  }

  /** Called by the actors' client. */
  readonly onReplayed = (): void => {
    this.#isReplayed = true;
  };

  /** The operation for an actor that many users share, where the keys of different users must not collide. */
  scopedTo(userId: string): ActorOperation {
    return this.under(`${userId}:${this.key}`);
  }

  /** The same operation under another key. */
  under(key: string): ActorOperation {
    return { key, hasClientKey: this.hasClientKey, onReplayed: this.onReplayed };
  }
}

/** What an actor is told of an operation. */
export type ActorOperation = Pick<Operation, "key" | "hasClientKey" | "onReplayed">;

/** Reads the operation of a request. The body is not yet validated: its key counts only where it is text. */
export function readOperation(request: Request, body: unknown): Operation {
  if (request.method === "GET" || request.method === "HEAD") return new Operation();
  const header = headerKey(request);
  if (body !== null && typeof body === "object" && "idempotency_key" in body) {
    if (typeof body.idempotency_key === "string") return new Operation(body.idempotency_key);
  }
  return new Operation(header);
}

function headerKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!isText(IdempotencyKey, key)) {
    throw new ValidationError(
      "headers.idempotency-key",
      "must be 1 to 128 characters, at least one of which is not white space",
    );
  }
  return key;
}
