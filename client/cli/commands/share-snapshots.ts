import type { StorageShare, StorageSnapshot } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Refused, UsageError } from "../failures.ts";
import { type Command, printRows, sortOption } from "../groups.ts";
import { idOf, isId } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { bytes, time } from "../output/format.ts";
import { count, page, type ReadPage, readRows, reply } from "../read.ts";
import { WAIT_SECONDS, waitFor } from "../wait.ts";

const SNAPSHOT = {
  columns: {
    ID: ({ id }: StorageSnapshot) => id,
    NAME: ({ name }: StorageSnapshot) => name,
    STATE: ({ state, error }: StorageSnapshot) => (error === null ? state : `${state}: ${error}`),
    TAKEN: ({ scheduled }: StorageSnapshot) => (scheduled ? "by schedule" : "by hand"),
    SIZE: (row: StorageSnapshot) => bytes(row.bytes),
    CREATED: ({ created_at }: StorageSnapshot) => time(created_at),
  },
  empty: "There are no snapshots. `berth share snapshots create SHARE` takes one.",
};

/** How many scheduled snapshots stay when the caller does not say. */
const KEPT = "7";

const readSnapshots =
  (id: string): ReadPage<StorageSnapshot> =>
  async (api, query) => {
    const params = { path: { id }, query };
    const { data } = await reply(api.GET("/api/v1/storage-shares/{id}/snapshots", { params }));
    return page(data.snapshots, data.pagination);
  };

/** `berth share snapshots`. */
export function addSnapshots(parent: Command, cli: Cli): void {
  const group = parent.command("snapshots").description("Snapshots of a storage share.");
  group
    .command("list")
    .argument("<share>")
    .description("List the snapshots of a share.")
    .addOption(sortOption())
    .action(async (given, listed) =>
      printRows(cli, SNAPSHOT, readSnapshots(await idOf(cli, NOUNS.share, given)), listed),
    );
  addCreate(group, cli);
  addRestore(group, cli);
  addSchedule(group, cli);
  group
    .command("delete")
    .argument("<share>")
    .argument("<snapshot>", "name or id of a snapshot")
    .description("Delete a snapshot.")
    .action(async (given, wanted) => {
      const { id, snapshot_id } = await snapshotOf(cli, given, wanted);
      await cli.confirm(`Delete the snapshot ${wanted}?`);
      const params = { path: { id, snapshot_id } };
      await reply(
        (await cli.api()).DELETE("/api/v1/storage-shares/{id}/snapshots/{snapshot_id}", { params }),
      );
      await cli.print.done(`Deleted ${wanted}.`, { id: snapshot_id });
    });
}

function addCreate(group: Command, cli: Cli): void {
  group
    .command("create")
    .argument("<share>")
    .option("--name <name>", "its name; the present time unless given")
    .option("--wait", "wait until it is made")
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .description("Keep the files of a share as they are now.")
    .action(async (given, { name, wait, timeout }) => {
      const id = await idOf(cli, NOUNS.share, given);
      const api = await cli.api();
      const body = name === undefined ? {} : { name };
      let made: StorageSnapshot | undefined;
      const change = async () => {
        const request = { params: { path: { id } }, body };
        made = (await reply(api.POST("/api/v1/storage-shares/{id}/snapshots", request))).data;
        return made;
      };
      const check = async () =>
        settled((await readRows(api, readSnapshots(id))).find((one) => one.id === made?.id));
      const what = `the snapshot of ${given}`;
      const snapshot = wait
        ? await waitFor(cli, { what, timeoutSeconds: count(timeout), change, check })
        : await change();
      await cli.print.done(`Took ${snapshot.name}: ${snapshot.id}.`, snapshot);
    });
}

function addRestore(group: Command, cli: Cli): void {
  group
    .command("restore")
    .argument("<share>")
    .argument("<snapshot>", "name or id of a snapshot")
    .option("--wait", "wait until the files are back")
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .description("Bring back the files of a snapshot. What was written since then is lost.")
    .action(async (given, wanted, { wait, timeout }) => {
      const { id, snapshot_id } = await snapshotOf(cli, given, wanted);
      await cli.confirm(`Bring back ${wanted}? What was written to ${given} since then is lost.`);
      const params = { path: { id, snapshot_id } };
      const api = await cli.api();
      const change = async () =>
        (await reply(api.POST("/api/v1/storage-shares/{id}/snapshots/{snapshot_id}/restore", { params })))
          .data;
      const check = async () => {
        const { data } = await reply(api.GET("/api/v1/storage-shares/{id}", { params: { path: { id } } }));
        return data.restoring_snapshot_id === null ? data : undefined;
      };
      const what = `the restore of ${given}`;
      const data = wait
        ? await waitFor(cli, { what, timeoutSeconds: count(timeout), change, check })
        : await change();
      await cli.print.done(`${given} ${wait ? "has" : "gets"} the files of ${wanted} back.`, data);
    });
}

function addSchedule(group: Command, cli: Cli): void {
  group
    .command("schedule")
    .argument("<share>")
    .option("--every <hours>", "take one every so many hours, the first at once")
    .option("--keep <count>", "how many scheduled snapshots stay", KEPT)
    .option("--off", "take no more; those that were taken stay")
    .description("Take snapshots at regular times.")
    .action(async (given, { every, keep, off }) => {
      if ((every === undefined) === (off === undefined)) throw new UsageError("give --every or --off");
      const snapshot_schedule = every === undefined ? null : { every_hours: count(every), keep: count(keep) };
      const id = await idOf(cli, NOUNS.share, given);
      const request = { params: { path: { id } }, body: { snapshot_schedule } };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/storage-shares/{id}", request));
      await cli.print.done(scheduleInWords(data), data);
    });
}

const scheduleInWords = ({ name, snapshot_schedule: schedule }: StorageShare): string =>
  schedule === null
    ? `${name} takes no more snapshots by itself.`
    : `${name} takes a snapshot every ${schedule.every_hours} h and keeps ${schedule.keep}.`;

async function snapshotOf(cli: Cli, given: string, wanted: string) {
  const id = await idOf(cli, NOUNS.share, given);
  if (isId(wanted)) return { id, snapshot_id: wanted };
  const rows = await readRows(await cli.api(), readSnapshots(id));
  const found = rows.find(({ name }) => name === wanted);
  if (found === undefined) throw new Refused(`${given} has no snapshot named "${wanted}"`);
  return { id, snapshot_id: found.id };
}

/** @throws Refused when its host reports an error */
function settled(snapshot: StorageSnapshot | undefined): StorageSnapshot | undefined {
  if (snapshot?.state === "error") throw new Refused(snapshot.error ?? "its host reports an error");
  return snapshot?.state === "ready" ? snapshot : undefined;
}
