import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../../scripts/servers/server.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { sharedWatchdog } from "../harness/servers.ts";
import type { NetworkedMachine } from "./network.ts";

/** A program that a machine keeps running. */
export interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** As a service manager does. */
const RESTART_MS = 1_000;
const SHUT_DOWN_MS = 10_000;

/** A machine with its programs: each is started again when it ends, as long as the machine is on. */
export class Machine {
  readonly #programs: readonly Program[];
  readonly #running = new Map<string, Bun.Subprocess>();
  #isOn = false;
  #loops: Promise<void>[] = [];

  constructor(
    readonly name: string,
    private readonly network: NetworkedMachine,
    private readonly logs: string,
    programs: readonly Program[],
  ) {
    this.#programs = programs;
  }

  get address(): string {
    return this.network.address;
  }

  start(): void {
    this.#isOn = true;
    this.#loops = this.#programs.map((program) => this.#keepRunning(program));
  }

  /** Kills its programs, or the processes of one name, at once; they start again soon. */
  kill(name?: string): void {
    if (name === undefined) for (const child of this.#running.values()) child.kill("SIGKILL");
    else this.#killAll((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name);
  }

  /** Everything on it ends at once, and stays so until `start`. */
  async powerOff(): Promise<void> {
    this.#isOn = false;
    this.#killAll(() => true);
    await Promise.all(this.#loops);
    this.#killAll(() => true);
  }

  /** Ends its programs as a service manager does. */
  async shutDown(): Promise<void> {
    this.#isOn = false;
    for (const child of this.#running.values()) child.kill("SIGTERM");
    const late = setTimeout(() => this.kill(), SHUT_DOWN_MS);
    await Promise.all(this.#loops);
    clearTimeout(late);
    this.#killAll(() => true);
  }

  plug = (isPlugged: boolean) => this.network.plug(isPlugged);
  losePackets = (percent: number) => this.network.losePackets(percent);

  /** Programs leave children with sessions of their own: what is on a machine is known by its network. */
  #killAll(isMeant: (pid: number) => boolean): void {
    for (const pid of this.network.processes()) {
      try {
        if (isMeant(pid)) process.kill(pid, "SIGKILL");
      } catch {
        // It has ended already.
      }
    }
  }

  async #keepRunning({ name, command, env }: Program): Promise<void> {
    while (this.#isOn) {
      const child = launch([...this.network.within, ...command], {
        log: join(this.logs, `${this.name}-${name}.log`),
        cwd: this.logs,
        env: { ...CLEAN_ENVIRONMENT, ...env },
      });
      sharedWatchdog().watch(child.pid, "TERM");
      this.#running.set(name, child);
      await child.exited;
      this.#running.delete(name);
      sharedWatchdog().forget(child.pid);
      if (this.#isOn) await Bun.sleep(RESTART_MS);
    }
  }
}
