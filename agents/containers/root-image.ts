import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { which } from "bun";
import type { Logger } from "pino";
import { type Bound, runProgram } from "../exec/program.ts";
import { ContainerError, NotReady } from "./driver.ts";

/** The operating system that new containers are given, in place of the host's programs. */
export type RootImageName = "debian13";

const SUITE = "trixie";
/** What a person misses at once in the smallest Debian. */
const PACKAGES = ["ca-certificates", "iproute2", "procps"];
/** It takes a minute on a good line; past this the mirror does not answer, or hardly. */
const MAKE_MS_MAX = 20 * 60 * 1000;
/** A mirror that is away is not asked again by every container that waits. */
const RETRY_MS = 60_000;
const REASON_CHARS_MAX = 300;
/** It says a line for each package and step: 30 KiB. */
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;

/** How a container's root is made of an image. */
export interface RootImage {
  readonly name: RootImageName;
  readonly folder: string;
  /** Its files lie over the image's, which all containers share. False where the kernel or the disk cannot: each has a copy. */
  readonly isLayered: boolean;
}

/**
 * Makes the image of the agent's data folder, once. Containers wait for it one by one, and nothing else does: making it
 * takes minutes on a slow line.
 */
export class RootImages {
  #ready: RootImage | null = null;
  #making: Promise<void> | null = null;
  #failure: { readonly reason: string; readonly atMs: number } | null = null;

  constructor(
    private readonly options: {
      /** What new containers get; null: the host's programs, beside which older ones keep the image that they have. */
      readonly name: RootImageName | null;
      /** Where images are kept, absolute. */
      readonly folder: string;
      readonly log: Logger;
      /** Makes the tree of files in a folder that is there and empty. */
      readonly make: (folder: string) => Promise<void>;
    },
  ) {}

  /** Begins to make it, if it is not there. */
  prepare(): void {
    const { name } = this.options;
    if (name === null || this.#ready !== null || this.#making !== null) return;
    if (this.#failure !== null && performance.now() - this.#failure.atMs < RETRY_MS) return;
    this.#making = this.#make(name).finally(() => {
      this.#making = null;
    });
  }

  /**
   * What a new container is made of; null: the host's programs.
   *
   * @throws NotReady while it is being made; ContainerError with the reason when it could not be
   */
  current(): RootImage | null {
    const { name } = this.options;
    if (name === null || this.#ready !== null) return this.#ready;
    this.prepare();
    if (this.#failure !== null) {
      throw new ContainerError(`the root image ${name} could not be made: ${this.#failure.reason}`);
    }
    throw new NotReady(`the root image ${name} of its host is being made; it starts as soon as that is done`);
  }

  /** Where an image is that a container was made of; it may not be the one for new containers. */
  folderOf(name: string): string {
    return join(this.options.folder, name);
  }

  /** Settles when nothing is being made. */
  async settled(): Promise<void> {
    await this.#making;
  }

  async #make(name: RootImageName): Promise<void> {
    const { log } = this.options;
    const folder = this.folderOf(name);
    try {
      if (!existsSync(folder)) {
        log.info({ image: name }, "making the root image");
        const fromMs = performance.now();
        // Under another name until it is whole, so that a crash leaves no half of one.
        const unfinished = `${folder}.new`;
        await rm(unfinished, { recursive: true, force: true });
        await mkdir(unfinished, { recursive: true, mode: 0o755 });
        await this.options.make(unfinished);
        await rename(unfinished, folder);
        log.info(
          { image: name, seconds: Math.round((performance.now() - fromMs) / 1_000) },
          "root image made",
        );
      }
      const isLayered = await canLayer(folder);
      if (!isLayered)
        log.warn({ image: name }, "no overlay file system here: each container has a copy of the image");
      this.#ready = { name, folder, isLayered };
      this.#failure = null;
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_CHARS_MAX);
      log.error({ image: name, reason }, "the root image could not be made");
      this.#failure = { reason, atMs: performance.now() };
    }
  }
}

/** Debian by debootstrap. Its packages are checked against Debian's keys. @param packages besides those of the smallest Debian */
export const debootstrap =
  (mirror: string, packages: readonly string[] = PACKAGES) =>
  async (folder: string): Promise<void> => {
    for (const [program, remedy] of [
      ["debootstrap", "debootstrap"],
      ["gpgv", "gpgv"],
    ] as const) {
      if (which(program) === null)
        throw new ContainerError(`${program} is missing: apt-get install ${remedy}`);
    }
    const { code, boundMet, stdout, stderr } = await runProgram(
      [
        // Namespaces of its own that end with the agent: neither a process nor a mount of it stays behind.
        ...["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child"],
        ...["debootstrap", "--force-check-gpg", "--variant=minbase", `--include=${packages.join(",")}`],
        ...[SUITE, folder, mirror],
      ],
      { cwd: "/", env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C" } },
      { msMax: MAKE_MS_MAX, stdoutBytesMax: OUTPUT_BYTES_MAX, stderrBytesMax: OUTPUT_BYTES_MAX },
    );
    if (code !== 0) throw new ContainerError(reasonOf(`${stdout}${stderr}`, boundMet));
    // The host's own, which each container replaces by its own.
    for (const file of ["hostname", "resolv.conf"]) await rm(join(folder, "etc", file), { force: true });
    for (const cache of ["var/cache/apt/archives", "var/lib/apt/lists"]) {
      for (const name of await readdir(join(folder, cache)).catch(() => [])) {
        await rm(join(folder, cache, name), { recursive: true, force: true });
      }
    }
  };

/** debootstrap marks errors by `E:`; what comes before a failed download is a `W:`. */
function reasonOf(output: string, boundMet: Bound | null): string {
  if (boundMet === "deadline") return `debootstrap took longer than ${MAKE_MS_MAX / 60_000} minutes`;
  const lines = output.trim().split("\n");
  const marked = lines.filter((line) => /^[EW]: /.test(line)).slice(-2);
  return `debootstrap: ${(marked.length > 0 ? marked : lines.slice(-1)).join("; ")}`;
}

/** Whether a root can lie over the image: tried in a mount namespace of its own, where nobody sees it. */
async function canLayer(image: string): Promise<boolean> {
  // Paths with these cannot be told to the kernel without being taken for something else.
  if (/[:,\\]/.test(image)) return false;
  const trial = `${image}.trial`;
  try {
    for (const part of ["upper", "work", "root"]) await mkdir(join(trial, part), { recursive: true });
    const layers = `lowerdir=${image},upperdir=${trial}/upper,workdir=${trial}/work`;
    const child = Bun.spawn(
      ["unshare", "--mount", "mount", "-t", "overlay", "overlay", "-o", layers, `${trial}/root`],
      { stdio: ["ignore", "ignore", "ignore"] },
    );
    return (await child.exited) === 0;
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}
