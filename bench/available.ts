import { type AvailableFilter, listAvailable } from "../actors/market/server/queries.ts";
import { migrate } from "../actors/platform/db/migrate.ts";
import { openSql, type Sql } from "../actors/platform/db/sql.ts";
import { AVAILABLE_PAGE, AVAILABLE_SORT } from "../schemas/market/server.ts";
import { sortOf } from "../schemas/sorting.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions } from "./benchmark.ts";
import { median } from "./statistics.ts";
import { createDatabase } from "./wallet/queries.ts";

const PAGE = { sort: sortOf(AVAILABLE_SORT), limit: AVAILABLE_PAGE.max, offset: 0, after: undefined };
const SERVERS = 100_000;
const MS_MAX = 20;

const plain: AvailableFilter = { cpuScoreType: "passmark", unlimitedTrafficOnly: false, featuredOnly: false };

/** Each filter alone, with a value that many meet and one that few or none do, and some together. */
const FILTERS: Readonly<Record<string, Partial<AvailableFilter>>> = {
  none: {},
  "country, one of 20": { country: "C3" },
  "country that is none": { country: "XX" },
  "region, one of 60": { region: "region-7" },
  "max_price_per_day, nearly all": { maxPricePerDay: "1000" },
  "max_price_per_day, the cheapest 1%": { maxPricePerDay: "0.6" },
  "available_durations, common": { durations: [30] },
  "available_durations, one in 2000": { durations: [777] },
  "min_cpu_cores, half": { minCpuCores: 64 },
  "min_cpu_cores, nearly none": { minCpuCores: 129 },
  "min_cpu_score, passmark": { minCpuScore: 99_900 },
  "min_cpu_score, geekbench_single": { minCpuScore: 2_999, cpuScoreType: "geekbench_single" },
  "min_cpu_score, geekbench_multi": { minCpuScore: 29_990, cpuScoreType: "geekbench_multi" },
  "min_ram_gb, half": { minRamGb: 512 },
  "min_ram_gb, nearly none": { minRamGb: 1_025 },
  "ram_types, one of 3": { ramTypes: ["ddr5"] },
  "min_total_storage_gb, half": { minTotalStorageGb: 10_000 },
  "min_total_storage_gb, nearly none": { minTotalStorageGb: 20_001 },
  "disk_types, common": { diskTypes: ["nvme"] },
  "disk_types, one in 1000": { diskTypes: ["hdd"] },
  "min_bandwidth_mbps, nearly none": { minBandwidthMbps: 40_000 },
  "min_traffic_tb, nearly none": { minTrafficTb: 100.5 },
  "unlimited_traffic_only, one in 500": { unlimitedTrafficOnly: true },
  "category, one of 5": { category: "gpu" },
  "featured_only, one in 1000": { featuredOnly: true },
  "country, category, cores, ram, price": {
    country: "C3",
    category: "compute",
    minCpuCores: 32,
    minRamGb: 128,
    maxPricePerDay: "20",
  },
  "durations and price": { durations: [7, 365], maxPricePerDay: "1" },
  "everything at once": {
    country: "C5",
    region: "region-5",
    category: "general",
    minCpuCores: 8,
    minRamGb: 16,
    ramTypes: ["ddr4", "ddr5"],
    diskTypes: ["nvme", "hdd"],
    minTotalStorageGb: 100,
    minBandwidthMbps: 100,
    minTrafficTb: 1,
    durations: [30],
    maxPricePerDay: "50",
  },
};

