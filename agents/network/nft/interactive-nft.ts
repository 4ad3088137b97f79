import { renameSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers";
import { CommandError } from "../../exec/command.ts";
import { type Program, startProgram } from "../../exec/program.ts";

/** The text of the present change. A line of `nft -i` names it: what was read in part is then no command, or the whole text. */
const FILE = "change.nft";
/** A reason is a few lines. nft repeats the line of each error, and a text that is refused may have many. */
const ANSWER_LENGTH_MAX = 256 * 1024;
/** How much of it goes into a message. */
const REASON_LENGTH_MAX = 500;
/** Text of the agent that names no command: nft's answer to it ends that to the change before. */
const endMark = (change: number) => `berth_end_${change}`;

/** One process of `nft -i`, which applies one change after the other. */
export class InteractiveNft {
  /** Settles when the process has ended, with its exit code. */
  readonly ended: Promise<number>;
  readonly #program: Program;
  #lines: ReadableStreamDefaultController<Uint8Array> | null = null;
  #changes = 0;
  #answer = "";
  #answered = () => {};
  #hasEnded = false;

  private constructor(
    command: readonly string[],
    private readonly folder: string,
  ) {
    const input = new ReadableStream<Uint8Array>({
      start: (lines) => {
        this.#lines = lines;
      },
    });
    this.#program = startProgram(command, { cwd: folder, input });
    // A build with another editor of lines writes its prompts there.
    void this.#program.stdout.pipeTo(new WritableStream()).catch(() => undefined);
    void this.#read().catch(() => undefined);
    this.ended = this.#program.exited.then((code) => {
      this.#hasEnded = true;
      this.#answered();
      return code;
    });
  }

  /**
   * @param folder in memory, for the file by which a change is passed on; nobody else may write there
   * @throws CommandError when this program does not answer as nft does
   */
  static async start(command: readonly string[], folder: string, msMax: number): Promise<InteractiveNft> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let nft: InteractiveNft;
    try {
      nft = new InteractiveNft(command, folder);
    } catch (cause) {
      throw new CommandError(`${command[0]}: cannot be started`, { cause });
    }
    await nft.load("# nothing\n", msMax).catch((error) => {
      nft.close();
      throw error;
    });
    return nft;
  }

  /** How many changes it was given. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Loads a text: all of it or, when it is refused, nothing. It is in force when this returns. One at a time.
   *
   * @throws CommandError with nft's reason. Where it ended or took too long, the text may be in force or not; it comes into force no more
   */
  async load(text: string, msMax: number): Promise<void> {
    const file = join(this.folder, FILE);
    // A process that a former agent left behind reads either the whole text or none of it.
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    this.#changes += 1;
    const mark = endMark(this.#changes);
    this.#send(`include "./${FILE}"\n${mark}\n`);
    const reason = refusalIn(await this.#answerUntil(mark, msMax));
    if (reason !== "") throw new CommandError(`nft: ${reason}`);
  }

  close(): void {
    this.#program.kill();
  }

  #send(text: string): void {
    try {
      this.#lines?.enqueue(new TextEncoder().encode(text));
    } catch {
      // It has ended or is about to: there is no answer.
    }
  }

  /** What it wrote before its answer to the mark. */
  async #answerUntil(mark: string, msMax: number): Promise<string> {
    const end = new RegExp(`(?:^|\n)Error: [^\n]*\n${mark}\n[ ^~]+\n$`);
    const deadlineMs = performance.now() + msMax;
    for (;;) {
      const found = end.exec(this.#answer);
      const leftMs = deadlineMs - performance.now();
      const isTooLong = this.#answer.length > ANSWER_LENGTH_MAX;
      if (found !== null) {
        const before = this.#answer.slice(0, found.index);
        this.#answer = "";
        return before;
      }
      if (this.#hasEnded) throw new CommandError("nft: ended before it had answered");
      if (leftMs <= 0 || isTooLong) {
        this.close();
        // Only then can no change of this process come after the next one.
        await this.ended;
        throw new CommandError(`nft: ${isTooLong ? "wrote too much" : "took too long"}`);
      }
      await this.#progress(leftMs);
    }
  }

  /** Settles when it has written more, or has ended, or the time is over. */
  #progress(msMax: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, msMax);
      this.#answered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of this.#program.stderr ?? []) {
      this.#answer += decoder.decode(piece, { stream: true });
      this.#answered();
    }
  }
}

/** Why nft has refused a text; empty when it has taken it. A warning is no refusal, and whatever else it says is one. */
function refusalIn(answer: string): string {
  const lines = answer
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("In file included from "));
  const isWarning =
    lines.every((line) => !/\bError\b/.test(line)) && lines.some((line) => /\bWarning: /.test(line));
  return isWarning ? "" : lines.join("\n").slice(0, REASON_LENGTH_MAX);
}
