import { randomBytes } from "node:crypto";
import { basename, join } from "node:path";
import { readShellScript } from "../../exec/shell-script.ts";
import { describeBound } from "../../exec/short-run.ts";
import type { ExecTarget, SpawnRequest } from "../../exec/target.ts";
import { type Launch, ParameterError } from "../parameters/parse.ts";

const CHECK = readShellScript(join(import.meta.dir, "check.sh"));
const LAUNCH = readShellScript(join(import.meta.dir, "launch.sh"));

/** Shells that read their profile with -l, as after a login. */
const LOGIN_SHELLS = ["bash", "zsh", "fish", "sh", "dash", "ksh", "mksh", "ash"];
const DESKTOPS = {
  xfce: "startxfce4 xfce4-session",
  mate: "mate-session",
  any: "startxfce4 xfce4-session mate-session icewm-session openbox-session",
} as const;

const REFUSALS: Readonly<Record<number, readonly [string, string]>> = {
  10: ["shell", "is not installed"],
  11: ["cwd", "is not there; cwd_auto_create makes it"],
  16: ["cwd", "is no directory"],
  12: ["cwd", "cannot be created"],
  13: ["cwd", "may not be entered by this user"],
  14: ["startup_script", "is no file that this user can read"],
  15: ["desktop_env", "is not installed"],
};

export interface LaunchOptions {
  readonly target: ExecTarget;
  /** The command of sessions whose address names no shell; by default the login shell of the user's account. */
  readonly startupCommand: readonly string[] | null;
  /** The service's own `SERVICE_*` variables. */
  readonly serviceEnv: Readonly<Record<string, string>>;
}

/**
 * Converts parameters to a program to spawn, after checking on the machine that it can be started.
 * @throws ParameterError naming the parameter that cannot be used; nothing was started
 */
export async function prepareLaunch(
  launch: Launch,
  terminalId: number,
  { target, startupCommand, serviceEnv }: LaunchOptions,
): Promise<Omit<SpawnRequest, "terminal">> {
  const { user } = launch;
  if (user !== null) {
    const found = await target.run({ user: null, argv: ["id", "-u", "--", user] });
    if (found.boundMet !== null)
      throw new ParameterError("user", `cannot be looked up: \`id\` on the machine: ${describeBound(found)}`);
    if (found.code !== 0) throw new ParameterError("user", "does not exist on this machine");
    if (!target.canBecome(user))
      throw new ParameterError("user", "this service may not start a shell as this user");
  }
  const desktop = launch.desktop === null ? "" : DESKTOPS[launch.desktop];
  const named = launch.shell ?? startupCommand?.[0] ?? "";
  const places = {
    BERTH_LAUNCH_CWD: launch.cwd ?? "",
    BERTH_LAUNCH_SCRIPT: launch.startupScript ?? "",
  };
  const asked = [named, launch.createCwd ? "create" : "", desktop];
  const checked = await target.run({
    user,
    argv: ["/bin/sh", "-c", CHECK, "sh", ...asked],
    env: places,
  });
  if (checked.boundMet !== null) {
    throw new ParameterError("user", `has a login that cannot be used: ${describeBound(checked)}`);
  }
  const { code, stdout } = checked;
  const refusal = REFUSALS[code ?? 0];
  if (refusal !== undefined && launch.desktop === "any" && refusal[0] === "desktop_env") {
    throw new ParameterError(
      "desktop",
      "needs a desktop, and none is installed: xfce, mate, icewm or openbox",
    );
  }
  if (refusal !== undefined) throw new ParameterError(...refusal);
  if (code !== 0) throw new ParameterError("user", "no program can be started as this user");

  const [shell = "", own = ""] = stdout.split("\n");
  const isDefault = launch.shell === null && startupCommand !== null;
  const args = [...(isDefault ? startupCommand.slice(1) : []), ...launch.args];
  const login = args.length === 0 && LOGIN_SHELLS.includes(basename(shell)) ? ["-l"] : args;
  // A random name, which no link can know, so that a link's variables and the command cannot overwrite each other.
  const carrier = `BERTH_COMMAND_${randomBytes(8).toString("hex")}`;
  const env = {
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    SHELL: own,
    ...(launch.injectServiceEnv ? { ...serviceEnv, SERVICE_TERMINAL_ID: String(terminalId) } : {}),
    ...launch.env,
    ...(launch.command === null ? {} : { [carrier]: launch.command }),
  };
  const greeting = launch.welcome ? `Welcome to terminal ${terminalId}.` : "";
  return {
    user,
    argv: [
      ...["/bin/sh", "-c", LAUNCH, "terminal"],
      ...[desktop, greeting, launch.debug ? "debug" : ""],
      ...(launch.command === null ? [shell, ...login] : withCommand(shell, login, carrier)),
    ],
    env: { ...places, ...carried(env) },
  };
}

/**
 * Variables of a request must not affect programs that run before the switch of user, such as the loader of `su`. So
 * they are passed as values of meaningless variables, and the launch script sets them.
 */
function carried(env: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(env).map(([name, value], at) => [`BERTH_LAUNCH_${at}`, `${name}=${value}`]);
  return {
    TERM: "xterm-256color",
    ...Object.fromEntries(entries),
    BERTH_LAUNCH_COUNT: String(entries.length),
  };
}

/**
 * The shell's command with another command to run first: in the same shell, so that `cd` and `export` have an effect.
 *
 * @param carrier the variable that holds the other command
 */
function withCommand(shell: string, args: readonly string[], carrier: string): string[] {
  const text = carrier.toLowerCase();
  const take = `${text}=$${carrier}; unset ${carrier}`;
  const name = basename(shell);
  if (name === "fish") {
    const run = `set -l ${text} $${carrier}; set -e ${carrier}; eval $${text}`;
    // After a script among the arguments it would be an argument of the script.
    return [shell, "-C", run, ...args];
  }
  if (LOGIN_SHELLS.includes(name)) {
    // An interrupt of the command leads to the shell and does not end the session.
    const run = `trap 'trap - INT; exec "$0" "$@"' INT\n${take}\neval "$${text}"\nexec "$0" "$@"`;
    return [shell, "-i", "-c", run, shell, ...args];
  }
  const run = `trap : INT\n${take}\n(trap - INT; eval "$${text}")\ntrap - INT\nexec "$0" "$@"`;
  return ["/bin/sh", "-c", run, shell, ...args];
}
