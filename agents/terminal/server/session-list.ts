import { join } from "node:path";
import { readShellScript } from "../../exec/shell-script.ts";
import type { ExecTarget } from "../../exec/target.ts";
import { stripUnsafe } from "../parameters/control-characters.ts";
import type { Session } from "../session/session.ts";

const LOOK = readShellScript(join(import.meta.dir, "../process/look-sessions.sh"));
/** The user waits for the list, which is useful without these details too. */
const LOOK_MS_MAX = 2_000;
/** The kernel's own limit. */
const PATH_CHARS_MAX = 4096;

interface Place {
  /** The foreground program. */
  readonly program: string | null;
  /** The working directory of its shell. */
  readonly directory: string | null;
}
const UNKNOWN: Place = { program: null, directory: null };

export const describeSession = (session: Session, { program, directory } = UNKNOWN) => ({
  id: session.id,
  name: session.name,
  title: session.title,
  description: session.description,
  program,
  directory,
  clients: session.clients,
  ...session.size,
  created_at: session.createdAt.toISOString(),
});

/** Describes sessions, with their foreground programs and directories where the target machine reports them. */
export async function describeSessions(sessions: readonly Session[], target: ExecTarget) {
  const places = new Map<Session, Place>();
  const users = new Set(sessions.map(({ user }) => user));
  // As each session's own user: other users may not inspect its processes.
  await Promise.all(
    [...users].map(async (user) => {
      const local = sessions.filter((one) => one.user === user && one.pid !== null);
      const lines = local.length === 0 ? [] : await look(local, user, target);
      local.forEach((session, at) => {
        const [program, directory] = [lines[at * 2], lines[at * 2 + 1]].map((line) =>
          line ? stripUnsafe(line).slice(0, PATH_CHARS_MAX) : null,
        );
        places.set(session, { program: program ?? null, directory: directory ?? null });
      });
    }),
  );
  return sessions.map((session) => describeSession(session, places.get(session)));
}

async function look(sessions: readonly Session[], user: string | null, target: ExecTarget) {
  const argv = ["/bin/sh", "-c", LOOK, "sh", ...sessions.map(({ pid }) => String(pid))];
  const found = await target.run({ user, argv, msMax: LOOK_MS_MAX }).catch(() => null);
  return found?.code === 0 ? found.stdout.split("\n") : [];
}
