import { agentJoin } from "../agents/join/command.ts";
import { JoinError } from "../agents/join/join.ts";
import type { Cli } from "../client/cli/cli.ts";
import { ExitStatus, UsageError } from "../client/cli/failures.ts";
import type { Command, CommandGroup } from "../client/cli/groups.ts";
import { SettingError } from "../system/setting-error.ts";
import { setRole } from "./administrators.ts";
import { backup } from "./backup/backup.ts";
import { restore } from "./backup/restore.ts";
import { checkSettings } from "./check-settings.ts";
import { doctor } from "./doctor/command.ts";
import { growCluster } from "./grow-cluster.ts";
import { imageImport } from "./image-import.ts";
import { imageMake } from "./image-make.ts";
import { ledgerCheck } from "./ledger-check.ts";
import { makeKeys } from "./make-keys.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { SetupError } from "./setup-error.ts";
import { verifyArchive } from "./verify-archive.ts";

/** The reason that the audit log has for what a command does. */
const BY_COMMAND = "by a command on a machine of the installation";

/** Commands of `berth` that work on this machine, without the API. Only the repository has them. */

interface OperatorCommand {
  /** The names of its arguments; one in brackets may be left out. */
  readonly takes?: readonly string[];
  readonly does: string;
  /** Words that begin with --, some with a value (`--file <name>`), and what each does. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Its result with --json is its own, and not the lines that it says. */
  readonly hasRecord?: true;
  /** Whether all is well. */
  readonly run: (
    given: readonly string[],
    cli: Cli,
    say: (line: string) => void,
    flags: Readonly<Record<string, unknown>>,
  ) => Promise<boolean>;
}

export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  "admin promote": {
    takes: ["user"],
    does: "Make an account an administrator, by its e-mail address or user name: without stopping anything, and noted in the audit log. DATABASE_URL and NATS_URL, or BERTH_DATA beside `npm start`.",
    run: ([who = ""], _cli, say) => setRole(process.env, say, { who, role: "admin", reason: BY_COMMAND }),
  },
  "admin demote": {
    takes: ["user"],
    does: "Take an administrator's role away, by e-mail address or user name: all sessions of that person end. The last administrator stays one. DATABASE_URL and NATS_URL, or BERTH_DATA beside `npm start`.",
    run: ([who = ""], _cli, say) => setRole(process.env, say, { who, role: "user", reason: BY_COMMAND }),
  },
  "agent join": {
    takes: ["url", "token"],
    does: "Join this machine to the control plane at a URL, by the one-time token of POST /api/v1/admin/hosts: check the system, say what is missing, and write the agent's settings. BERTH_DATA is the agent's folder; BERTH_RUNTIME names another OCI runtime than crun.",
    run: (given, _cli, say) => agentJoin(process.env, say, given),
  },
  "archive verify": {
    takes: ["folder"],
    does: "Read the archive of events in a folder back, and check the checksum, the day and the number of the events of each file.",
    run: (given, _cli, say) => verifyArchive(say, given),
  },
  backup: {
    takes: ["target", "[files...]"],
    does: "Back up what this machine has of Berth: the database in one snapshot (DATABASE_URL, or the Berth that runs in BERTH_DATA), keys and credentials, storage shares, and any further files. The target is a new folder, or one file if it ends in .tar. It reads the settings file of BERTH_CONFIG.",
    flags: {
      "--keys-elsewhere": "back up a database whose keys you keep yourself",
      "--metrics <file>":
        "write the time of this backup for the node exporter of Prometheus: a file of its textfile collector, such as berth.prom",
    },
    run: (given, { io }, say, { keysElsewhere, metrics }) =>
      backup(process.env, say, given, io.interrupted, {
        areKeysElsewhere: keysElsewhere === true,
        metricsFile: metrics as string | undefined,
      }),
  },
  "cluster grow": {
    takes: ["partitions"],
    does: "Have the actor hosts split the partitions until there are so many, while they work: a multiple of the present number, up to 1024. Upgrade all actor hosts and gateways first. There is no way back. DATABASE_URL of the actor hosts' role, or BERTH_DATA beside `npm start`.",
    run: (given, { io }, say) => growCluster(process.env, say, given, io.interrupted),
  },
  doctor: {
    does: "Find what is wrong with an installation, and say what to do: clock, disk, ports, versions, keys, certificates, the login of each database role, NATS, actor hosts, machines. DATABASE_URL and NATS_URL, or BERTH_DATA beside `npm start` and on a host. The exit status is 1 when there is a fault.",
    hasRecord: true,
    run: (_given, cli) => doctor(process.env, cli),
  },
  "image import": {
    takes: ["file-or-folder", "reference"],
    does: "Give this host an image from an archive (docker save) or a folder (OCI layout), for containers of that reference. BERTH_DATA is the agent's folder.",
    run: (given, _cli, say) => imageImport(process.env, say, given),
  },
  "image make": {
    takes: ["desktop-or-code"],
    does: "Make an image here from Debian's packages (and npm's), for containers and for the demo's catalogue: a desktop, or an editor in the browser. It takes minutes.",
    run: (given, _cli, say) => imageMake(process.env, say, given),
  },
  "ledger-check": {
    does: "Prove every balance from its postings, in DATABASE_URL or in the Berth that runs in BERTH_DATA.",
    run: (_given, _cli, say) => ledgerCheck(process.env, say),
  },
  restore: {
    takes: ["source"],
    does: "Verify a backup and restore it into an empty place, BERTH_DATA and the database of BERTH_OWNER_DATABASE_URL or DATABASE_URL (else a database of its own in BERTH_DATA), and check the ledger.",
    run: (given, { io }, say) => restore(process.env, say, given, io.interrupted),
  },
  "keys make": {
    takes: ["folder"],
    does: "Make the keys of a control plane of your own that are missing: those that sign tokens, encrypt secrets, and give hosts their credentials at NATS.",
    run: (given, _cli, say) => makeKeys(say, given),
  },
  "settings check": {
    takes: ["role", "[file]"],
    does: "Check the settings of gateway, actors or agent, from the environment and a file, as the process does at its start.",
    run: (given, _cli, say) => checkSettings(process.env, say, given),
  },
  migrate: {
    does: "Apply missing migrations to BERTH_OWNER_DATABASE_URL, or to DATABASE_URL.",
    run: (_given, _cli, say) => migrateDatabase(process.env, say),
  },
};

