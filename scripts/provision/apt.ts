import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { findProgram } from "../programs.ts";
import { failureOf } from "./run.ts";

/** Debian's own keys. Where this file is missing, apt uses the keys that the system trusts. */
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

export interface PackageProgram {
  readonly name: string;
  /** The program's path in the package. */
  readonly program: string;
}

/** A release of Debian to take packages from. */
export interface PackageSource {
  /** Address of the archive. */
  readonly archive: string;
  readonly suite: string;
  /** What sources.list(5) allows in brackets, such as the keys that may sign. */
  readonly options?: string;
}

export const DEBIAN_TESTING: PackageSource = {
  archive: "http://deb.debian.org/debian",
  suite: "testing",
  ...(existsSync(KEYRING) ? { options: `signed-by=${KEYRING}` } : {}),
};

/**
 * Takes one program out of a package of another Debian release than the system's own. apt runs with lists, cache and
 * sources of its own and checks the archive's signature; nothing is installed, and the system's lists do not change.
 * It needs no root. Libraries that the package depends on are not checked: the caller tries the program.
 *
 * @param folder for the program, under its own name; created when missing
 * @returns undefined when it is there, else why not, in one line
 */
export async function programFromPackage(
  { name, program }: PackageProgram,
  folder: string,
  source: PackageSource = DEBIAN_TESTING,
): Promise<string | undefined> {
  const aptGet = findProgram("apt-get");
  const dpkgDeb = findProgram("dpkg-deb");
  if (!aptGet || !dpkgDeb) return "this system has no apt-get";
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "apt-"));
  try {
    // apt downloads as its user _apt, which must be able to enter.
    chmodSync(work, 0o755);
    const apt = [aptGet, `--config-file=${writeAptConfig(work, source)}`];
    const failure =
      (await failureOf([...apt, "update"], work)) ?? (await failureOf([...apt, "download", name], work));
    if (failure !== undefined) return failure;
    const file = readdirSync(work).find((entry) => entry.endsWith(".deb"));
    if (!file) return "apt-get download left no package";
    const content = join(work, "content");
    const unpacking = await failureOf([dpkgDeb, "-x", join(work, file), content]);
    if (unpacking !== undefined) return unpacking;
    if (!existsSync(join(content, program))) return `the package ${name} holds no ${program}`;
    // Copied into the folder first, then renamed: an existing program is complete.
    const copy = join(work, basename(program));
    cpSync(join(content, program), copy);
    renameSync(copy, join(folder, basename(program)));
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A configuration that apt reads after the system's; the system's proxies stay in force. */
function writeAptConfig(work: string, source: PackageSource): string {
  for (const folder of ["state/lists/partial", "cache/archives/partial"])
    mkdirSync(join(work, folder), { recursive: true });
  const options = source.options === undefined ? "" : `[${source.options}] `;
  const sources = join(work, "sources.list");
  writeFileSync(sources, `deb ${options}${source.archive} ${source.suite} main\n`);
  const lines = [
    `Dir::Etc::SourceList "${sources}";`,
    'Dir::Etc::SourceParts "/dev/null";',
    `Dir::State "${join(work, "state")}";`,
    'Dir::State::Status "/dev/null";',
    `Dir::Cache "${join(work, "cache")}";`,
    'Acquire::Languages "none";',
    'Acquire::Retries "1";',
    'Acquire::http::Timeout "20";',
    'Acquire::https::Timeout "20";',
    // The system's hooks after an update are for its own lists.
    "#clear APT::Update;",
  ];
  const config = join(work, "apt.conf");
  writeFileSync(config, `${lines.join("\n")}\n`);
  return config;
}

/**
 * Installs packages system-wide; root only.
 *
 * @returns undefined when they are there, else why not, in one line
 */
export async function installPackages(names: readonly string[]): Promise<string | undefined> {
  const aptGet = findProgram("apt-get");
  if (!aptGet) return "this system has no apt-get";
  const install = () => failureOf([aptGet, "install", "-y", "--no-install-recommends", ...names]);
  if ((await install()) === undefined) return undefined;
  return (await failureOf([aptGet, "update"])) ?? (await install());
}