/** The marketplace's list over a large stock, at the database. */
export const available: Benchmark = {
  summary: "Filtered lists of 100,000 servers in stock, at the database",
  async run({ rounds, say }: RunOptions): Promise<Report> {
    const server = await startOwnPostgres({ durable: true });
    const url = new URL(server.url);
    const admin = openSql(server.url, { max: 1, name: "bench" });
    await createDatabase(admin, "available");
    url.pathname = "/available";
    await migrate(url.href);
    const db = openSql(url.href, { max: 1, name: "bench", session: { statement_timeout: "0" } });
    say(`putting ${SERVERS} servers into stock`);
    await stock(db);
    const rows: string[][] = [["filter", "servers listed", "median ms", "slowest ms", "index"]];
    let slowest = 0;
    for (const [name, filter] of Object.entries(FILTERS)) {
      const times: number[] = [];
      let listed = 0;
      for (let round = 0; round <= rounds; round++) {
        const from = performance.now();
        listed = (await listAvailable(db, { ...plain, ...filter }, PAGE)).rows.length;
        // The first one plans.
        if (round > 0) times.push(performance.now() - from);
      }
      slowest = Math.max(slowest, median(times));
      rows.push([
        name,
        String(listed),
        median(times).toFixed(1),
        Math.max(...times).toFixed(1),
        await indexesOf(db, { ...plain, ...filter }),
      ]);
    }
    await db.end();
    await admin.end();
    await server.stop();
    return {
      method: [
        `${SERVERS} servers in stock and ${SERVERS / 10} that are rented, with random specifications; the whole call of the gateway's query, with its rows read.`,
        `Each filter ${rounds} times after a first run that does not count; a list is the cheapest 500.`,
      ],
      series: [],
      tables: [
        {
          title: "Lists",
          rows,
          notes: [
            `All medians are under ${MS_MAX} ms: ${slowest < MS_MAX ? "yes" : "NO"}, ${slowest.toFixed(1)} ms at the slowest.`,
          ],
        },
      ],
      versions: {},
    };
  },
};

async function stock(db: Sql): Promise<void> {
  await db`
    INSERT INTO servers (id, version, name, status, kind, specs, prices, setup_fee_cents, delivered_by_hand, created_at, updated_at)
    SELECT lpad(to_hex(i), 24, '0'), 1, 'stock-' || i, CASE WHEN i <= ${SERVERS} THEN 'in_stock' ELSE 'rented' END, 'dedicated',
      jsonb_build_object(
        'country', 'C' || i % 20,
        'region', 'region-' || i % 60,
        'category', (ARRAY['compute', 'memory', 'storage', 'general', 'gpu'])[1 + i % 5],
        'cpu_cores', 1 + (random() * 128)::int,
        'cpu_scores', jsonb_build_object(
          'passmark', (random() * 100000)::int,
          'geekbench_single', (random() * 3000)::int,
          'geekbench_multi', (random() * 30000)::int),
        'ram_gb', 1 + (random() * 1024)::int,
        'ram_type', (ARRAY['ddr3', 'ddr4', 'ddr5'])[1 + i % 3],
        'disks', jsonb_build_array(jsonb_build_object(
          'type', CASE WHEN i % 1000 = 0 THEN 'hdd' WHEN i % 2 = 0 THEN 'nvme' ELSE 'ssd' END,
          'size_gb', 1 + (random() * 20000)::int)),
        'bandwidth_mbps', CASE WHEN i % 2000 = 0 THEN 40000 ELSE 1000 END,
        'traffic_tb', CASE WHEN i % 500 = 0 THEN NULL ELSE 1 + (random() * 99)::int END,
        'featured', i % 1000 = 0),
      jsonb_build_object('7', 100 + (random() * 20000)::int, '30', 1000 + (random() * 90000)::int)
        || CASE WHEN i % 2000 = 0 THEN '{"777": 500000}'::jsonb ELSE '{}' END,
      0, true, now(), now()
    FROM generate_series(1, ${SERVERS + SERVERS / 10}::int) i`;
  await db`VACUUM ANALYZE servers`;
}

/** The indexes that the query reads, as the server counts their scans. */
async function indexesOf(db: Sql, filter: AvailableFilter): Promise<string> {
  const scans = async () => {
    await db`SELECT pg_stat_force_next_flush()`;
    const rows = await db<{ name: string; scans: bigint }[]>`
      SELECT indexrelname AS name, idx_scan AS scans FROM pg_stat_user_indexes WHERE relname = 'servers'`;
    return new Map(rows.map((row) => [row.name, row.scans]));
  };
  const before = await scans();
  await listAvailable(db, filter, PAGE);
  const after = await scans();
  const read = [...after].filter(([name, count]) => count > (before.get(name) ?? 0n)).map(([name]) => name);
  return read.join(", ") || "none";
}
