import type { ManagedUser, PrivilegedEntry } from "../../../index.ts";
import type { Cli } from "../../cli.ts";
import { Refused, UsageError } from "../../failures.ts";
import { type CommandGroup, limitOption, printRows, RECENT_ROWS, sortOption } from "../../groups.ts";
import { NOUNS } from "../../nouns.ts";
import { time } from "../../output/format.ts";
import { page, type ReadPage, readRows, reply } from "../../read.ts";
import { BLOCKER_COLUMNS } from "../account.ts";
import { readPassword } from "../auth.ts";

export const users: CommandGroup = (parent, cli) => {
  const group = parent.command("users").description("Find, suspend, restore and delete users.");
  group
    .command("list")
    .option("--search <text>", "in username and e-mail address")
    .option("--suspended", "those that are suspended")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List users, the newest first.")
    .action(({ search, suspended, ...listed }) =>
      printRows(
        cli,
        NOUNS.user,
        found({
          ...(search === undefined ? {} : { search }),
          ...(suspended ? { status: "suspended" as const } : {}),
        }),
        listed,
      ),
    );
  group
    .command("show")
    .argument("<user>")
    .description("Show a user with balance, rentals and containers.")
    .action(async (given) => {
      const params = { path: { id: await userId(cli, given) } };
      await cli.print.record(
        (await reply((await cli.api()).GET("/api/v1/admin/users/{id}", { params }))).data,
        {
          rentals: ({ id, server_name, status, rental_end }) =>
            `${server_name}, ${status}, until ${time(rental_end)} (${id})`,
          containers: ({ id, name, server_name, state }) => `${name} on ${server_name}, ${state} (${id})`,
        },
      );
    });
  group
    .command("role")
    .argument("<user>")
    .argument("<role>", "admin or user")
    .requiredOption("--reason <text>", "why")
    .option("--code <code>", "the second factor: a code of your app, or a recovery code")
    .option("--password-stdin", "read your password from the input")
    .description("Make a user an administrator, or give up being one. It asks for your own password.")
    .action(async (given, role, { reason, code, ...options }) => {
      if (role !== "admin" && role !== "user") throw new UsageError("the role is admin or user");
      const id = await userId(cli, given);
      await cli.confirm(
        role === "admin"
          ? `Make ${given} an administrator?`
          : `Give up being an administrator, and sign out everywhere?`,
      );
      const current_password = await readPassword(cli, options);
      const body = { role, reason, current_password, ...(code === undefined ? {} : { code }) } as const;
      const request = { params: { path: { id } }, body };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/admin/users/{id}", request));
      await cli.print.done(`${data.username} is ${role === "admin" ? "an administrator" : "a user"}.`, data);
    });
  group
    .command("suspend")
    .argument("<user>")
    .requiredOption("--reason <text>", "why")
    .description("Close a user's account: every sign-in and token of it ends at once.")
    .action(async (given, { reason }) => {
      const id = await userId(cli, given);
      await cli.confirm(`Suspend ${given}?`);
      const request = { params: { path: { id } }, body: { reason } };
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/users/{id}/suspend", request));
      await cli.print.done(`${data.username} is suspended.`, data);
    });
  group
    .command("restore")
    .argument("<user>")
    .requiredOption("--reason <text>", "why")
    .description("Open a suspended account again.")
    .action(async (given, { reason }) => {
      const request = { params: { path: { id: await userId(cli, given) } }, body: { reason } };
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/users/{id}/restore", request));
      await cli.print.done(`${data.username} is restored.`, data);
    });
  group
    .command("blockers")
    .argument("<user>")
    .description("List what must end before a user's account can be deleted.")
    .action(async (given) => {
      const params = { path: { id: await userId(cli, given) } };
      const { data } = await reply((await cli.api()).GET("/api/v1/admin/users/{id}/deletion", { params }));
      await cli.print.list(data.blockers, BLOCKER_COLUMNS, "Nothing is in the way.");
    });
  group
    .command("delete")
    .argument("<user>")
    .requiredOption("--reason <text>", "why")
    .option("--forfeit <usd>", "give up so much of the user's balance at most; otherwise it must be zero")
    .description("Delete a user's account for good. It is refused while the user rents or has anything.")
    .action(async (given, { reason, forfeit }) => {
      const id = await userId(cli, given);
      await cli.confirm(`Delete the account of ${given} for good?`);
      const body = { reason, ...(forfeit === undefined ? {} : { forfeit_balance: forfeit }) };
      const request = { params: { path: { id } }, body };
      const { data } = await reply((await cli.api()).DELETE("/api/v1/admin/users/{id}", request));
      await cli.print.done(`${given} is deleted. Kept: ${data.kept.join(", ")}.`, data);
    });
};

type Filter = { readonly search?: string; readonly status?: "suspended" };

const found =
  (filter: Filter): ReadPage<ManagedUser> =>
  async (api, query) => {
    const { data } = await reply(
      api.GET("/api/v1/admin/users", { params: { query: { ...query, ...filter } } }),
    );
    return page(data.users, data.pagination);
  };

/** The server searches: there may be more users than a list has rows. @throws Refused */
export async function userId(cli: Cli, given: string): Promise<string> {
  if (/^[0-9a-f]{24}$/.test(given)) return given;
  const rows = await readRows(await cli.api(), found({ search: given }));
  const user = rows.find(({ username, email }) => username === given || email === given);
  if (user === undefined) throw new Refused(`there is no user named "${given}"`);
  return user.id;
}

const ENTRY = {
  columns: {
    TIME: ({ created_at }: PrivilegedEntry) => time(created_at),
    WHO: ({ by, by_id }: PrivilegedEntry) => by ?? by_id ?? "",
    ACT: ({ act }: PrivilegedEntry) => act,
    WHOM: ({ user, user_id, resource_id }: PrivilegedEntry) => user ?? user_id ?? resource_id ?? "",
    DATA: ({ data }: PrivilegedEntry) => JSON.stringify(data),
    ADDRESS: ({ address }: PrivilegedEntry) => address ?? "",
  },
  empty: "No administrator has done anything yet.",
};

export const audit: CommandGroup = (parent, cli) => {
  parent
    .command("audit")
    .option("--user <user>", "what was done to one user")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("What administrators did, the newest first.")
    .action(async ({ user, ...listed }) => {
      const filter = user === undefined ? {} : { user_id: await userId(cli, user) };
      await printRows(
        cli,
        ENTRY,
        async (api, query) => {
          const params = { query: { ...query, ...filter } };
          const { data } = await reply(api.GET("/api/v1/admin/audit", { params }));
          return page(data.entries, data.pagination);
        },
        listed,
      );
    });
};
