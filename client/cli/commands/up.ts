import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { idsOf, orphansOf, planOf, removal, type Step, uncomparedOf } from "../../compose/plan.ts";
import { type Present, readPresent } from "../../compose/present.ts";
import { readProject, type WantedProject } from "../../compose/project.ts";
import type { Target } from "../../compose/target.ts";
import type { Cli } from "../cli.ts";
import { Refused, UsageError } from "../failures.ts";
import type { Command, CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { plural } from "../output/format.ts";
import { printable } from "../output/table.ts";
import { count, reply } from "../read.ts";
import { markSecrets } from "../secret-marks.ts";
import { WAIT_SECONDS, waitFor } from "../wait.ts";
import { readContainer, restarted } from "./containers.ts";

/** Where no file is named, the first of these that is there. */
const FILES = [
  "berth.yaml",
  "berth.yml",
  "compose.yaml",
  "compose.yml",
  "docker-compose.yaml",
  "docker-compose.yml",
];

const fileOptions = (command: Command) =>
  command
    .option(
      "-f, --file <file>",
      `a compose file; - reads the input; ${FILES[0]} or compose.yaml unless given`,
    )
    .option("--project <name>", "the project; the file's name for it, or that of its folder, unless given")
    .option("--server <server>", "the server of services that name none; that of the file unless given");

export const up: CommandGroup = (program, cli) => {
  fileOptions(program.command("up") as unknown as Command)
    .option("--dry-run", "show the difference and end")
    .option("--secrets", "send the values of all secrets, also of those that seem to be the same")
    .option("--remove-orphans", "delete containers of services that are no longer in the file")
    .option("--wait", "wait until all containers run")
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .summary("make a project what a file says")
    .description(
      "Make a project what a compose file says: its containers, storage shares, firewalls and aliases. The difference is shown and confirmed first. Nothing changes where there is none.",
    )
    .action(async (given) => {
      const options = given as FileOptions & UpOptions;
      const wanted = await wantedOf(cli, options);
      const target = await targetOf(cli, options.wait);
      const present = await readPresent(target, wanted);
      const ids = idsOf(present);
      const removeOrphans = options.removeOrphans === true;
      const steps = planOf(target, wanted, present, ids, {
        withSecrets: options.secrets === true,
        removeOrphans,
      });
      const orphans = orphansOf(wanted, present).map(({ name }) => name);
      if (orphans.length > 0 && !removeOrphans)
        cli.print.note(
          `Not in the file, and left as they are: ${orphans.join(", ")}. --remove-orphans deletes them.`,
        );
      const uncompared = options.secrets ? [] : uncomparedOf(wanted, present);
      if (uncompared.length > 0)
        cli.print.note(
          `Secrets that were not set from this machine stay as they are: ${uncompared.join(", ")}. --secrets sends yours.`,
        );
      const isDone = await carryOut(cli, steps, `Make these changes to ${wanted.name}?`, options.dryRun);
      const names = wanted.containers.map(({ name }) => name);
      const record = { id: ids.projectId, project: wanted.name, changes: steps.map(({ line }) => line) };
      if (!isDone)
        return cli.print.done(steps.length === 0 ? "Nothing to change." : "Nothing was done.", record);
      if (options.wait)
        await untilRunning(
          cli,
          names.map((name) => ids.containers.get(name) ?? ""),
          count(options.timeout),
        );
      await cli.print.done(`${wanted.name} is as the file says.`, record);
    });
};

export const down: CommandGroup = (program, cli) => {
  fileOptions(program.command("down") as unknown as Command)
    .option(
      "--volumes",
      "delete its storage shares too, with all files, and the project where it is empty then",
    )
    .option("--dry-run", "show what would be deleted and end")
    .summary("delete the containers of a file")
    .description(
      "Delete the containers of a compose file, and those that earlier versions of it have made. Storage shares and the project stay unless told.",
    )
    .action(async (given) => {
      const options = given as FileOptions & { readonly volumes?: true };
      const wanted = await wantedOf(cli, options, true);
      const target = await targetOf(cli);
      const present = await readPresent(target, wanted);
      const named = new Set(wanted.containers.map(({ name }) => name));
      const gone = [
        ...present.containers.filter(({ name }) => named.has(name)),
        ...orphansOf(wanted, present),
      ];
      const shares = options.volumes
        ? present.shares.filter(({ name }) => wanted.shares.some((one) => one.name === name))
        : [];
      const steps = [
        ...gone.map((one) => removal(target, one)),
        ...shares.map(({ id, name }) => ({
          line: `- share ${name} with all its files and snapshots`,
          run: async () =>
            reply((await cli.api()).DELETE("/api/v1/storage-shares/{id}", { params: { path: { id } } })),
        })),
        ...(options.volumes ? projectRemoval(cli, wanted.name, present, [...gone, ...shares]) : []),
      ];
      const isDone = await carryOut(cli, steps, "Delete these?", options.dryRun);
      const changes = steps.map(({ line }) => line);
      const counts = [
        plural(gone.length, "container"),
        ...(shares.length === 0 ? [] : [plural(shares.length, "share")]),
      ];
      await cli.print.done(isDone ? `Deleted ${counts.join(" and ")}.` : "Nothing was done.", {
        id: present.projectId ?? null,
        project: wanted.name,
        changes,
      });
    });
};

/** Deletes a project in which nothing is left; says what keeps another. */
function projectRemoval(
  cli: Cli,
  name: string,
  { projectId: id, containers, shares }: Present,
  deleted: readonly { readonly id: string }[],
): Step[] {
  const left = [...containers, ...shares].filter((one) => deleted.every((gone) => gone.id !== one.id));
  if (id === undefined) return [];
  if (left.length > 0) {
    cli.print.note(`The project ${name} stays: it has ${left.map((one) => one.name).join(", ")}.`);
    return [];
  }
  const params = { path: { id } };
  const run = async () => reply((await cli.api()).DELETE("/api/v1/projects/{id}", { params }));
  return [{ line: `- project ${name}`, run }];
}

interface FileOptions {
  readonly file?: string;
  readonly project?: string;
  readonly server?: string;
  readonly dryRun?: true;
}

interface UpOptions {
  readonly secrets?: true;
  readonly removeOrphans?: true;
  readonly wait?: true;
  readonly timeout: string;
}

async function wantedOf(
  cli: Cli,
  { file: given, project, server }: FileOptions,
  isForDeletion = false,
): Promise<WantedProject> {
  const file = given ?? FILES.find((one) => existsSync(one));
  if (file === undefined) throw new UsageError(`give --file: there is no ${FILES[0]} or compose.yaml here`);
  const text = file === "-" ? await new Response(cli.io.input()).text() : await readFile(file, "utf8");
  const defaultName = file === "-" ? "default" : basename(dirname(resolve(file)));
  const options = { file, defaultName, project, server, isForDeletion };
  return markSecrets(cli.io.env, await readProject(text, options, cli.io.env));
}

/** @param isAwaited whether a restart is over when it returns: a container that restarts says "running" all the time */
async function targetOf(cli: Cli, isAwaited?: true): Promise<Target> {
  const timeoutSeconds = count(WAIT_SECONDS);
  return {
    api: await cli.api(),
    serverId: (name) => idOf(cli, NOUNS.server, name),
    untilDeleted: async ({ id, name }, remove) =>
      void (await waitFor(cli, {
        what: `the deletion of ${name}`,
        timeoutSeconds,
        change: remove,
        check: async (event) =>
          (event?.event_type === "container.deleted" && event.resource_id === id) || undefined,
      })),
    untilRestarted: async (id, change) => {
      const waiting = { what: "the restart of a container", timeoutSeconds, change };
      await (isAwaited ? waitFor(cli, { ...waiting, check: restarted(cli, id) }) : change());
    },
  };
}

/** Shows the changes, asks, and makes them in turn. @returns false where nothing was done @throws Refused after Ctrl-C */
async function carryOut(
  cli: Cli,
  steps: readonly Step[],
  question: string,
  isDryRun?: true,
): Promise<boolean> {
  for (const line of steps.flatMap((step) => step.line.split("\n"))) cli.io.err(`${printable(line)}\n`);
  if (steps.length === 0 || isDryRun) return false;
  await cli.confirm(question);
  const said = () => cli.io.err("Ctrl-C: the present change is finished first.\n");
  cli.io.interrupted.addEventListener("abort", said, { once: true });
  for (const [done, { line, run }] of steps.entries())
    try {
      if (cli.io.interrupted.aborted) throw new Refused("interrupted");
      await run();
    } catch (error) {
      const first = line.split("\n")[0] ?? "";
      cli.io.err(
        `${done} of ${steps.length} changes are made; at: ${first}\nRun it again to go on from here.\n`,
      );
      throw error;
    }
  cli.io.interrupted.removeEventListener("abort", said);
  return true;
}

async function untilRunning(cli: Cli, ids: readonly string[], timeoutSeconds: number): Promise<void> {
  await waitFor(cli, {
    what: "the start of all containers",
    timeoutSeconds,
    check: async () => {
      const containers = await Promise.all(ids.map((id) => readContainer(cli, id)));
      const failed = containers.find(({ state }) => state === "error");
      if (failed !== undefined)
        throw new Refused(`${failed.name}: ${failed.error ?? "its host reports an error"}`);
      return containers.every(({ state }) => state === "running") || undefined;
    },
  });
}
