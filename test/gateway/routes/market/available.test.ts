import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AddServer } from "../../../../schemas/market/server.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../harness/embedded-stack.ts";
import { inStock } from "./stock.ts";

let stack: EmbeddedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack();
  user = await stack.user();
  for (const [name, fields] of Object.entries(STOCK)) await inStock(stack, name, fields);
});
afterAll(() => stack.stop());

const STOCK: Record<string, Partial<AddServer>> = {
  small: {
    prices: { "1": 29, "30": 600 },
    specs: {
      country: "DE",
      region: "eu-central",
      cpu_cores: 4,
      cpu_scores: { passmark: 9_000 },
      ram_gb: 8,
      ram_type: "ddr4",
      disks: [{ type: "ssd", size_gb: 240 }],
      bandwidth_mbps: 1_000,
      traffic_tb: 20,
      category: "general",
    },
  },
  big: {
    prices: { "30": 9_000, "365": 73_000 },
    specs: {
      country: "DE",
      region: "eu-west",
      cpu_cores: 32,
      cpu_scores: { passmark: 60_000, geekbench_single: 2_100, geekbench_multi: 21_000 },
      ram_gb: 256,
      ram_type: "ddr5",
      disks: [
        { type: "nvme", size_gb: 2_000 },
        { type: "hdd", size_gb: 8_000 },
      ],
      bandwidth_mbps: 10_000,
      traffic_tb: null,
      category: "compute",
      featured: true,
    },
  },
  gpu: {
    prices: { "7": 21_000 },
    specs: {
      country: "US",
      region: "us-east",
      cpu_cores: 16,
      cpu_scores: { geekbench_multi: 15_000 },
      ram_gb: 128,
      ram_type: "ddr5",
      disks: [{ type: "nvme", size_gb: 1_000 }],
      bandwidth_mbps: 1_000,
      traffic_tb: 100,
      category: "gpu",
    },
  },
  bare: { prices: { "30": 1_000 }, specs: {} },
  priceless: { prices: {}, specs: { country: "DE" } },
};

const found = async (query: string): Promise<string[]> => {
  const { status, body } = await stack.call("GET", `/api/v1/servers/available${query}`, {
    token: user.token,
  });
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
};

describe("the list of available servers", () => {
  test("has every server with a price, the cheapest a day first, whatever is asked how often", async () => {
    expect(await found("")).toEqual(["small", "bare", "big", "gpu"]);
    expect(await found("")).toEqual(["small", "bare", "big", "gpu"]);
  });

  test("says what each length of rent costs", async () => {
    const { body } = await stack.call("GET", "/api/v1/servers/available?category=gpu", { token: user.token });
    expect(body.data[0].pricing).toEqual({
      currency: "USD",
      setup_fee_cents: 0,
      price_tiers: {
        "7": { price: 21_000, price_per_day: 30, setup_fee: 0, total_first_payment: 21_000 },
      },
    });
  });

  test.each([
    ["?country=DE", ["small", "big"]],
    ["?country=de", ["small", "big"]],
    ["?region=us-east", ["gpu"]],
    ["?max_price_per_day=0.2", ["small"]],
    ["?max_price_per_day=2", ["small", "bare", "big"]],
    ["?max_price_per_day=1.99", ["small", "bare"]],
    ["?max_price_per_day=0.29&available_durations=1", ["small"]],
    ["?max_price_per_day=0.28&available_durations=1", []],
    ["?available_durations=365", ["big"]],
    ["?available_durations=1,7", ["small", "gpu"]],
    ["?available_durations=1&available_durations=7", ["small", "gpu"]],
    ["?min_cpu_cores=16", ["big", "gpu"]],
    ["?min_cpu_cores=15.5", ["big", "gpu"]],
    ["?min_cpu_cores=16.5", ["big"]],
    ["?min_bandwidth_mbps=1000.5", ["big"]],
    ["?min_total_storage_gb=999.5", ["big", "gpu"]],
    ["?min_cpu_score=8999.5", ["small", "big"]],
    ["?min_cpu_score=9000", ["small", "big"]],
    ["?min_cpu_score=9001", ["big"]],
    ["?min_cpu_score=15000&cpu_score_type=geekbench_multi", ["big", "gpu"]],
    ["?min_cpu_score=2000&cpu_score_type=geekbench_single", ["big"]],
    ["?min_ram_gb=128", ["big", "gpu"]],
    ["?ram_types=ddr4", ["small"]],
    ["?ram_types=DDR4", ["small"]],
    ["?ram_types=ddr4,ddr5", ["small", "big", "gpu"]],
    ["?ram_types=ddr3&ram_types=ddr4", ["small"]],
    ["?min_total_storage_gb=1000", ["big", "gpu"]],
    ["?min_total_storage_gb=10001", []],
    ["?disk_types=hdd", ["big"]],
    ["?disk_types=ssd,hdd", ["small", "big"]],
    ["?min_bandwidth_mbps=1001", ["big"]],
    ["?min_traffic_tb=50", ["big", "gpu"]],
    ["?unlimited_traffic_only=true", ["big"]],
    ["?unlimited_traffic_only=false&featured_only=false", ["small", "bare", "big", "gpu"]],
    ["?category=general", ["small"]],
    ["?category=GENERAL", ["small"]],
    ["?min_cpu_score=2000&cpu_score_type=GeekBench_Single", ["big"]],
    ["?featured_only=true", ["big"]],
    ["?country=DE&min_ram_gb=16&disk_types=nvme&max_price_per_day=3&ram_types=ddr5", ["big"]],
    ["?country=US&category=general", []],
  ])("%s finds %j", async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  test.each([
    ["?ram_types=ddr9", "query.ram_types"],
    ["?disk_types=ssd,floppy", "query.disk_types"],
    ["?category=tiny", "query.category"],
    ["?cpu_score_type=guess", "query.cpu_score_type"],
    ["?available_durations=0", "query.available_durations"],
    ["?available_durations=3651", "query.available_durations"],
    ["?available_durations=", "query.available_durations"],
    ["?max_price_per_day=-1", "query.max_price_per_day"],
    ["?max_price_per_day=1e3", "query.max_price_per_day"],
    ["?min_ram_gb=x", "query.min_ram_gb"],
    ["?unlimited_traffic_only=yes", "query.unlimited_traffic_only"],
    ["?country=Germany", "query.country"],
    ["?colour=red", "query.colour"],
    ["?category=gpu&category=compute", "query.category"],
  ])("%s is refused and told why", async (query, field) => {
    const { status, body } = await stack.call("GET", `/api/v1/servers/available${query}`, {
      token: user.token,
    });
    expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.message).toContain(field);
  });
});

describe("servers of one price", () => {
  test("is in the order of names where prices are equal, also from page to page", async () => {
    const names = ["same-c", "same-a", "same-d", "same-b"];
    const specs = { country: "AT" };
    for (const name of names) await inStock(stack, name, { prices: { "30": 900_000 }, specs });
    expect(await found("?country=AT")).toEqual(names.toSorted());
    const { body } = await stack.call("GET", "/api/v1/servers/available?country=AT&limit=2", {
      token: user.token,
    });
    const cursor = encodeURIComponent(body.pagination.next_cursor);
    expect(await found(`?country=AT&limit=2&cursor=${cursor}`)).toEqual(["same-c", "same-d"]);
  });
});
