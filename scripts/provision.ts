import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram, searchFolders } from "./programs.ts";
import { DEBIAN_TESTING, installPackages, type PackageSource, programFromPackage } from "./provision/apt.ts";
import { natsProgramObstacle } from "./provision/nats-program.ts";
import { downloadNats, NATS_RELEASE, platformName, type Release } from "./provision/nats-release.ts";
import { SetupError } from "./setup-error.ts";

export interface ProvisionOptions {
  /** Where programs that are not the system's are kept; a folder of this user's cache unless told. */
  readonly tools?: string;
  /** Where the system's programs are looked for. */
  readonly folders?: readonly string[];
  /** Takes one-line notices of what is being installed. */
  readonly say?: (line: string) => void;
  readonly release?: Release;
  readonly packages?: PackageSource;
}

export const NATS_PACKAGE = { name: "nats-server", program: "usr/sbin/nats-server" };

/** Programs that were fetched once serve every checkout and data folder of a user. */
const toolsFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "berth", "tools");

/**
 * The path of a nats-server that is new enough: the system's, else the one in `tools`, else one that is put there now:
 * its own release with a pinned checksum or, failing that, the program of Debian testing's package.
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
      `install one for ${platformName()}, or set NATS_URL to a server of your own`,
  );
}

/** What the agent needs of the host to isolate containers and to enforce their firewalls: program, Debian package. */
const HOST_TOOLS = { nft: "nftables", ip: "iproute2" };

/**
 * Installs what the agent needs of the host, where that is possible: as root on Debian and its like. Where it is not
 * this says so and goes on; the agent then reports `enforced: false`.
 */
export async function ensureHostTools(
  options: Pick<ProvisionOptions, "folders" | "say"> = {},
): Promise<void> {
  if (process.platform !== "linux") return;
  const folders = options.folders ?? searchFolders();
  const missing = Object.entries(HOST_TOOLS).filter(([program]) => !findProgram(program, folders));
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
