import type { TerminalOptions } from "../options.ts";
import type { TerminalRequest } from "../parameters/parse.ts";
import { prepareLaunch } from "../process/launch.ts";
import { preparePid } from "../process/pid.ts";
import { describeSsh } from "../ssh/notes.ts";
import { startPty } from "./process.ts";
import type { Prepared, Sessions } from "./sessions.ts";

/** Prepares each kind of session: showing a running process, a shell over SSH, or a local shell. */
export const preparer =
  (options: TerminalOptions, sessions: () => Sessions) =>
  async ({ launch }: TerminalRequest, id: number): Promise<Prepared> => {
    const { target, ptyStore = null } = options;
    if (launch.pid !== null) return preparePid(launch.pid, launch.user, target, sessions().open, ptyStore);
    if (launch.ssh !== null) {
      const { ssh } = launch;
      // Its libraries are loaded by the first who needs them.
      const { startSsh } = await import("../ssh/session.ts");
      const notes = describeSsh(launch, ssh, id);
      return {
        start: startSsh(ssh, { ...options.ssh, command: launch.command, env: launch.env, notes }),
        description: `ssh ${ssh.user}@${ssh.host}`,
      };
    }
    // Only at the first creation: a reset sets up an existing session again.
    const isFirst = sessions().get(id) === undefined;
    const request = await prepareLaunch(isFirst ? launch : { ...launch, startupScript: null }, id, {
      target,
      startupCommand: options.startupCommand ?? null,
      serviceEnv: options.serviceEnv ?? {},
    });
    const shell = launch.shell ?? options.startupCommand?.[0] ?? "shell";
    return {
      start: startPty(target, request, ptyStore),
      description: launch.user === null ? shell : `${shell} as ${launch.user}`,
    };
  };
