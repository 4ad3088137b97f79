import { Option } from "@commander-js/extra-typings";
import { addList, type CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { reply } from "../read.ts";
import { instantOf } from "./alias.ts";

const PERMISSIONS = [
  "resources.read",
  "resources.write",
  "resources.read_account",
  "resources.write_account",
  "webhooks.manage",
  "wallet.read",
  "wallet.spend",
] as const;

export const token: CommandGroup = (program, cli) => {
  const group = program
    .command("token")
    .summary("API tokens for programs")
    .description("API tokens for programs, each with the permissions that it needs.");
  addList(group, cli, NOUNS.token, "List your API tokens.");
  group
    .command("create")
    .argument("<name>")
    .addOption(
      new Option("--permission <permission...>", "what it may do").choices(PERMISSIONS).makeOptionMandatory(),
    )
    .option("--expires <time>", "when it ends: 12h, 30d, or an instant (ISO 8601)")
    .option("--project <project>", "the only project that it reaches")
    .description("Create an API token. It is shown this once.")
    .action(async (name, { permission, expires, project }) => {
      const realm_id = project === undefined ? null : await idOf(cli, NOUNS.project, project);
      const expires_at = expires === undefined ? null : instantOf(expires);
      const body = { name, permissions: [...permission], expires_at, realm_id };
      const { data } = await reply((await cli.api()).POST("/api/v1/auth/tokens", { body }));
      await cli.print.done(data.token ?? "It was created before, and is shown only once.", data);
    });
  group
    .command("delete")
    .argument("<token>")
    .description("Delete an API token: it is refused from now on.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.token, given);
      await cli.confirm(`Delete the API token ${given}?`);
      await reply((await cli.api()).DELETE("/api/v1/auth/tokens/{id}", { params: { path: { id } } }));
      await cli.print.done(`Deleted ${given}.`, { id });
    });
};
