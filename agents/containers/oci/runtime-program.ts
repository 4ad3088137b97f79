import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { which } from "bun";
import { run } from "../../exec/command.ts";
import type { ContainerSpec } from "../driver.ts";

/** The program that makes containers by the OCI's runtime specification (`BERTH_RUNTIME`). */

export const RUNTIME_NAMES = ["crun", "runc", "runsc"] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];
export const DEFAULT_RUNTIME = "crun";

const OciRuntime = Type.Object({
  name: Type.Union(RUNTIME_NAMES.map((name) => Type.Literal(name))),
  /** Absolute. */
  path: Type.String({ pattern: "^/" }),
});
export type OciRuntime = Static<typeof OciRuntime>;

/** A runtime of this host, with its version. */
export interface FoundRuntime extends OciRuntime {
  readonly version: string;
}

/** The lowest versions that containers have been run with. What is older is refused: a limit that it leaves out would not be noticed. */
const VERSION_MIN: Readonly<Record<RuntimeName, string>> = { crun: "1.8", runc: "1.1", runsc: "0" };
/** Without the filter of system calls no container is isolated; gVisor has a kernel of its own in its place. */
const FILTER: Readonly<Record<RuntimeName, RegExp>> = {
  crun: /\+SECCOMP\b/,
  runc: /\blibseccomp:/,
  runsc: /^/,
};
/** `crun version 1.8.1`, `runc version 1.1.5+ds1`, `runsc version release-20231009.0`. */
const VERSION_LINE = /^(crun|runc|runsc) version (?:release-)?(\d[\w.+~-]{0,40})/;
/** The kernel's bound of a process's name. */
const NAME_LENGTH_MAX = 15;

/** Arguments of each runtime before its commands. runc and runsc use the kernel's control groups unless told to ask systemd. */
const ARGUMENTS: Readonly<Record<RuntimeName, readonly string[]>> = {
  crun: ["--cgroup-manager=cgroupfs"],
  runc: [],
  runsc: [],
};

/**
 * Looks for a runtime on this host, and whether it can be used.
 *
 * @param setting its name or its absolute path
 * @throws RangeError with the reason, for the operator
 */
export async function findRuntime(setting: string): Promise<FoundRuntime> {
  const path = isAbsolute(setting) ? setting : which(setting);
  if (path === null) throw new RangeError(`BERTH_RUNTIME: this machine has no program ${setting}`);
  const text = await run([path, "--version"]).catch((error) => {
    throw new RangeError(`BERTH_RUNTIME: ${path} --version cannot be run: ${error}`);
  });
  const [, name, version = ""] = VERSION_LINE.exec(text) ?? [];
  const known = RUNTIME_NAMES.find((one) => one === name);
  if (known === undefined)
    throw new RangeError(`BERTH_RUNTIME: ${path} is none of ${RUNTIME_NAMES.join(", ")}`);
  if (Bun.semver.order(comparable(version), comparable(VERSION_MIN[known])) < 0)
    throw new RangeError(`BERTH_RUNTIME: ${path} is ${known} ${version}; ${VERSION_MIN[known]} is needed`);
  if (!FILTER[known].test(text))
    throw new RangeError(`BERTH_RUNTIME: ${path} was built without the filter of system calls (seccomp)`);
  return { name: known, path, version };
}

/** The three numbers of a version: distributions add words of their own. */
const comparable = (version: string): string => {
  const [major = "0", minor = "0", patch = "0"] = version.match(/\d+/g) ?? [];
  return `${Number(major)}.${Number(minor)}.${Number(patch)}`;
};

const noteOf = (folder: string) => join(folder, "oci-runtime");

/** Notes by which runtime a container is started: whoever ends it, or enters it, has to use the same one. */
export const noteRuntime = ({ folder }: ContainerSpec, { name, path }: OciRuntime): Promise<void> =>
  writeFile(noteOf(folder), JSON.stringify({ name, path }), { mode: 0o600 });

/** The runtime that a container was started by last. One without a note is from before there was a choice. */
export function runtimeOf({ folder }: ContainerSpec): OciRuntime {
  try {
    const noted: unknown = JSON.parse(readFileSync(noteOf(folder), "utf8"));
    if (Value.Check(OciRuntime, noted)) return noted;
  } catch {
    // There is none.
  }
  return defaultRuntime();
}

export const defaultRuntime = (): OciRuntime => ({
  name: DEFAULT_RUNTIME,
  path: which(DEFAULT_RUNTIME) ?? `/usr/bin/${DEFAULT_RUNTIME}`,
});

/** The words before a command of the runtime. */
export const runtimeWords = ({ folder }: ContainerSpec, { name, path }: OciRuntime): string[] => [
  path,
  `--root=${join(folder, "runtime")}`,
  ...ARGUMENTS[name],
];

/** The name of the runtime's processes, as the kernel shows it. */
export const processNameOf = ({ path }: OciRuntime): string => basename(path).slice(0, NAME_LENGTH_MAX);
