import type { ExecTarget } from "../exec/target.ts";
import type { Machine as DesktopMachine } from "../notifier/desktop/machine.ts";

/** A container as the place of displays: programs run as its root, whose desktop it is. What they complain of is not heard. */
export const containerDesktop = (machine: () => ExecTarget): DesktopMachine => ({
  spawn({ argv, env = {}, input }) {
    const request = { user: null, argv: ["/usr/bin/env", ...argv], env: { LC_ALL: "C.UTF-8", ...env } };
    const program = machine().stream(request, input === undefined ? null : new Blob([input]).stream());
    return { ...program, stderr: null };
  },
});
