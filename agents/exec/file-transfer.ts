import type { ByteReader } from "./byte-reader.ts";
import type { StreamProcess } from "./target.ts";

/** A program that moves nothing of a file for so long hangs, or its disk does. */
export const FILE_IDLE_MS_MAX = 30_000;
/** A slow line of a telephone. A transfer that is slower as a whole is ended, so that each has an end. */
const BYTES_PER_SECOND_MIN = 16 * 1024;
/** A reader that takes nothing for so long is gone; behind an edge, the edge says so first. */
const READER_IDLE_MS_MAX = 10 * 60_000;

/** A program brought nothing of a file, or too little, within its time. */
export class FileTimeout extends Error {
  override readonly name = "FileTimeout";
}

/** How long a transfer of so many bytes may take as a whole. */
export const transferMsMax = (bytes: number, idleMs: number): number =>
  2 * idleMs + (bytes / BYTES_PER_SECOND_MIN) * 1_000;

/** What a program writes of a file. The program is killed when it brings nothing in time, and when nobody wants more of it. */
export class FileOutput {
  readonly #reader: ByteReader<Uint8Array<ArrayBuffer>>;
  #waitedMs = 0;
  #totalMs: number;
  #isLate = false;

  constructor(
    private readonly program: StreamProcess,
    private readonly idleMs = FILE_IDLE_MS_MAX,
  ) {
    this.#reader = program.stdout.getReader();
    this.#totalMs = transferMsMax(0, idleMs);
  }

  /**
   * The next piece; null at the end.
   *
   * @throws FileTimeout
   */
  async read(): Promise<Uint8Array<ArrayBuffer> | null> {
    const { value = null } = await this.#inTime(this.#reader.read());
    return value;
  }

  /**
   * The program's exit code.
   *
   * @throws FileTimeout when it does not end
   */
  exitCode(): Promise<number> {
    return this.#inTime(this.program.exited);
  }

  /** Kills the program. A process that it left behind may still hold its output: that is read no further. */
  stop(): void {
    this.program.kill();
    this.#reader.cancel().catch(() => undefined);
  }

  /**
   * As a body of at most so many bytes, of which `first` was read already. What the program writes beyond them is not read.
   *
   * @param isWhole whether so many bytes are all of the file, asked at the end; the body breaks off when they are not
   */
  body(
    bytesMax: number,
    first: Uint8Array<ArrayBuffer>,
    isWhole: (bytes: number) => boolean | Promise<boolean>,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#totalMs = transferMsMax(bytesMax, this.idleMs);
    let bytes = 0;
    let next = first;
    let abandoned: Timer | undefined;
    const end = () => {
      clearTimeout(abandoned);
      this.stop();
    };
    const breakOff = (controller: ReadableStreamDefaultController, error: unknown) => {
      end();
      controller.error(error);
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      clearTimeout(abandoned);
      const piece = next.length > 0 ? next : await this.read();
      next = new Uint8Array();
      const taken = piece?.subarray(0, bytesMax - bytes) ?? next;
      bytes += taken.length;
      if (taken.length > 0) controller.enqueue(taken);
      if (piece !== null && bytes < bytesMax) {
        abandoned = setTimeout(
          () => breakOff(controller, new FileTimeout("nobody reads the file")),
          READER_IDLE_MS_MAX,
        );
        return;
      }
      if (!(await isWhole(bytes))) throw new Error("the file broke off");
      end();
      controller.close();
    };
    return new ReadableStream(
      {
        pull: (controller) => pull(controller).catch((error) => breakOff(controller, error)),
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }

  /** Only the time that the program takes counts, and not that of a slow reader. */
  async #inTime<T>(wanted: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        this.#isLate = true;
        this.stop();
        late.reject(new FileTimeout("the program brought nothing of the file in time"));
      },
      Math.max(0, Math.min(this.idleMs, this.#totalMs - this.#waitedMs)),
    );
    try {
      const result = await Promise.race([wanted, late.promise]);
      if (this.#isLate) await late.promise;
      return result;
    } finally {
      clearTimeout(timer);
      this.#waitedMs += performance.now() - startedAt;
    }
  }
}
