import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram, searchFolders } from "./programs.ts";
import { DEBIAN_TESTING, installPackages, type PackageSource, programFromPackage } from "./provision/apt.ts";
import { natsProgramObstacle } from "./provision/nats-program.ts";
import { downloadNats, NATS_RELEASE, platformName, type Release } from "./provision/nats-release.ts";
import { SetupError } from "./setup-error.ts";

export interface ProvisionOptions {
  /** The folder of downloaded programs; by default one in this user's cache. */
  readonly tools?: string;
  /** The folders in which the system's programs are searched. */
  readonly folders?: readonly string[];
  /** Receives one line for each installation. */
  readonly say?: (line: string) => void;
  readonly release?: Release;
  readonly packages?: PackageSource;
}

export const NATS_PACKAGE = { name: "nats-server", program: "usr/sbin/nats-server" };

/** One download serves every checkout and data folder of a user. */
const toolsFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "berth", "tools");

/**
 * The path of a nats-server that is new enough: the system's, else the one in `tools`, else one that is downloaded now: the
 * project's release with a pinned checksum or, failing that, the program of Debian testing's package.
 *
 * @throws SetupError one line that says what was tried and what to do
 */
export async function natsServerPath(options: ProvisionOptions = {}): Promise<string> {
  const tools = options.tools ?? toolsFolder();
  const failures: string[] = [];
  for (const program of [
    findProgram("nats-server", options.folders ?? searchFolders()),
    findProgram("nats-server", [tools]),
  ]) {
    if (program === undefined) continue;
    const obstacle = natsProgramObstacle(program);
    if (obstacle === undefined) return program;
    failures.push(obstacle);
  }

  const { release = NATS_RELEASE, packages = DEBIAN_TESTING, say } = options;
  const ways: [string, () => Promise<string | undefined>][] = [
    [`its release ${release.version}`, () => downloadNats(tools, release)],
    [`Debian ${packages.suite}`, () => programFromPackage(NATS_PACKAGE, tools, packages)],
  ];
  const missing = failures.length === 0 ? "nats-server is missing" : failures.join("; ");
  for (const [from, fetchProgram] of ways) {
    say?.(`${missing}: getting it from ${from}`);
    const program = join(tools, "nats-server");
    const failure = (await fetchProgram()) ?? natsProgramObstacle(program);
    if (failure === undefined) return program;
    failures.push(`${from}: ${failure}`);
  }
  throw new SetupError(
    `no nats-server that Berth can use (${failures.join("; ")}): ` +
      `install one for ${platformName()}, or set NATS_URL to an external server`,
  );
}

/** Programs and files that the agent needs to isolate containers and to enforce their firewalls, with their Debian packages. */
const HOST_TOOLS = {
  nft: "nftables",
  ip: "iproute2",
  crun: "crun",
  conmon: "conmon",
  catatonit: "catatonit",
  busybox: "busybox-static",
  "/usr/share/containers/seccomp.json": "golang-github-containers-common",
};

/**
 * Installs these programs where possible: as root on Debian and its derivatives. Elsewhere it prints a line and continues; the
 * agent then reports `enforced: false`.
 */
export async function ensureHostTools(
  options: Pick<ProvisionOptions, "folders" | "say"> = {},
): Promise<void> {
  if (process.platform !== "linux") return;
  const folders = options.folders ?? searchFolders();
  const missing = Object.entries(HOST_TOOLS).filter(
    ([program]) => !(program.startsWith("/") ? existsSync(program) : findProgram(program, folders)),
  );
  if (missing.length === 0) return;
  const programs = missing.map(([program]) => program).join(" and ");
  const packages = missing.map(([, name]) => name);
  if (process.getuid?.() !== 0) {
    options.say?.(
      `${programs} missing: firewalls are not enforced (as root: apt-get install ${packages.join(" ")})`,
    );
    return;
  }
  options.say?.(`installing ${packages.join(" and ")} for firewalls`);
  const failure = await installPackages(packages);
  if (failure !== undefined) options.say?.(`${programs} missing: firewalls are not enforced (${failure})`);
}
