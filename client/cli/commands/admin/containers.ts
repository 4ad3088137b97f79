import { Option } from "@commander-js/extra-typings";
import type { ManagedContainer } from "../../../index.ts";
import { type CommandGroup, limitOption, printRows, RECENT_ROWS, sortOption } from "../../groups.ts";
import { idOf } from "../../lookup.ts";
import { NOUNS, serverOf } from "../../nouns.ts";
import { time } from "../../output/format.ts";
import { page, reply } from "../../read.ts";
import { userId } from "./users.ts";

const CONTAINER = {
  columns: {
    ID: ({ id }: ManagedContainer) => id,
    NAME: ({ name }: ManagedContainer) => name,
    USER: ({ username }: ManagedContainer) => username,
    STATE: ({ state, error }: ManagedContainer) => (error === null ? state : `${state}: ${error}`),
    SERVER: serverOf,
    HOST: ({ server_name }: ManagedContainer) => server_name,
    IMAGE: ({ image }: ManagedContainer) => image ?? "",
    CREATED: ({ created_at }: ManagedContainer) => time(created_at),
  },
  empty: "No container is found.",
};

const STATES = ["creating", "running", "stopped", "error"] as const;

/** The containers of all users. */
export const adminContainers: CommandGroup = (parent, cli) => {
  const group = parent.command("containers").description("The containers of all users.");
  group
    .command("list")
    .option("--search <text>", "in the names of the container, of its image and of its user")
    .option("--user <user>", "those of one user")
    .option("--host <host>", "those on one machine")
    .option("--server <stock>", "those on one server of the stock")
    .addOption(new Option("--state <state>", "those in one state").choices(STATES))
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List containers, the newest first.")
    .action(async ({ search, user, host, server, state, ...listed }) => {
      const filter = {
        ...(search === undefined ? {} : { search }),
        ...(user === undefined ? {} : { user_id: await userId(cli, user) }),
        ...(host === undefined ? {} : { host }),
        ...(server === undefined ? {} : { server_id: await idOf(cli, NOUNS.stock, server) }),
        ...(state === undefined ? {} : { state }),
      };
      await printRows(
        cli,
        CONTAINER,
        async (api, query) => {
          const params = { query: { ...query, ...filter } };
          const { data } = await reply(api.GET("/api/v1/admin/containers", { params }));
          return page(data.containers, data.pagination);
        },
        listed,
      );
    });
};
