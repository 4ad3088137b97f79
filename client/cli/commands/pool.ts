import { Option } from "@commander-js/extra-typings";
import type { Cli } from "../cli.ts";
import { Refused } from "../failures.ts";
import { addList, type CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { reply } from "../read.ts";

const role = () => new Option("--role <role>", "what the member may do").choices(["admin", "user"] as const);

export const pool: CommandGroup = (program, cli) => {
  const group = program
    .command("pool")
    .summary("share servers with other users")
    .description("Share servers with other users.");
  addList(group, cli, NOUNS.pool, "List the pools that you own or have joined.");
  group
    .command("show")
    .argument("<pool>")
    .description("Show a pool with its members and servers.")
    .action(async (given) => cli.print.record(await readPool(cli, given)));
  group
    .command("create")
    .argument("<name>")
    .option("--description <text>", "what it is for", "")
    .description("Create a pool.")
    .action(async (name, { description }) => {
      const { data } = await reply((await cli.api()).POST("/api/v1/pools", { body: { name, description } }));
      await cli.print.done(`Created pool ${data.name}: ${data.id}.`, data);
    });
  group
    .command("delete")
    .argument("<pool>")
    .description("Delete a pool without servers.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.pool, given);
      await cli.confirm(`Delete the pool ${given}?`);
      await reply((await cli.api()).DELETE("/api/v1/pools/{id}", { params: { path: { id } } }));
      await cli.print.done(`Deleted ${given}.`, { id });
    });
  addMembers(group, cli);
  addInvitations(group, cli);
};

type Group = Parameters<CommandGroup>[0];

function addMembers(group: Group, cli: Cli): void {
  group
    .command("invite")
    .argument("<pool>")
    .argument("<username>")
    .addOption(role().default("user" as const))
    .description("Invite a user.")
    .action(async (given, username, options) => {
      const id = await idOf(cli, NOUNS.pool, given);
      const body = { username, role: options.role };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/pools/{id}/members", { params: { path: { id } }, body }),
      );
      await cli.print.done(`Invited ${username} to ${given} as ${data.role}.`, data);
    });
  group
    .command("role")
    .argument("<pool>")
    .argument("<username>")
    .addOption(role().makeOptionMandatory())
    .description("Change what a member may do.")
    .action(async (given, username, options) => {
      const { id, userId } = await memberOf(cli, given, username);
      const request = { params: { path: { id, userId } }, body: { role: options.role } };
      const { data } = await reply((await cli.api()).PUT("/api/v1/pools/{id}/members/{userId}", request));
      await cli.print.done(`${username} is ${options.role} of ${given}.`, { id: userId, ...data });
    });
  group
    .command("remove")
    .argument("<pool>")
    .argument("<username>")
    .description("Remove a member, withdraw an invitation, or leave a pool.")
    .action(async (given, username) => {
      const { id, userId } = await memberOf(cli, given, username);
      await cli.confirm(`Remove ${username} from ${given}?`);
      await reply(
        (await cli.api()).DELETE("/api/v1/pools/{id}/members/{userId}", { params: { path: { id, userId } } }),
      );
      await cli.print.done(`Removed ${username} from ${given}.`, { id: userId });
    });
}

function addInvitations(group: Group, cli: Cli): void {
  addList(group, cli, NOUNS.invitation, "List the invitations that wait for your answer.", "invitations");
  group
    .command("accept")
    .argument("<invitation>", "an invitation's id, or the name of its pool")
    .description("Accept an invitation.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.invitation, given);
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/pools/{id}/accept", { params: { path: { id } } }),
      );
      await cli.print.done(`Joined ${data.pool_name} as ${data.role}.`, data);
    });
  group
    .command("reject")
    .argument("<invitation>", "an invitation's id, or the name of its pool")
    .description("Reject an invitation.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.invitation, given);
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/pools/{id}/reject", { params: { path: { id } } }),
      );
      await cli.print.done(`Rejected the invitation to ${data.pool_name}.`, data);
    });
}

async function readPool(cli: Cli, given: string) {
  const id = await idOf(cli, NOUNS.pool, given);
  return (await reply((await cli.api()).GET("/api/v1/pools/{id}", { params: { path: { id } } }))).data;
}

async function memberOf(cli: Cli, given: string, username: string) {
  const { id, members, invitations } = await readPool(cli, given);
  const member = [...members, ...invitations].find((one) => one.username === username);
  if (member === undefined) throw new Refused(`${username} is no member of ${given}`);
  return { id, userId: member.user_id };
}
