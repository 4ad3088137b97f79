import { resolve } from "node:path";
import { errorOf } from "../../errors.ts";
import { UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { type Config, type Context, readConfig, writeConfig, writePrivateText } from "../session/config.ts";

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
    .command("trust")
    .argument("[context]", "the present one unless given")
    .description(
      "Take the authority of the hosts' certificates from the control plane, and trust it for containers' addresses. It prints the file, which browsers may be told to trust too.",
    )
    .action(async (given) => {
      const { name, context: chosen } =
        given === undefined ? await cli.session.context() : contextOf(await readConfig(env), given);
      const response = await fetch(`${chosen.url}/api/v1/certificate-authority`);
      if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
      const file = await writePrivateText(env, `ca-${encodeURIComponent(name)}.pem`, await response.text());
      const config = await readConfig(env);
      const contexts = { ...config.contexts, [name]: { ...chosen, ca: file } };
      await writeConfig(env, { ...config, contexts });
      await cli.print.done(`Containers' addresses are trusted by ${file}.`, { id: name, file });
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

function contextOf(config: Config, name: string): { name: string; context: Context } {
  known(config, name);
  return { name, context: config.contexts[name] as Context };
}

function known({ contexts }: Config, name: string): void {
  if (contexts[name] === undefined) throw new UsageError(`there is no context "${name}"`);
}
