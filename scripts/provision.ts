import { join, resolve } from "node:path";
import { findProgram, searchFolders } from "./programs.ts";
import { installPackages, unpackPackage } from "./provision/apt.ts";
import { downloadNats, NATS_RELEASE, platformName, type Release } from "./provision/nats-release.ts";
import { failureOf } from "./provision/run.ts";
import { SetupError } from "./setup-error.ts";

export interface ProvisionOptions {
  /** Where programs that are not the system's are put; `.berth/tools` unless told. */
  readonly tools?: string;
  /** Where the system's programs are looked for. */
  readonly folders?: readonly string[];
  /** Takes one-line notices of what is being installed. */
  readonly say?: (line: string) => void;
  readonly release?: Release;
}

/**
 * The path of nats-server: the system's, else the one in `tools`, else one that is put there now from the system's
 * packages or, failing that, from its own release with a pinned checksum.
 *
 * @throws SetupError one line that says what was tried and what to do
 */
export async function natsServerPath(options: ProvisionOptions = {}): Promise<string> {
  const tools = options.tools ?? join(resolve(process.env.BERTH_DATA || ".berth"), "tools");
  const folders = options.folders ?? searchFolders();
  // `usr/sbin`: where Debian's package has it.
  const own = [tools, join(tools, "usr", "sbin")];
  const find = () => findProgram("nats-server", [...folders, ...own]);
  const known = find();
  if (known) return known;

  const release = options.release ?? NATS_RELEASE;
  const ways: [string, () => Promise<string | undefined>][] = [
    ["the system's packages", () => fromPackages(tools, folders)],
    [`its release ${release.version}`, () => downloadNats(tools, release)],
  ];
  const failures: string[] = [];
  for (const [from, install] of ways) {
    options.say?.(`nats-server is missing: getting it from ${from}`);
    const failure = await install();
    const program = find();
    if (failure === undefined && program) return program;
    failures.push(`${from}: ${failure ?? "it is not in there"}`);
  }
  throw new SetupError(
    `nats-server is missing and could not be installed (${failures.join("; ")}): ` +
      `install it for ${platformName()}, or set NATS_URL to a server of your own`,
  );
}

/**
 * Debian's package is unpacked, by root as well: installing it would start a service of the system's on port 4222.
 */
function fromPackages(tools: string, folders: readonly string[]): Promise<string | undefined> {
  const brew = process.platform === "darwin" ? findProgram("brew", folders) : undefined;
  return brew ? failureOf([brew, "install", "nats-server"]) : unpackPackage("nats-server", tools);
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
