import type { QuotaUse, SessionInfo } from "../../index.ts";
import { type CommandGroup, printRows, sortOption } from "../groups.ts";
import { time, yesNo } from "../output/format.ts";
import { page, reply } from "../read.ts";

const SESSION = {
  columns: {
    ID: ({ id }: SessionInfo) => id,
    "LAST USED": ({ last_used_at }: SessionInfo) => time(last_used_at),
    ADDRESS: ({ address }: SessionInfo) => address ?? "",
    "THIS ONE": ({ current }: SessionInfo) => yesNo(current),
    PROGRAM: ({ program }: SessionInfo) => program,
  },
  empty: "There are no sessions.",
};

export const sessions: CommandGroup = (program, cli) => {
  const group = program
    .command("sessions")
    .summary("where you are signed in")
    .description("See where you are signed in, and sign out there.");
  group
    .command("list")
    .description("List your sessions, the last used first.")
    .addOption(sortOption())
    .action((listed) =>
      printRows(
        cli,
        SESSION,
        async (api, query) => {
          const { data } = await reply(api.GET("/api/v1/auth/sessions", { params: { query } }));
          return page(data.sessions, data.pagination);
        },
        listed,
      ),
    );
  group
    .command("end")
    .argument("[id]", "a session; all others than this one unless given")
    .description("End a session, or all others than this one.")
    .action(async (id) => {
      await cli.confirm(id === undefined ? "End all your other sessions?" : `End the session ${id}?`);
      const api = await cli.api();
      if (id !== undefined)
        await reply(api.DELETE("/api/v1/auth/sessions/{id}", { params: { path: { id } } }));
      else await reply(api.DELETE("/api/v1/auth/sessions", { params: { query: { keep_current: "true" } } }));
      await cli.print.done(id === undefined ? "Ended all other sessions." : `Ended ${id}.`, {
        id: id ?? null,
      });
    });
};

const QUOTA_COLUMNS = {
  QUOTA: ({ quota }: QuotaUse) => quota,
  USED: ({ used }: QuotaUse) => (used === null ? "" : String(used)),
  LIMIT: ({ limit }: QuotaUse) => String(limit),
  MEANING: ({ description }: QuotaUse) => description,
};

export const quotas: CommandGroup = (program, cli) => {
  program
    .command("quotas")
    .summary("your limits and their use")
    .description("Your limits and their use.")
    .action(async () => {
      const { data } = await reply((await cli.api()).GET("/api/v1/quotas"));
      await cli.print.list(data.quotas, QUOTA_COLUMNS, "There are no quotas.");
    });
};
