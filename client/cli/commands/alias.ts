import type { Alias, PatchAlias } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { UsageError } from "../failures.ts";
import { type CommandGroup, limitOption, printRows, sortOption } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { count, type ListOptions, type ReadPage, ROWS_MAX, readRows, reply } from "../read.ts";
import { addDomains } from "./alias-domains.ts";

const PROGRAM_TEXT =
  "http, https or ssh (with --port), terminal, pipe, notifications, files, or a program of the image";
const PORT_MAX = 65_535;
/** Units of `--expires 12h`. */
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Shows the aliases with the names of their containers, of which the API's list has the ids. */
async function printAliases(cli: Cli, options: ListOptions): Promise<void> {
  const names = new Map<string, string>();
  const read: ReadPage<Alias> = async (api, query) => {
    const page = await NOUNS.alias.read(api, query);
    if (page.rows.some(({ container_id }) => !names.has(container_id)))
      for (const { id, name } of await readRows(api, NOUNS.container.read)) names.set(id, name);
    return page;
  };
  const columns = {
    ...NOUNS.alias.columns,
    CONTAINER: ({ container_id }: Alias) => names.get(container_id) ?? container_id,
  };
  await printRows(cli, { columns, empty: NOUNS.alias.empty }, read, options);
}

export const alias: CommandGroup = (program, cli) => {
  const group = program
    .command("alias")
    .summary("public names of containers")
    .description("Give ports and programs of containers short public names.");
  group
    .command("list")
    .summary("List your aliases.")
    .description("List your aliases.")
    .addOption(limitOption(ROWS_MAX))
    .addOption(sortOption())
    .action((options) => printAliases(cli, options));
  group
    .command("show")
    .argument("<alias>")
    .description("Show an alias.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.alias, given);
      const params = { path: { id } };
      await cli.print.record(
        (await reply((await cli.api()).GET("/api/v1/proxy/aliases/{id}", { params }))).data,
      );
    });
  group
    .command("add")
    .argument("<container>")
    .option("--name <label>", "the name; one is made up unless given")
    .option("--program <program>", PROGRAM_TEXT, "http")
    .option("--port <port>", "port of the container")
    .option("--expires <time>", "when it ends: 30m, 12h, 7d, or an instant (ISO 8601)")
    .option("--path <path>", "put in front of the path of requests")
    .option("--disabled", "make it without opening it")
    .description("Expose a container under a short name.")
    .action(async (given, options) => {
      const container_id = await idOf(cli, NOUNS.container, given);
      const fields = fieldsOf(options);
      const body = {
        container_id,
        program: options.program,
        ...fields,
        ...(options.disabled ? { enabled: false } : {}),
      };
      const { data } = await reply((await cli.api()).POST("/api/v1/proxy/aliases", { body }));
      await cli.print.done(data.url, data);
    });
  group
    .command("update")
    .argument("<alias>")
    .option("--name <label>", "another name")
    .option("--program <program>", PROGRAM_TEXT)
    .option("--port <port>", "port of the container")
    .option("--expires <time>", "when it ends: 30m, 12h, 7d, an instant (ISO 8601), or never")
    .option("--path <path>", "put in front of the path of requests")
    .description("Change an alias; what is left out stays.")
    .action(async (given, options) => {
      const id = await idOf(cli, NOUNS.alias, given);
      const body = {
        ...fieldsOf(options),
        ...(options.program === undefined ? {} : { program: options.program }),
      };
      const { data } = await reply(
        (await cli.api()).PATCH("/api/v1/proxy/aliases/{id}", { params: { path: { id } }, body }),
      );
      await cli.print.done(data.url, data);
    });
  for (const [name, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    group
      .command(name)
      .argument("<alias>")
      .description(enabled ? "Open an alias." : "Close an alias; its name stays taken.")
      .action(async (given) => {
        const id = await idOf(cli, NOUNS.alias, given);
        const options = { params: { path: { id } }, body: { enabled } };
        const { data } = await reply((await cli.api()).PATCH("/api/v1/proxy/aliases/{id}/state", options));
        await cli.print.done(`${data.alias} is ${name}d.`, data);
      });
  }
  addDomains(group, cli);
  group
    .command("delete")
    .argument("<alias>")
    .description("Delete an alias: its name is free again.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.alias, given);
      await cli.confirm(`Delete the alias ${given}?`);
      await reply((await cli.api()).DELETE("/api/v1/proxy/aliases/{id}", { params: { path: { id } } }));
      await cli.print.done(`Deleted ${given}.`, { id });
    });
};

interface Fields {
  readonly name?: string;
  readonly port?: string;
  readonly expires?: string;
  readonly path?: string;
}

const fieldsOf = ({ name, port, expires, path }: Fields) =>
  ({
    ...(name === undefined ? {} : { alias: name }),
    ...(port === undefined ? {} : { port: count(port, 1, PORT_MAX) }),
    ...(expires === undefined ? {} : { expires_at: instantOf(expires) }),
    ...(path === undefined ? {} : { target_path: path }),
  }) satisfies PatchAlias;

/** `12h` from now, or an instant; `never` is null. @throws UsageError */
export function instantOf(text: string): string | null {
  if (text === "never") return null;
  const [, number = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const at = number === "" ? Date.parse(text) : Date.now() + Number(number) * (UNIT_MS[unit] ?? 0);
  if (Number.isNaN(at))
    throw new UsageError(
      `"${text}" is neither a time such as 12h nor an instant such as 2027-01-31T09:30:00Z`,
    );
  return new Date(at).toISOString();
}
