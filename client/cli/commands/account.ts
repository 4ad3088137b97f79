import type { AccountBlocker } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Refused } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { time } from "../output/format.ts";
import { reply } from "../read.ts";
import { readPassword } from "./auth.ts";

export const BLOCKER_COLUMNS = {
  KIND: ({ kind }: AccountBlocker) => kind.replaceAll("_", " "),
  NAME: ({ name }: AccountBlocker) => name ?? "",
  ID: ({ id }: AccountBlocker) => id ?? "",
  "ENDS BY ITSELF": ({ until }: AccountBlocker) => (until === null ? "" : time(until)),
};

export const account: CommandGroup = (program, cli) => {
  const group = program
    .command("account")
    .summary("delete your account")
    .description("Delete your account, and see what is in the way of it.");
  group
    .command("blockers")
    .description("List what must end before your account can be deleted.")
    .action(async () => {
      const { blockers } = await deletionOf(cli);
      await cli.print.list(blockers, BLOCKER_COLUMNS, "Nothing is in the way.");
    });
  group
    .command("delete")
    .option("--forfeit <usd>", "give up so much of the balance at most; otherwise it must be zero")
    .option("--password-stdin", "read the password from the input")
    .option("--code <code>", "the second factor: a code of your app, or a recovery code")
    .description(
      "Delete your account for good. Invoices, transactions and the audit log stay, under its id. Servers, containers and whatever `berth account blockers` lists must end first.",
    )
    .action(async ({ forfeit, code, ...options }) => {
      const { blockers, general_balance } = await deletionOf(cli);
      if (blockers.length > 0)
        throw new Refused(
          `the account is in use: end first what \`berth account blockers\` lists (${blockers.length})`,
        );
      if (Number(general_balance) > Number(forfeit ?? 0))
        throw new Refused(
          `${general_balance} USD are left: spend them, or give them up by --forfeit ${general_balance}`,
        );
      const api = await cli.api();
      const { username } = (await reply(api.GET("/api/v1/auth/me"))).data;
      await cli.confirm(`Delete the account ${username} for good?`);
      const body = {
        current_password: await readPassword(cli, options),
        ...(code === undefined ? {} : { code }),
        ...(forfeit === undefined ? {} : { forfeit_balance: forfeit }),
      };
      const { data } = await reply(api.DELETE("/api/v1/auth/account", { body }));
      await cli.session.forget();
      await cli.print.done(`The account ${username} is deleted. Kept: ${data.kept.join(", ")}.`, data);
    });
};

const deletionOf = async (cli: Cli) =>
  (await reply((await cli.api()).GET("/api/v1/auth/account/deletion"))).data;
