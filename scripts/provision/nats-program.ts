import { spawnSync } from "node:child_process";
import { natsVersionObstacle } from "../../schemas/nats-version.ts";

/** A program that takes longer is considered stuck. */
const LIMIT_MS = 10_000;

/** Why a nats-server program cannot be used, with its path; undefined when it can. */
export function natsProgramObstacle(program: string): string | undefined {
  const { stdout, stderr } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: LIMIT_MS });
  const version = /v(\d+\.\d+\.\d+\S*)/.exec(stdout ?? "")?.[1];
  if (version === undefined) {
    const said = stderr?.trim().split("\n").at(-1);
    return `${program} does not run${said ? ` (${said})` : ""}`;
  }
  const obstacle = natsVersionObstacle(version);
  return obstacle === undefined ? undefined : `${program}: ${obstacle}`;
}
