import { Entrance } from "../edge/entrance.ts";
import { attach } from "../edge/remote-terminal.ts";
import { quoted } from "../edge/shell-words.ts";
import { ExitStatus, UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { count } from "../read.ts";

const SESSION_MAX = 65_535;
const SESSIONS = "/api/v1/terminal/sessions";

export const shell: CommandGroup = (program, cli) => {
  program
    .command("shell")
    .argument("<container>")
    .argument("[command...]", "after --: a command in place of a shell")
    .option("--session <number>", "a session that is there already, such as one that you left")
    .option("--user <name>", "user in the container")
    .option("--directory <path>", "where the shell begins")
    .summary("a terminal in a container")
    .description(
      "Open a terminal in a container. It ends with the status of its program. At the beginning of a line, ~. leaves the session, which goes on without you.",
    )
    .action(async (given, command, options) => {
      const local = cli.io.terminal;
      if (local === undefined) throw new UsageError("a shell needs a terminal: run it without pipes");
      const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, given));
      const session =
        options.session === undefined ? await freeSession(entrance) : count(options.session, 1, SESSION_MAX);
      if (options.session === undefined) await begin(entrance, session, command, options);
      const ended = await attach(cli.io, local, entrance, session);
      if (ended.how === "left") {
        cli.print.note(`The session goes on. Come back with: berth shell ${given} --session ${session}`);
        return;
      }
      if (ended.reason !== null) cli.print.note(ended.reason);
      if (ended.status !== 0) throw new ExitStatus(ended.status);
    });
};

async function freeSession(entrance: Entrance): Promise<number> {
  const response = await entrance.request("terminal", SESSIONS);
  const { sessions } = (await response.json()) as { sessions: readonly { id: number }[] };
  const taken = new Set(sessions.map(({ id }) => id));
  for (;;) {
    const number = 1 + Math.floor(Math.random() * SESSION_MAX);
    if (!taken.has(number)) return number;
  }
}

/** The command takes the shell's place, so that the session ends with its status. */
async function begin(
  entrance: Entrance,
  session: number,
  command: readonly string[],
  { user, directory }: { user?: string; directory?: string },
): Promise<void> {
  const line = command.length === 0 ? undefined : `exec ${quoted(command)}`;
  const query = new URLSearchParams({
    terminal_id: String(session),
    ...(user === undefined ? {} : { user }),
    ...(directory === undefined ? {} : { cwd: directory }),
    ...(line === undefined ? {} : { cmd: Buffer.from(line).toString("base64") }),
  });
  await (
    await entrance.request("terminal", `/?${query}`, { headers: { accept: "text/html" } })
  ).body?.cancel();
}
