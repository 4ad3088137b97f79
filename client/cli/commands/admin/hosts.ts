import { setTimeout } from "node:timers/promises";
import type { HostRecord } from "../../../index.ts";
import type { Cli } from "../../cli.ts";
import { addList, type Command, type CommandGroup } from "../../groups.ts";
import { idOf } from "../../lookup.ts";
import { NOUNS } from "../../nouns.ts";
import { plural } from "../../output/format.ts";
import { reply } from "../../read.ts";

/** Machines that run an agent. */
export const adminHosts: CommandGroup = (parent, cli) => {
  const group = parent.command("hosts").description("Machines that run an agent.");
  addList(group, cli, NOUNS.host, "List machines, by name, and how they are.");
  group
    .command("show")
    .argument("<host>")
    .description("Show a machine.")
    .action(async (given) => {
      const params = { path: { id: await idOf(cli, NOUNS.host, given) } };
      const { data } = await reply((await cli.api()).GET("/api/v1/admin/hosts/{id}", { params }));
      await cli.print.record(data);
    });
  addJoining(group, cli);
  addDraining(group, cli, "drain", true, "Take no new containers on a machine; those that are there run on.");
  addDraining(group, cli, "undrain", false, "Take containers on a machine again.");
  group
    .command("remove")
    .argument("<host>")
    .option(
      "--force",
      "also with containers, storage shares or rentals, for a machine that is lost: its rentals end with a refund of the rest",
    )
    .option(
      "--wait",
      "drain it, and remove it when its users have deleted what they have on it and nobody rents it",
    )
    .description(
      "Remove a machine: its credential ends at once. One with containers, storage shares or rentals needs --wait or --force.",
    )
    .action(async (given, { force, wait }) => {
      const id = await idOf(cli, NOUNS.host, given);
      await cli.confirm(`Remove the machine ${given}? Its agent can do nothing any more.`);
      if (wait) await waitUntilEmpty(cli, id);
      const params = { path: { id }, query: force ? { force: "true" as const } : {} };
      const { data } = await reply((await cli.api()).DELETE("/api/v1/admin/hosts/{id}", { params }));
      for (const { server_name, username, user_id, refunded } of data.ended_rentals)
        cli.print.note(
          `Ended the rental of ${server_name} by ${username ?? user_id}: ${refunded} USD are returned`,
        );
      await cli.print.done(`Removed ${given}.`, { id, ...data });
    });
};

const EMPTY_CHECK_MS = 5_000;

/** Drains a machine, and waits until no container and no storage share is on it, and nobody rents it. */
async function waitUntilEmpty(cli: Cli, id: string): Promise<void> {
  const params = { path: { id } };
  const api = await cli.api();
  await reply(api.PATCH("/api/v1/admin/hosts/{id}", { params, body: { draining: true } }));
  let shown = "";
  for (;;) {
    const { data } = await reply(api.GET("/api/v1/admin/hosts/{id}", { params }));
    const { containers, storage_shares, rentals } = data;
    if (containers + storage_shares + rentals === 0) return;
    const left = `${plural(containers, "container")}, ${plural(storage_shares, "storage share")} and ${plural(rentals, "rental")}`;
    if (left !== shown) cli.print.note(`${data.name} is drained; waiting for the end of its ${left}`);
    shown = left;
    await setTimeout(EMPTY_CHECK_MS, undefined, { signal: cli.io.interrupted });
  }
}

type Joining = HostRecord & { readonly command: string | null };

/** The command goes to the output alone, so that it can be piped to the machine. */
async function printCommand(cli: Cli, host: Joining): Promise<void> {
  cli.print.note(`Run this on the machine ${host.name}, within an hour. It works once.`);
  await cli.print.done(host.command ?? "", host);
}

function addJoining(group: Command, cli: Cli): void {
  group
    .command("add")
    .argument("<name>", "the name of the server of the stock whose containers run on it")
    .description("Add a machine, and print the one command by which it joins.")
    .action(async (name) => {
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/hosts", { body: { name } }));
      await printCommand(cli, data);
    });
  group
    .command("token")
    .argument("<host>")
    .description("Print another such command, for a machine that joins late or again. Former ones end.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.host, given);
      const request = { params: { path: { id } } };
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/hosts/{id}/token", request));
      await printCommand(cli, data);
    });
}

function addDraining(group: Command, cli: Cli, name: string, draining: boolean, description: string): void {
  group
    .command(name)
    .argument("<host>")
    .description(description)
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.host, given);
      const request = { params: { path: { id } }, body: { draining } };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/admin/hosts/{id}", request));
      await cli.print.done(
        draining ? `${data.name} takes no new containers.` : `${data.name} takes containers again.`,
        data,
      );
    });
}
