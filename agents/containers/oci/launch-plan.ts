import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { which } from "bun";
import * as cgroup from "../cgroup.ts";
import { type RootSource, readRootSource } from "../container-files.ts";
import { ContainerError, type ContainerSpec, commandOf, UnstartableError } from "../driver.ts";
import { launchOf, withVariables } from "../images/launch.ts";
import type { Limits } from "../limits.ts";
import { processBounds } from "../process-limits.ts";
import type { RootImages } from "../root-image.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { configOf } from "./config.ts";
import { PROGRAM_FOLDERS } from "./places.ts";
import type { Plan } from "./plan.ts";
import type { RuntimeName } from "./runtime-program.ts";
import { seccompOf } from "./seccomp.ts";
import { joinsUserNamespace } from "./user-counters.ts";

const PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Reaps what is orphaned, and passes signals on; without a command it stays, so that the container can be entered. */
const INIT = "/.berth/catatonit";
/** The command of a container without an image starts in its root's home, where that is there. */
const AT_HOME = 'cd "$HOME" 2>/dev/null; exec "$@"';

const WELCOME = join(import.meta.dir, "../welcome.ts");

interface Source {
  readonly layers: readonly string[];
  readonly hostFolders: readonly string[];
  readonly user: string;
  readonly volumes: readonly string[];
  readonly env: readonly string[];
  readonly folder: string;
  readonly argv: readonly string[];
}

/**
 * What a container's start takes.
 *
 * @throws ContainerError when what it was made of is not on this host, or has nothing to run
 */
export async function planOf(
  spec: ContainerSpec,
  firstId: number,
  limits: Limits,
  images: RootImages | null,
  runtime: RuntimeName,
): Promise<Plan> {
  const { layers, hostFolders, user, volumes, env, folder, argv } = sourceOf(
    spec,
    await readRootSource(spec),
    images,
  );
  const helpers = helpersOf(hostFolders.length > 0);
  const { shares = [] } = spec;
  const joinsNamespace = joinsUserNamespace(runtime);
  const hidden = shares.find(({ path }) => hostFolders.some((one) => `${path}/`.startsWith(`${one}/`)));
  if (hidden !== undefined)
    throw new UnstartableError(
      `a container without an image has its host's programs there: ${hidden.path} cannot be a volume`,
    );
  const config = configOf({
    ...{
      name: spec.name,
      firstId,
      joinsUserNamespace: joinsNamespace,
      hostFolders,
      argv,
      env,
      folder,
      helpers: Object.keys(helpers),
      shares,
    },
    limits: processBounds(limits),
    group: cgroup.pathOfGroup(cgroup.groupOf(spec)),
    resources: cgroup.groupResources(limits),
    seccomp: seccompOf(CAPABILITIES),
  });
  return {
    ...{ folder: spec.folder, firstId, joinsUserNamespace: joinsNamespace, user, config },
    ...{ layers, hostFolders, volumes, shares },
    helpers,
  };
}

function sourceOf(spec: ContainerSpec, source: RootSource, images: RootImages | null): Source {
  const command = commandOf(spec);
  const plain = {
    ...{ layers: [], hostFolders: [], user: "", volumes: [], folder: "/" },
    env: withVariables([PATH, "HOME=/root", "LANG=C.UTF-8", `HOSTNAME=${spec.name}`], spec.env ?? []),
    argv: command.length > 0 ? [INIT, "--", "/bin/sh", "-c", AT_HOME, "sh", ...command] : [INIT, "-P"],
  };
  switch (source.kind) {
    case "layers":
      return ofImage(spec, source.digest);
    case "layered":
      return { ...plain, layers: [folderOf(source.image, images)] };
    case "whole":
      return plain;
    case "host":
      return { ...plain, hostFolders: PROGRAM_FOLDERS.filter((path) => isFolder(path)) };
  }
}

function ofImage(spec: ContainerSpec, digest: string): Source {
  const { image, name } = spec;
  if (image?.digest !== digest)
    throw new ContainerError(`the image that it was made of, ${digest}, is not on this host`);
  const launch = launchOf(image.config, spec);
  const own = [PATH, `HOSTNAME=${name}`].filter(
    (entry) => !launch.env.some((one) => one.startsWith(nameOf(entry))),
  );
  return { ...launch, env: [...own, ...launch.env], layers: image.layers, hostFolders: [] };
}

const nameOf = (entry: string) => entry.slice(0, entry.indexOf("=") + 1);
const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function folderOf(name: string, images: RootImages | null): string {
  const folder = images?.folderOf(name as "debian13");
  if (folder === undefined || !existsSync(folder))
    throw new ContainerError(
      `the image that it was made of, ${name}, is not on this host (BERTH_ROOT_IMAGE)`,
    );
  return folder;
}

function helpersOf(hasHostPrograms: boolean): Record<string, string> {
  const of = (program: string) => {
    const path = which(program);
    if (path === null) throw new ContainerError(`its host lacks ${program}`);
    return path;
  };
  const all = {
    busybox: of("busybox"),
    catatonit: of("catatonit"),
    bun: process.execPath,
    "welcome.ts": WELCOME,
  };
  const host = { "host/alternatives": "/etc/alternatives", "host/certs": "/etc/ssl/certs" };
  const present = Object.entries(hasHostPrograms ? host : {}).filter(([, path]) => existsSync(path));
  return { ...all, ...Object.fromEntries(present) };
}
