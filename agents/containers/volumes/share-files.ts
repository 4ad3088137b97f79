import { join } from "node:path";
import { runProgram } from "../../exec/program.ts";
import { ContainerError } from "../driver.ts";

/** How the files of a share are kept: on a disk of its own, or in a folder where the host cannot mount one. */
export type ShareKind = "disk" | "folder";

/** The program that works on a share's files; `mount` is for make-root.ts. */
export const SHARE_PROGRAM = join(import.meta.dir, "share.sh");

/** A share of terabytes on a slow disk is copied and checked in that time. */
const WORK_MS_MAX = 6 * 60 * 60 * 1_000;
const REASON_BYTES_MAX = 16 * 1024;
const REASON_CHARS_MAX = 200;
const CANNOT_MOUNT = 3;
const IS_MOUNTED = 5;

/** The files of one storage share. Every method can be repeated after a failure or the agent's death. */
export class ShareFiles {
  /** @param folder the share's own, absolute; it exists */
  constructor(
    private readonly folder: string,
    private readonly canMount: boolean,
  ) {}

  /** @returns how they are kept @throws ContainerError when the host has no room */
  async create(sizeBytes: number): Promise<ShareKind> {
    const made = this.canMount ? await this.#run("create", String(sizeBytes)) : { code: CANNOT_MOUNT };
    if (made.code !== CANNOT_MOUNT) return "disk";
    await this.#run("create-folder");
    return "folder";
  }

  /** What they take, in bytes. */
  async usage(kind: ShareKind): Promise<number> {
    return Number((await this.#run(kind === "disk" ? "usage" : "usage-folder")).stdout);
  }

  /** @returns false when that must wait until it is mounted nowhere */
  async grow(kind: ShareKind, sizeBytes: number): Promise<boolean> {
    return kind === "folder" || (await this.#run("grow", String(sizeBytes))).code === 0;
  }

  /** @returns what the snapshot's files take, in bytes */
  async snapshot(kind: ShareKind, id: string): Promise<number> {
    return Number((await this.#run(kind === "disk" ? "snapshot" : "snapshot-folder", id)).stdout);
  }

  /** @returns false when that must wait until it is mounted nowhere */
  async restore(kind: ShareKind, id: string, sizeBytes: number): Promise<boolean> {
    const act = kind === "disk" ? "restore" : "restore-folder";
    return (await this.#run(act, id, String(sizeBytes))).code === 0;
  }

  async dropSnapshot(id: string): Promise<void> {
    await this.#run("drop", id);
  }

  /** Whether the kernel has the disk mounted somewhere still. */
  async isMounted(): Promise<boolean> {
    return (await this.#run("remove")).code === IS_MOUNTED;
  }

  /** @throws ContainerError with the reason, in words for the share's owner */
  async #run(act: string, ...words: string[]): Promise<{ code: number; stdout: string }> {
    const { code, boundMet, stdout, stderr } = await runProgram(
      [
        ...["unshare", "--mount", "--propagation", "private", "--"],
        ...["/bin/sh", SHARE_PROGRAM, act, this.folder, ...words],
      ],
      { cwd: "/" },
      { msMax: WORK_MS_MAX, stdoutBytesMax: REASON_BYTES_MAX, stderrBytesMax: REASON_BYTES_MAX },
    );
    if (boundMet === null && (code === 0 || code === CANNOT_MOUNT || code === IS_MOUNTED))
      return { code, stdout: stdout.toString() };
    const reason = stderr.toString().trim().split("\n").at(-1)?.slice(0, REASON_CHARS_MAX);
    throw new ContainerError(reason || `its files could not be changed (${act})`);
  }
}