/** What the groups that the program does not have are about. */
const GROUPS: Readonly<Record<string, string>> = {
  archive: "the archive of events",
  cluster: "the partitions of a cluster",
  agent: "this machine as a host of containers",
  keys: "the keys of a control plane of your own",
  settings: "the settings of processes",
};

/** The command found a fault. */
const FAULT_STATUS = 1;

/** Adds them to the program, in the groups that it has. */
export const operatorCommands: CommandGroup = (program, cli) => {
  for (const [path, { takes = [], flags = {}, does, run, hasRecord }] of Object.entries(OPERATOR_COMMANDS)) {
    const words = path.split(" ");
    const command = groupOf(program, words.slice(0, -1)).command(words.at(-1) ?? path);
    for (const name of takes) command.argument(name.startsWith("[") ? name : `<${name}>`);
    for (const [flag, meaning] of Object.entries(flags)) command.option(flag, meaning);
    command
      .summary(summaryOf(does))
      .description(does)
      .action(async () => {
        const isJson = cli.options().json === true;
        const lines: string[] = [];
        const say = isJson ? (line: string) => void lines.push(line) : console.log;
        const ok = await run(command.args, cli, say, command.opts()).catch(refuseSetup);
        if (isJson && !hasRecord) await cli.print.json({ ok, lines });
        if (!ok) throw new ExitStatus(FAULT_STATUS);
      });
  }
};

/** The beginning of a description, as the other commands have it in the help. */
const summaryOf = (does: string): string => {
  const [first = ""] = does.split(/[:.(,]/);
  return first.charAt(0).toLowerCase() + first.slice(1).trim();
};

function groupOf(program: Command, words: readonly string[]): Command {
  let group = program;
  for (const word of words)
    group =
      (group.commands.find((one) => one.name() === word) as Command | undefined) ??
      group
        .command(word)
        .summary(GROUPS[word] ?? "")
        .description(`Work with ${GROUPS[word]}.`);
  return group;
}

/** A setting that is missing or wrong is a wrong usage, and so is a token that is not good. */
function refuseSetup(error: unknown): never {
  const isExpected =
    error instanceof SetupError || error instanceof SettingError || error instanceof JoinError;
  throw isExpected ? new UsageError(error.message) : error;
}
