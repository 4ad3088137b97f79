import type { ByteReader } from "../../exec/byte-reader.ts";
import { transferMsMax } from "../../exec/file-transfer.ts";

/** The party that an upload is waiting for. */
export type Party = "client" | "machine";

/** The speed of reading a stored file again for its digest; any disk is faster. */
const DIGEST_BYTES_PER_SECOND_MIN = 20 << 20;

/** Streams a request's body into a program, followed by one line that tells it to keep or drop the file. */
export class UploadStream {
  readonly input: ReadableStream<Uint8Array>;
  /**
   * Settles with the party that is late when there was no progress for too long, or the whole upload takes too long.
   */
  readonly late: Promise<Party>;
  readonly #reader: ByteReader | undefined;
  readonly #hasher: Bun.CryptoHasher | null;
  readonly #verdict = Promise.withResolvers<string>();
  #sent = 0;
  #waitsFor: Party = "machine";
  #progressAt = performance.now();
  readonly #timer: Timer;

  /**
   * @param bytes the length of the body
   * @param isChecked whether its digest is needed
   */
  constructor(
    body: ReadableStream<Uint8Array> | null,
    private readonly bytes: number,
    private readonly isChecked: boolean,
    private readonly idleMs: number,
  ) {
    this.#reader = body?.getReader();
    this.#hasher = isChecked ? new Bun.CryptoHasher("sha256") : null;
    this.input = new ReadableStream(
      // The program may end before it has read the whole body.
      { pull: (controller) => this.#pull(controller), cancel: () => undefined },
      { highWaterMark: 0 },
    );
    const late = Promise.withResolvers<Party>();
    this.late = late.promise;
    const endsAt = performance.now() + transferMsMax(bytes, idleMs);
    this.#timer = setInterval(() => {
      const now = performance.now();
      if (now > endsAt || now - this.#progressAt > this.#waitMsMax) late.resolve(this.#waitsFor);
    }, idleMs / 10);
  }

  /** The SHA-256 of the body, in hexadecimal. */
  get digest(): string | null {
    return this.#hasher?.copy().digest("hex") ?? null;
  }

  /** Tells the program to keep or drop the file. */
  sendVerdict(verdict: "keep" | "drop"): void {
    this.#recordProgress("machine");
    this.#verdict.resolve(`${verdict}\n`);
  }

  /** Stops reading the body and watching its progress. */
  close(): void {
    clearInterval(this.#timer);
    this.#verdict.resolve("drop\n");
    this.#reader?.cancel().catch(() => undefined);
  }

  get #waitMsMax(): number {
    const reads = this.isChecked && this.#sent === this.bytes;
    return this.idleMs + (reads ? (this.bytes / DIGEST_BYTES_PER_SECOND_MIN) * 1_000 : 0);
  }

  /** Called whenever the program has read the previous chunk. */
  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#sent < this.bytes) {
      this.#recordProgress("client");
      const { value } = (await this.#reader?.read().catch(() => undefined)) ?? {};
      this.#recordProgress("machine");
      // The client is gone. At the end of its input, without a verdict, the program removes the partial file.
      if (value === undefined) return controller.close();
      this.#sent += value.length;
      this.#hasher?.update(value);
      controller.enqueue(value);
      return;
    }
    controller.enqueue(Buffer.from(await this.#verdict.promise));
    controller.close();
  }

  #recordProgress(waitsFor: Party): void {
    this.#waitsFor = waitsFor;
    this.#progressAt = performance.now();
  }
}
