import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { natsVersionObstacle } from "../../schemas/nats-version.ts";

/** A program that takes longer is considered stuck. */
const LIMIT_MS = 10_000;

/** Programs that can be used, by path and what tells one file from the next. Asking one takes as long as its start. */
const good = new Set<string>();

/** Why a nats-server program cannot be used, with its path; undefined when it can. */
export function natsProgramObstacle(program: string): string | undefined {
  const file = fileOf(program);
  if (file !== undefined && good.has(file)) return undefined;
  const obstacle = askProgram(program);
  if (obstacle === undefined && file !== undefined) good.add(file);
  return obstacle;
}

/** Undefined when there is no such file. */
function fileOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${path} ${found.ino} ${found.size} ${found.ctimeMs}`;
}

function askProgram(program: string): string | undefined {
  const { stdout, stderr } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: LIMIT_MS });
  const version = /v(\d+\.\d+\.\d+\S*)/.exec(stdout ?? "")?.[1];
  if (version === undefined) {
    const said = stderr?.trim().split("\n").at(-1);
    return `${program} does not run${said ? ` (${said})` : ""}`;
  }
  const obstacle = natsVersionObstacle(version);
  return obstacle === undefined ? undefined : `${program}: ${obstacle}`;
}
