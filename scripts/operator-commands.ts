import { agentJoin } from "../agents/join/command.ts";
import { JoinError } from "../agents/join/join.ts";
import { ExitStatus, UsageError } from "../client/cli/failures.ts";
import type { Command, CommandGroup } from "../client/cli/groups.ts";
import { imageImport } from "./image-import.ts";
import { imageMake } from "./image-make.ts";
import { ledgerCheck } from "./ledger-check.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { natsSetup } from "./nats-operator.ts";
import { SetupError } from "./setup-error.ts";

/** Commands of `berth` that work on this machine, without the API. Only the repository has them. */

interface OperatorCommand {
  /** The names of its arguments. */
  readonly takes?: readonly string[];
  readonly does: string;
  /** Whether all is well. */
  readonly run: (given: readonly string[]) => Promise<boolean>;
}

export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  "agent join": {
    takes: ["url", "token"],
    does: "Join this machine to the control plane at a URL, by the one-time token of POST /api/v1/admin/hosts: check the system, say what is missing, and write the agent's settings. BERTH_DATA is the agent's folder.",
    run: (given) => agentJoin(process.env, console.log, given),
  },
  "image import": {
    takes: ["file-or-folder", "reference"],
    does: "Give this host an image from an archive (docker save) or a folder (OCI layout), for containers of that reference. BERTH_DATA is the agent's folder.",
    run: (given) => imageImport(process.env, console.log, given),
  },
  "image make": {
    takes: ["desktop-or-code"],
    does: "Make an image here from Debian's packages (and npm's), for containers and for the demo's catalogue: a desktop, or an editor in the browser. It takes minutes.",
    run: (given) => imageMake(process.env, console.log, given),
  },
  "ledger-check": {
    does: "Prove every balance from its postings, in DATABASE_URL or in the Berth that runs in BERTH_DATA.",
    run: () => ledgerCheck(process.env, console.log),
  },
  "nats setup": {
    takes: ["folder"],
    does: "Make the keys by which hosts get their credentials, and the part of nats.conf that goes with them.",
    run: (given) => natsSetup(console.log, given),
  },
  migrate: {
    does: "Apply missing migrations to BERTH_OWNER_DATABASE_URL, or to DATABASE_URL.",
    run: () => migrateDatabase(process.env, console.log),
  },
};

/** The command found a fault. */
const FAULT_STATUS = 1;

/** Adds them to the program, in the groups that it has. */
export const operatorCommands: CommandGroup = (program) => {
  for (const [path, { takes = [], does, run }] of Object.entries(OPERATOR_COMMANDS)) {
    const words = path.split(" ");
    const command = groupOf(program, words.slice(0, -1)).command(words.at(-1) ?? path);
    for (const name of takes) command.argument(`<${name}>`);
    command.description(does).action(async () => {
      if (!(await run(command.args).catch(refuseSetup))) throw new ExitStatus(FAULT_STATUS);
    });
  }
};

function groupOf(program: Command, words: readonly string[]): Command {
  let group = program;
  for (const word of words)
    group = (group.commands.find((one) => one.name() === word) as Command | undefined) ?? group.command(word);
  return group;
}

/** A setting that is missing or wrong is a wrong usage, and so is a token that is not good. */
function refuseSetup(error: unknown): never {
  const isExpected = error instanceof SetupError || error instanceof JoinError;
  throw isExpected ? new UsageError(error.message) : error;
}
