import type { ByteReader } from "../../exec/byte-reader.ts";
import { transferMsMax } from "../../exec/file-transfer.ts";

/** Who has to do something before an upload goes on. */
export type Party = "client" | "machine";

/** Reading a stored file again for its digest: any disk is faster. */
const DIGEST_BYTES_PER_SECOND_MIN = 20 << 20;

/** A request's body on its way into a program, and after it one line that says what becomes of the file. */
export class UploadStream {
  readonly input: ReadableStream<Uint8Array>;
  /** Settles with who is late, when nothing has moved for too long or the whole takes too long. */
  readonly late: Promise<Party>;
  readonly #reader: ByteReader | undefined;
  readonly #hasher: Bun.CryptoHasher | null;
  readonly #verdict = Promise.withResolvers<string>();
  #sent = 0;
  #waitsFor: Party = "machine";
  #progressAt = performance.now();
  readonly #timer: Timer;

  /**
   * @param bytes of the body
   * @param isChecked whether its digest will be asked for
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
      // The program may end before it has read all of it.
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

  /** Of what was sent, in hexadecimal. */
  get digest(): string | null {
    return this.#hasher?.copy().digest("hex") ?? null;
  }

  /** Says what becomes of the file. */
  sendVerdict(verdict: "keep" | "drop"): void {
    this.#recordProgress("machine");
    this.#verdict.resolve(`${verdict}\n`);
  }

  /** No more is read of the body, and no more is watched. */
  close(): void {
    clearInterval(this.#timer);
    this.#verdict.resolve("drop\n");
    this.#reader?.cancel().catch(() => undefined);
  }

  get #waitMsMax(): number {
    const reads = this.isChecked && this.#sent === this.bytes;
    return this.idleMs + (reads ? (this.bytes / DIGEST_BYTES_PER_SECOND_MIN) * 1_000 : 0);
  }

  /** Asked for whenever the program has taken what it got before. */
  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#sent < this.bytes) {
      this.#recordProgress("client");
      const { value } = (await this.#reader?.read().catch(() => undefined)) ?? {};
      this.#recordProgress("machine");
      // The client has gone: at the end of its input the program removes what it has.
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
