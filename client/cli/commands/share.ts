import type { StorageShare } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Refused, UsageError } from "../failures.ts";
import { addList, type Command, type CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { bytes } from "../output/format.ts";
import { count, reply } from "../read.ts";
import { WAIT_SECONDS, waitFor } from "../wait.ts";
import { bytesOf } from "./container-settings.ts";
import { addSnapshots } from "./share-snapshots.ts";

export const share: CommandGroup = (program, cli) => {
  const group = program
    .command("share")
    .summary("files that outlive containers")
    .description("Storage shares: files that outlive containers, and that several may mount.");
  addList(group, cli, NOUNS.share, "List your storage shares.");
  group
    .command("show")
    .argument("<share>")
    .description("Show a storage share.")
    .action(async (given) => cli.print.record(await readShare(cli, await idOf(cli, NOUNS.share, given))));
  addCreate(group, cli);
  addUpdate(group, cli);
  group
    .command("delete")
    .argument("<share>")
    .description("Delete a storage share with its files and snapshots.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.share, given);
      await cli.confirm(`Delete the storage share ${given} with all its files and snapshots?`);
      await reply((await cli.api()).DELETE("/api/v1/storage-shares/{id}", { params: { path: { id } } }));
      await cli.print.done(`Deleted ${given}.`, { id });
    });
  addSnapshots(group, cli);
};

function addCreate(group: Command, cli: Cli): void {
  group
    .command("create")
    .argument("<name>")
    .requiredOption("--server <server>", "a server that you rent or reach through a pool")
    .requiredOption("--project <project>", "the project whose containers may mount it")
    .requiredOption("--size <size>", "the most that it holds, such as 10G")
    .option("--wait", "wait until it is ready")
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .description("Create a storage share.")
    .action(async (name, options) => {
      const body = {
        name,
        size_bytes: bytesOf(options.size),
        server_id: await idOf(cli, NOUNS.server, options.server),
        project_id: await idOf(cli, NOUNS.project, options.project),
      };
      let id = "";
      const change = async () => {
        const { data } = await reply((await cli.api()).POST("/api/v1/storage-shares", { body }));
        id = data.id;
        return data;
      };
      const made = options.wait
        ? await waitFor(cli, {
            what: `the share ${name}`,
            timeoutSeconds: count(options.timeout),
            change,
            check: async () => ready(await readShare(cli, id)),
          })
        : await change();
      await cli.print.done(`Created ${name} with ${bytes(made.size_bytes)}: ${made.id}.`, made);
    });
}

function addUpdate(group: Command, cli: Cli): void {
  group
    .command("update")
    .argument("<share>")
    .option("--name <name>", "another name")
    .option("--size <size>", "a larger size: a share does not shrink")
    .description("Rename a storage share, or let it grow.")
    .action(async (given, { name, size }) => {
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(size === undefined ? {} : { size_bytes: bytesOf(size) }),
      };
      if (Object.keys(body).length === 0) throw new UsageError("give what is to be changed");
      const id = await idOf(cli, NOUNS.share, given);
      const request = { params: { path: { id } }, body };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/storage-shares/{id}", request));
      await cli.print.done(`${data.name} has ${bytes(data.size_bytes)}.`, data);
    });
}

async function readShare(cli: Cli, id: string): Promise<StorageShare> {
  const { data } = await reply(
    (await cli.api()).GET("/api/v1/storage-shares/{id}", { params: { path: { id } } }),
  );
  return data;
}

/** @throws Refused when its host reports an error */
function ready(share: StorageShare): StorageShare | undefined {
  if (share.state === "error")
    throw new Refused(`${share.name}: ${share.error ?? "its host reports an error"}`);
  return share.state === "ready" ? share : undefined;
}
