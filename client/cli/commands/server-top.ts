import type { ContainerUsage } from "../../index.ts";
import type { Cli } from "../cli.ts";
import type { Command } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { bytes, percent, plural } from "../output/format.ts";
import { showLive } from "../output/live.ts";
import { readRows, reply } from "../read.ts";

/** A reading costs the host a measurement. */
const EVERY_MS = 3_000;

type Row = ContainerUsage & { readonly name: string };

const COLUMNS = {
  CONTAINER: ({ name }: Row) => name,
  CPU: ({ cpu_percent }: Row) => percent(cpu_percent),
  MEMORY: ({ memory_bytes }: Row) => bytes(memory_bytes),
};

export function addTop(group: Command, cli: Cli): void {
  group
    .command("top")
    .argument("<rental>")
    .option("--once", "print one reading and end")
    .description(
      "Show the present load of a server and of its containers, the busiest first, until Ctrl-C. Where the output is no terminal it is one reading.",
    )
    .action(async (given, { once }) => {
      const id = await idOf(cli, NOUNS.rental, given);
      if (cli.options().json) return cli.print.json((await readLoad(cli, id)).data);
      const read = async () => {
        const { data, names } = await readLoad(cli, id);
        const rows = data.containers.map((one) => ({ ...one, name: names.get(one.id) ?? one.id }));
        rows.sort((one, other) => (other.cpu_percent ?? 0) - (one.cpu_percent ?? 0));
        return { rows, title: titleOf(data) };
      };
      await showLive(cli, {
        read,
        columns: COLUMNS,
        empty: "It runs no containers.",
        everyMs: EVERY_MS,
        once,
      });
    });
}

async function readLoad(cli: Cli, id: string) {
  const api = await cli.api();
  const [{ data }, containers] = await Promise.all([
    reply(api.GET("/api/v1/rentals/{id}/runtime", { params: { path: { id } } })),
    readRows(api, NOUNS.container.read),
  ]);
  return { data, names: new Map(containers.map((one) => [one.id, one.name])) };
}

type Load = Awaited<ReturnType<typeof readLoad>>["data"];

function titleOf({ server_name, cpu, memory, disk }: Load): string {
  const cores = cpu.cores === null ? "" : ` of ${plural(cpu.cores, "core")}`;
  const space = (used: number | null, total: number | null) => {
    if (used === null) return total === null ? "not limited" : `${bytes(total)} in all`;
    return total === null ? bytes(used) : `${bytes(used)} of ${bytes(total)}`;
  };
  const used = "used_bytes" in disk ? disk.used_bytes : null;
  return `${server_name}: CPU ${percent(cpu.usage_percent) || "?"}${cores}, memory ${space(memory.used_bytes, memory.total_bytes)}, disk ${space(used, disk.total_bytes)}`;
}
