import type { Container } from "../../index.ts";
import type { Cli } from "../cli.ts";
import type { CommandGroup } from "../groups.ts";
import { rowOf } from "../lookup.ts";
import { NOUNS, serverOf } from "../nouns.ts";
import { bytes, percent } from "../output/format.ts";
import { showLive } from "../output/live.ts";
import { readRows, reply } from "../read.ts";

/** Hosts measure every ten seconds: a reading is new at half of that on average. */
const EVERY_MS = 5_000;
/** The newest measurement is in here, also where a host is a little late. */
const WINDOW_MS = 40_000;
const STEP_SECONDS = "10";
/** Each is a request: a page of containers is what a person watches at once. */
const CONTAINERS_MAX = 50;

interface Usage extends Pick<Container, "id" | "name" | "server_name" | "subserver_name"> {
  readonly cpu_percent: number | null;
  readonly memory_bytes: number | null;
  readonly memory_limit_bytes: number | null;
  readonly disk_bytes: number | null;
  readonly network_received_bytes_per_second: number | null;
  readonly network_sent_bytes_per_second: number | null;
}

const rate = (perSecond: number | null) => (perSecond === null ? "" : `${bytes(Math.round(perSecond))}/s`);

const COLUMNS = {
  CONTAINER: ({ name }: Usage) => name,
  SERVER: serverOf,
  CPU: ({ cpu_percent }: Usage) => percent(cpu_percent),
  MEMORY: ({ memory_bytes, memory_limit_bytes }: Usage) =>
    memory_bytes === null ? "" : [memory_bytes, memory_limit_bytes].map(bytes).filter(Boolean).join(" of "),
  DISK: ({ disk_bytes }: Usage) => bytes(disk_bytes),
  RECEIVED: (row: Usage) => rate(row.network_received_bytes_per_second),
  SENT: (row: Usage) => rate(row.network_sent_bytes_per_second),
};

export const stats: CommandGroup = (program, cli) => {
  program
    .command("stats")
    .argument("[container...]", "all that run unless given")
    .option("--once", "print one reading and end")
    .summary("what containers use")
    .description(
      "Show what containers use, until Ctrl-C: their hosts measure every ten seconds. Where the output is no terminal it is one reading.",
    )
    .action(async (given, { once }) => {
      const named = await Promise.all(given.map((one) => rowOf(cli, NOUNS.container, one)));
      const read = async () => {
        const containers = named.length > 0 ? named : await running(cli);
        const rows = await Promise.all(containers.map((one) => usageOf(cli, one)));
        return { rows };
      };
      const empty = "No container runs.";
      await showLive(cli, { read, columns: COLUMNS, empty, everyMs: EVERY_MS, once });
    });
};

async function running(cli: Cli): Promise<Container[]> {
  const rows = await readRows(await cli.api(), NOUNS.container.read);
  return rows.filter(({ state }) => state === "running").slice(0, CONTAINERS_MAX);
}

/** The newest measurement of each kind. */
async function usageOf(cli: Cli, container: Container): Promise<Usage> {
  const { id, name, server_name, subserver_name, resources } = container;
  const from = new Date(Date.now() - WINDOW_MS).toISOString();
  const params = { path: { id }, query: { from, step: STEP_SECONDS } };
  const { data } = await reply((await cli.api()).GET("/api/v1/containers/{id}/metrics", { params }));
  const newest = (values: readonly (number | null)[]) => values.findLast((value) => value !== null) ?? null;
  const { series } = data;
  return {
    id,
    name,
    server_name,
    subserver_name,
    cpu_percent: newest(series.cpu_percent),
    memory_bytes: newest(series.memory_bytes),
    memory_limit_bytes: resources.applied?.memory_bytes ?? resources.memory_bytes,
    disk_bytes: newest(series.disk_bytes),
    network_received_bytes_per_second: newest(series.network_received_bytes_per_second),
    network_sent_bytes_per_second: newest(series.network_sent_bytes_per_second),
  };
}
