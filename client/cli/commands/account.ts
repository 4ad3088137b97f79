import { type Command, Option } from "@commander-js/extra-typings";
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
    .summary("notices by mail, and the end of your account")
    .description("Choose which notices are mailed, and delete your account.");
  addMail(group, cli);
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

const SWITCH = ["on", "off"] as const;
const switchOption = (name: string, what: string) => new Option(`--${name} <on|off>`, what).choices(SWITCH);

/** Notices by mail. */
function addMail(group: Command, cli: Cli): void {
  group
    .command("mail")
    .description("Show which notices are mailed to you, after changing what is given.")
    .addOption(switchOption("security", "sign-ins from somewhere new, and changes of what you sign in with"))
    .addOption(switchOption("money", "rentals that end, payments that failed, a low balance"))
    .addOption(switchOption("containers", "containers and firewalls that fail"))
    .option("--low-balance <usd>", "a notice when the balance falls below it; `off`: none")
    .action(async ({ lowBalance, ...topics }) => {
      const notices = Object.entries(topics).map(([topic, given]) => [topic, given === "on"]);
      const low =
        lowBalance === undefined ? {} : { low_balance_below: lowBalance === "off" ? null : lowBalance };
      const body = { ...Object.fromEntries(notices), ...low };
      const api = await cli.api();
      const { data } = await reply(
        Object.keys(body).length === 0
          ? api.GET("/api/v1/notifications/mail")
          : api.PATCH("/api/v1/notifications/mail", { body }),
      );
      await cli.print.record(data);
    });
  group
    .command("verify-email")
    .description(
      "Ask for a link that verifies your e-mail address. Notices are mailed to a verified one alone.",
    )
    .action(async () => {
      const { message } = await reply((await cli.api()).POST("/api/v1/auth/email/verification"));
      await cli.print.done(`${message}.`, {});
    });
}

const deletionOf = async (cli: Cli) =>
  (await reply((await cli.api()).GET("/api/v1/auth/account/deletion"))).data;
