import type { ExecTarget } from "../exec/target.ts";
import type { Spawner } from "../notifier/desktop/spawner.ts";

/**
 * Starts programs of a desktop in a container, as the container's root, which owns the desktop. Their stderr is
 * discarded.
 */
export const containerSpawner = (target: () => ExecTarget): Spawner => ({
  spawn({ argv, env = {}, input }) {
    const request = { user: null, argv: ["/usr/bin/env", ...argv], env: { LC_ALL: "C.UTF-8", ...env } };
    const program = target().stream(request, input === undefined ? null : new Blob([input]).stream());
    return { ...program, stderr: null };
  },
});
