import { resolve } from "node:path";
import { UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { type Config, readConfig, writeConfig } from "../session/config.ts";

interface Row {
  readonly id: string;
  readonly url: string;
  readonly current: boolean;
}

const COLUMNS = {
  "": ({ current }: Row) => (current ? "*" : ""),
  NAME: ({ id }: Row) => id,
  URL: ({ url }: Row) => url,
};

export const context: CommandGroup = (program, cli) => {
  const { env } = cli.io;
  const group = program
    .command("context")
    .summary("the control planes that you work with")
    .description("Name the control planes that you work with, and choose one.");
  group
    .command("list")
    .description("List contexts; the present one is marked.")
    .action(async () => {
      const { current, contexts } = await readConfig(env);
      const rows = Object.entries(contexts).map(([id, { url }]) => ({ id, url, current: id === current }));
      await cli.print.list(rows, COLUMNS, "There are no contexts. `berth login --url URL` makes one.");
    });
  group
    .command("add")
    .argument("<name>")
    .argument("<url>")
    .option("--ca <file>", "PEM file with the authority of the hosts' certificates")
    .description("Add a context, or change its address.")
    .action(async (name, url, { ca }) => {
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
        throw new UsageError(`"${url}" is not an address such as https://berth.example`);
      const config = await readConfig(env);
      const added = { url: url.replace(/\/+$/, ""), ...(ca === undefined ? {} : { ca: resolve(ca) }) };
      await writeConfig(env, { ...config, contexts: { ...config.contexts, [name]: added } });
      await cli.print.done(`Added ${name}.`, { id: name, ...added });
    });
  group
    .command("use")
    .argument("<context>")
    .description("Choose the context of further commands.")
    .action(async (name) => {
      const config = await readConfig(env);
      known(config, name);
      await writeConfig(env, { ...config, current: name });
      await cli.print.done(`Commands go to ${name} now.`, { id: name });
    });
  group
    .command("delete")
    .argument("<context>")
    .description("Delete a context and its credential. Its session goes on: `berth logout` ends it.")
    .action(async (name) => {
      const config = await readConfig(env);
      known(config, name);
      const { [name]: _deleted, ...contexts } = config.contexts;
      await cli.session.store.delete(name);
      await writeConfig(env, { ...config, contexts });
      await cli.print.done(`Deleted ${name}.`, { id: name });
    });
};

function known({ contexts }: Config, name: string): void {
  if (contexts[name] === undefined) throw new UsageError(`there is no context "${name}"`);
}
