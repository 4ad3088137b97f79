import type { EventRecord, InboxEntry } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { type CommandGroup, limitOption, printRows, RECENT_ROWS, sortOption } from "../groups.ts";
import { time } from "../output/format.ts";
import { printable } from "../output/table.ts";
import { page, reply } from "../read.ts";

const EVENT = {
  columns: {
    TIME: ({ created_at }: EventRecord) => time(created_at),
    EVENT: ({ event_type }: EventRecord) => event_type,
    RESOURCE: ({ resource_type, resource_id }: EventRecord) => `${resource_type} ${resource_id ?? ""}`,
    DATA: ({ data }: EventRecord) => JSON.stringify(data),
  },
  empty: "Nothing has happened yet.",
};

export const events: CommandGroup = (program, cli) => {
  program.commandsGroup("Activity:");
  program
    .command("events")
    .option("--type <type>", "one type of events, such as container.running")
    .option("--resource <id>", "events of one thing")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .option("--follow", "print events as they happen")
    .summary("what happened, and what happens")
    .description(
      "List events, the newest first, or follow them. With --follow and --json each event is a line.",
    )
    .action(async ({ type, resource, follow, ...listed }) => {
      if (follow) return followEvents(cli, type, resource);
      const filters = {
        ...(type === undefined ? {} : { event_type: type as EventRecord["event_type"] }),
        ...(resource === undefined ? {} : { resource_id: resource }),
      };
      await printRows(
        cli,
        EVENT,
        async (api, query) => {
          const { data } = await reply(
            api.GET("/api/v1/events", { params: { query: { ...query, ...filters } } }),
          );
          return page(data.events, data.pagination);
        },
        listed,
      );
    });
};

async function followEvents(cli: Cli, type?: string, resource?: string): Promise<void> {
  for await (const { type: name, data } of (await cli.api()).events(cli.io.interrupted)) {
    if (name === "gap") {
      cli.io.err("Some events were missed: `berth events` lists them.\n");
      continue;
    }
    const event = JSON.parse(data) as EventRecord;
    const isWanted =
      (type ?? event.event_type) === event.event_type &&
      (resource ?? event.resource_id) === event.resource_id;
    if (!isWanted) continue;
    if (cli.options().json) await cli.io.out(`${data}\n`);
    else
      await cli.io.out(
        `${printable(
          Object.values(EVENT.columns)
            .map((value) => value(event))
            .join("  "),
        )}\n`,
      );
  }
}

const ENTRY = {
  columns: {
    ID: ({ id }: InboxEntry) => id,
    TIME: ({ created_at }: InboxEntry) => time(created_at),
    "": ({ read }: InboxEntry) => (read ? "" : "new"),
    TITLE: ({ title }: InboxEntry) => title,
    TEXT: ({ body }: InboxEntry) => body,
  },
  empty: "There are no notifications.",
};

export const inbox: CommandGroup = (program, cli) => {
  const group = program
    .command("inbox")
    .summary("notifications to you")
    .description("Read notifications to you.");
  group
    .command("list")
    .option("--unread", "those that you have not read")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List notifications, the newest first.")
    .action(({ unread, ...listed }) =>
      printRows(
        cli,
        ENTRY,
        async (api, query) => {
          const params = { query: { ...query, ...(unread ? { unread_only: "true" as const } : {}) } };
          const { data } = await reply(api.GET("/api/v1/notifications", { params }));
          return page(data.notifications, data.pagination);
        },
        listed,
      ),
    );
  group
    .command("read")
    .argument("[id]", "a notification; all unless given")
    .description("Mark a notification as read, or all of them.")
    .action(async (id) => {
      const api = await cli.api();
      if (id === undefined) await reply(api.PUT("/api/v1/notifications/read-all"));
      else await reply(api.PUT("/api/v1/notifications/{id}/read", { params: { path: { id } } }));
      await cli.print.done(id === undefined ? "All are read." : `${id} is read.`, { id: id ?? null });
    });
};
