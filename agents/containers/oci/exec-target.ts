import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { startProgram } from "../../exec/program.ts";
import { startOnPty } from "../../exec/pty.ts";
import { readShellScript } from "../../exec/shell-script.ts";
import { runShort } from "../../exec/short-run.ts";
import type { ExecTarget, PtyProcess, RunRequest, SpawnRequest } from "../../exec/target.ts";
import { InvalidCommand } from "../command.ts";
import { ContainerError, type ContainerSpec, UnstartableError } from "../driver.ts";
import type { Limits } from "../limits.ts";
import { processBounds } from "../process-limits.ts";
import { type OciConfig, processOf } from "./config.ts";
import { RootFolder } from "./root-folder.ts";
import { supervisorPidOf } from "./runtime.ts";
import { DEFAULT_RUNTIME, processNameOf, runtimeOf, runtimeWords } from "./runtime-program.ts";
import { asSeenInside, awaitTerminalProgram, findTerminalProgram } from "./terminal-program.ts";
import { findUser, type User } from "./users.ts";

const EXEC = readShellScript(join(import.meta.dir, "exec.sh"));
const TERMINAL = readShellScript(join(import.meta.dir, "terminal.sh"));
const LEAVE_TERMINAL = join(import.meta.dir, "leave-terminal.ts");
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Of the programs on the host that lead into the container; nothing of a request is in it. */
export const ENVIRONMENT = { PATH, LANG: "C.UTF-8", SHELL: "/bin/sh" };
/** For images that have no shell of their own. */
const STATIC_PROGRAMS = "/.berth/bin";

const USER = /^[a-z0-9_][a-z0-9_.-]{0,31}\$?$/i;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

type Init = () => ProcessIdentity | null;

/** Runs programs in a container by the runtime, across its restarts: for terminals and for file transfers. */
export function ociExecTarget(spec: ContainerSpec, limits: Limits, currentInit: Init): ExecTarget {
  const programName = () => processNameOf(runtimeOf(spec));
  const processFile = (request: RunRequest, before: readonly string[], terminal = false) => {
    const init = currentInit();
    if (init === null) throw new ContainerError("the container does not run");
    const { user, process } = processIn(spec, init, request, limits, before);
    return { file: writeProcess(spec, { ...process, terminal }), user };
  };
  const options = { cwd: "/", env: ENVIRONMENT };
  /** crun's own relay loses bytes or resizes, so that `script` relays; runc has no other than its own. */
  const onTerminal = (request: RunRequest): { file: string; argv: string[] } => {
    if (runtimeOf(spec).name !== DEFAULT_RUNTIME) {
      const { file } = processFile(request, [], true);
      return { file, argv: execArguments(spec, file, "all") };
    }
    const { file, user } = processFile(request, ["/.berth/busybox", "setsid", "-c"]);
    const owner = `${user.hostUid}:${user.hostTtyGid}`;
    const inner = [process.execPath, LEAVE_TERMINAL, file, ...runtimeExec(spec), ...FROM_FILE, spec.id];
    return { file, argv: enter(spec, TERMINAL, owner, ...inner) };
  };
  const command = (request: RunRequest, input: "stdin" | "") =>
    execArguments(spec, processFile(request, []).file, input);

  return {
    canBecome: () => true,
    isProtected: (pid) => pid === 1,

    async spawn(request: SpawnRequest): Promise<PtyProcess> {
      const { file, argv } = onTerminal(request);
      const { start = startOnPty } = request;
      const outer = await start(argv, options, request.terminal);
      const found = await awaitTerminalProgram(outer, programName());
      rmSync(file, { force: true });
      // They run on the container's own terminal: the end of the held one does not end them.
      if (found) outer.guard?.([outer.pid, found.pid]);
      return asSeenInside(outer, found);
    },

    adopt: (started) => asSeenInside(started, findTerminalProgram(started.pid, programName())),

    async run(request) {
      return runShort(command(request, ""), options, request);
    },

    stream(request, input) {
      const argv = command(request, input === null ? "" : "stdin");
      return startProgram(argv, { ...options, input, stderr: "ignore" });
    },
  };
}

/** Where exec.sh and leave-terminal.ts open the file that says what to start. */
const FROM_FILE = ["--process", "/proc/self/fd/9"];
const runtimeExec = (spec: ContainerSpec) => [...runtimeWords(spec, runtimeOf(spec)), "exec"];

/** The command line of a shell script in the mount namespace of the container's supervisor. */
function enter(spec: ContainerSpec, script: string, ...words: string[]): string[] {
  const supervisor = supervisorPidOf(spec);
  if (supervisor === null) throw new ContainerError("its supervisor has ended: it must be started again");
  const place = `--mount=/proc/${supervisor}/ns/mnt`;
  return ["nsenter", place, "/bin/sh", "-c", script, "sh", ...words];
}

