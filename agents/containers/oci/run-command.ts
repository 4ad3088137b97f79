import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { type ProgramResult, runProgram } from "../../exec/program.ts";
import { groupOf, members } from "../cgroup.ts";
import { type ContainerCommand, InvalidCommand, notFound } from "../command.ts";
import type { ContainerSpec } from "../driver.ts";
import type { Limits } from "../limits.ts";
import { ENVIRONMENT, execArguments, ownProcess, processIn, writeProcess } from "./exec-target.ts";
import { killMarked } from "./marked-processes.ts";
import { RootFolder } from "./root-folder.ts";

/** A variable that tells the processes of a command from others. */
const MARK = "BERTH_COMMAND";

/** Runs a command, with its streams apart. @throws InvalidCommand, ContainerError */
export async function runOciCommand(
  spec: ContainerSpec,
  limits: Limits,
  init: ProcessIdentity,
  { argv, env, user, isOwn = false, folder, input, msMax, outputBytesMax, signal }: ContainerCommand,
): Promise<ProgramResult> {
  const mark = randomUUID();
  const request = { argv, env: { ...env, [MARK]: mark }, user };
  const process = isOwn
    ? ownProcess(spec, init, request)
    : processIn(spec, init, request, limits, []).process;
  const cwd = folder ?? process.cwd;
  using root = new RootFolder(`/proc/${init.pid}/root`);
  if (!root.isFolder(cwd))
    throw new InvalidCommand("working_directory", `the container has no folder ${cwd}`);
  if (!root.isProgram(resolve(cwd, process.args[0] ?? ""))) return notFound(argv[0] ?? "");
  const program = execArguments(spec, writeProcess(spec, { ...process, cwd }), "all");
  const bounds = {
    msMax,
    stdoutBytesMax: outputBytesMax,
    stderrBytesMax: outputBytesMax,
    ...(signal === undefined ? {} : { signal }),
  };
  const result = await runProgram(program, { cwd: "/", env: ENVIRONMENT, input }, bounds);
  if (result.boundMet !== null) await killMarked(() => members(groupOf(spec)), `${MARK}=${mark}`);
  return result;
}
