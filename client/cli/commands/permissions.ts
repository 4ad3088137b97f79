import type { ContainerPermission } from "../../index.ts";
import { Refused } from "../failures.ts";
import { type CommandGroup, printRows, sortOption } from "../groups.ts";
import { idOf, isId } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { time } from "../output/format.ts";
import { page, type ReadPage, readRows, reply } from "../read.ts";
import { instantOf } from "./alias.ts";

const PERMISSION = {
  columns: {
    USER: ({ username }: ContainerPermission) => username,
    ID: ({ id }: ContainerPermission) => id,
    SERVICES: ({ services }: ContainerPermission) => services?.join(" ") ?? "all",
    EXPIRES: ({ expires_at }: ContainerPermission) => time(expires_at) || "never",
    GRANTED: ({ created_at }: ContainerPermission) => time(created_at),
  },
  empty: "It is shared with nobody. `berth permissions grant CONTAINER USERNAME` shares it.",
};

const readPermissions =
  (id: string): ReadPage<ContainerPermission> =>
  async (api, query) => {
    const params = { path: { id }, query };
    const { data } = await reply(api.GET("/api/v1/containers/{id}/permissions", { params }));
    return page(data.permissions, data.pagination);
  };

export const permissions: CommandGroup = (program, cli) => {
  const group = program
    .command("permissions")
    .summary("who else may enter a container")
    .description("Let other users into a container: its terminal, pipe, notifications and files.");
  group
    .command("list")
    .argument("<container>")
    .description("List the users with whom a container is shared.")
    .addOption(sortOption())
    .action(async (given, listed) =>
      printRows(cli, PERMISSION, readPermissions(await idOf(cli, NOUNS.container, given)), listed),
    );
  group
    .command("grant")
    .argument("<container>")
    .argument("<username>")
    .option("--expires <time>", "when it ends: 30m, 12h, 7d, an instant (ISO 8601), or never")
    .option("--service <name...>", "these services alone, such as terminal, pipe or files; all unless given")
    .description("Let a user into a container.")
    .action(async (given, username, { expires, service }) => {
      const id = await idOf(cli, NOUNS.container, given);
      const body = {
        username,
        ...(expires === undefined ? {} : { expires_at: instantOf(expires) }),
        ...(service === undefined ? {} : { services: service }),
      };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/containers/{id}/permissions", { params: { path: { id } }, body }),
      );
      const until = data.expires_at === null ? "" : ` until ${time(data.expires_at)}`;
      await cli.print.done(`${username} may enter ${given}${until}.`, data);
    });
  group
    .command("revoke")
    .argument("<container>")
    .argument("<username>")
    .description("Take a user's permission back: open connections end at once.")
    .action(async (given, username) => {
      const id = await idOf(cli, NOUNS.container, given);
      const api = await cli.api();
      const found = (await readRows(api, readPermissions(id))).find((one) =>
        isId(username) ? one.id === username : one.username === username,
      );
      if (found === undefined) throw new Refused(`${given} is not shared with ${username}`);
      await cli.confirm(`Take the permission of ${found.username} for ${given} back?`);
      const params = { path: { id, user_id: found.id } };
      await reply(api.DELETE("/api/v1/containers/{id}/permissions/{user_id}", { params }));
      await cli.print.done(`${found.username} may no longer enter ${given}.`, { id: found.id });
    });
};
