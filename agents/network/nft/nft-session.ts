import { setTimeout } from "node:timers";
import { Backoff } from "../../../system/backoff.ts";
import { Semaphore } from "../../../system/semaphore.ts";
import { CommandError } from "../../exec/command.ts";
import { InteractiveNft } from "./interactive-nft.ts";

/** In memory: a change waits for no disk. */
export const NFT_FOLDER = "/run/berth/nft";

/** It ends with the agent, also with one that is killed. It would keep a history of its lines in the home folder. */
const COMMAND = ["setpriv", "--pdeathsig", "KILL", "env", "HOME=/nonexistent", "LC_ALL=C", "nft", "-i"];
const RESTART_FIRST_MS = 1_000;
const RESTART_MAX_MS = 60_000;
/** nft keeps all its lines in memory, 300 bytes for each change. */
const CHANGES_MAX = 5_000;
/** nft keeps the memory that its largest text took, some sixty times its length. A rule is 100 to 200 characters. */
const TEXT_LENGTH_MAX = 64 * 1024;
/** Texts of that length take some milliseconds, or a second among thousands of sets. */
const LOAD_MS_MAX = 20_000;

export interface NftSessionOptions {
  /** Called when the process ends by itself, as by a fault of nft, or is killed because it hangs. Another one is started. */
  readonly onEnded?: (exitCode: number) => void;
  readonly command?: readonly string[];
  readonly loadMsMax?: number;
  readonly changesMax?: number;
}

/**
 * Keeps a process of nft that is there before a change is: a change waits neither for its start, nor for the kernel to free the rules
 * that were replaced, which a process that ends waits for. One that has ended, hangs or has had many changes is replaced.
 */
export class NftSession {
  readonly #options: Required<NftSessionOptions>;
  readonly #backoff = new Backoff(RESTART_FIRST_MS, RESTART_MAX_MS);
  readonly #turns = new Semaphore(1);
  /** Null: none is ready. */
  #nft: InteractiveNft | null = null;
  #faults = 0;
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param folder of this agent alone */
  constructor(
    private readonly folder: string,
    options: NftSessionOptions = {},
  ) {
    this.#options = {
      onEnded: () => {},
      command: COMMAND,
      loadMsMax: LOAD_MS_MAX,
      changesMax: CHANGES_MAX,
      ...options,
    };
    void this.#start();
  }

  /** How many processes have ended by themselves, or were killed because they hung. */
  get faults(): number {
    return this.#faults;
  }

  /**
   * Loads a text like `InteractiveNft.load`. False when nothing was done with it: no process is ready, or the text is too long.
   *
   * @throws CommandError
   */
  load(text: string): Promise<boolean> {
    return this.#turns.run(async () => {
      const nft = this.#nft;
      if (nft === null || text.length > TEXT_LENGTH_MAX) return false;
      try {
        await nft.load(text, this.#options.loadMsMax);
        this.#backoff.reset();
      } catch (error) {
        if (error instanceof CommandError) throw error;
        // Its file could not be written: it has not been told of the change.
        return false;
      } finally {
        if (nft.changes >= this.#options.changesMax) this.#replace(nft);
      }
      return true;
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    this.#nft?.close();
    this.#nft = null;
  }

  #replace(nft: InteractiveNft): void {
    this.#nft = null;
    nft.close();
    void this.#start();
  }

  async #start(): Promise<void> {
    const { command, loadMsMax } = this.#options;
    const nft = await InteractiveNft.start(command, this.folder, loadMsMax).catch(() => null);
    if (this.#isClosed) return nft?.close();
    if (nft === null) return this.#startLater();
    this.#nft = nft;
    void nft.ended.then((exitCode) => {
      if (this.#nft !== nft) return;
      this.#nft = null;
      this.#faults += 1;
      this.#options.onEnded(exitCode);
      this.#startLater();
    });
  }

  #startLater(): void {
    if (!this.#isClosed) this.#restart = setTimeout(() => void this.#start(), this.#backoff.next()).unref();
  }
}