/** The command line that starts what a file says. `all`: with its own stdin, stdout and stderr. */
export const execArguments = (spec: ContainerSpec, file: string, input: "stdin" | "all" | ""): string[] =>
  enter(spec, EXEC, file, input, ...runtimeExec(spec), ...FROM_FILE, spec.id);

/** Variables go by a file that only root reads, and not as arguments, which the whole host and container can read. */
export function writeProcess({ folder }: ContainerSpec, process: object): string {
  const place = join(folder, "exec");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const file = join(place, randomUUID());
  writeFileSync(file, JSON.stringify(process), { mode: 0o600 });
  return file;
}

interface HostUser extends User {
  /** Ids of the host. */
  readonly hostUid: number;
  readonly hostTtyGid: number;
}

/** A tty's group: Debian's and Alpine's number. */
const TTY_GROUP = 5;

export function processIn(
  { folder }: ContainerSpec,
  init: ProcessIdentity,
  { user: name, argv, env = {} }: RunRequest,
  limits: Limits,
  before: readonly string[],
) {
  if (name !== null && !USER.test(name))
    throw new ContainerError(`not a user's name: ${JSON.stringify(name)}`);
  const wrong = Object.keys(env).find((variable) => !VARIABLE.test(variable));
  if (wrong !== undefined) throw new ContainerError(`not a variable's name: ${JSON.stringify(wrong)}`);
  using root = new RootFolder(`/proc/${init.pid}/root`);
  const user = userOf(name, root);
  const { environment, firstId } = environmentOf(folder);
  const login = { HOME: user.home, SHELL: user.shell || "/bin/sh", USER: user.name, LOGNAME: user.name };
  const variables: Record<string, string> = { PATH, LANG: "C.UTF-8", ...environment, ...login, ...env };
  // Behind all that the image has.
  variables.PATH = `${variables.PATH}:${STATIC_PROGRAMS}`;
  const process = processOf(
    {
      argv: [...before, ...located(argv, root, variables.PATH)],
      env: Object.entries(variables).map(([variable, value]) => `${variable}=${value}`),
      folder: root.isFolder(user.home) ? user.home : "/",
      limits: processBounds(limits),
    },
    user,
  );
  const hostUser: HostUser = { ...user, hostUid: firstId + user.uid, hostTtyGid: firstId + TTY_GROUP };
  return { user: hostUser, process };
}

/** A process like the container's first one: with its user, its folder and its variables. */
export function ownProcess({ folder }: ContainerSpec, init: ProcessIdentity, { argv, env = {} }: RunRequest) {
  const { process } = readConfig(folder);
  using root = new RootFolder(`/proc/${init.pid}/root`);
  const path = process.env.find((entry) => entry.startsWith("PATH="))?.slice("PATH=".length) ?? PATH;
  const searched = `${path}:${STATIC_PROGRAMS}`;
  const others = process.env.filter((entry) => !entry.startsWith("PATH="));
  const added = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  return {
    ...process,
    args: located(argv, root, searched),
    env: [`PATH=${searched}`, ...others, ...added],
  };
}

function userOf(name: string | null, root: RootFolder): User {
  try {
    return findUser(name ?? "root", root.read("/etc/passwd"), root.read("/etc/group"));
  } catch (error) {
    if (error instanceof UnstartableError) throw new InvalidCommand("user", error.message);
    throw error;
  }
}

/** What the runtime was told of the container's first process. */
const readConfig = (folder: string): OciConfig =>
  JSON.parse(readFileSync(join(folder, "bundle/config.json"), "utf8")) as OciConfig;

function environmentOf(folder: string): { environment: Record<string, string>; firstId: number } {
  const { process, linux } = readConfig(folder);
  const entries = process.env.map((entry): [string, string] => {
    const at = entry.indexOf("=");
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return { environment: Object.fromEntries(entries), firstId: linux.uidMappings[0]?.hostID ?? 0 };
}

/** The program by its whole path: a static helper would prefer one of its own of the same name. */
function located(argv: readonly string[], root: RootFolder, path: string): string[] {
  const [program = "", ...rest] = argv;
  const name = program.slice(program.lastIndexOf("/") + 1);
  const places = program.includes("/")
    ? [program, ...(root.isProgram(program) ? [] : [join(STATIC_PROGRAMS, name)])]
    : path.split(":").map((folder) => join("/", folder, program));
  return [places.find((place) => root.isProgram(place)) ?? program, ...rest];
}
