import { OWN_HOST } from "../agents/join/own-host.ts";
import type { AddServer } from "../schemas/market/server.ts";

/** What the demo sells (design §5). */

/** The server whose host is this machine. It is divided, so that whoever signs up can rent a part on which containers run. */
export const OWN_SERVER: AddServer = {
  name: OWN_HOST,
  kind: "shared",
  specs: {
    country: "DE",
    region: "eu-central",
    cpu_cores: 8,
    ram_gb: 16,
    disks: [{ type: "nvme", size_gb: 200 }],
    category: "general",
  },
};

const part = (name: string, cores: number, ramGb: number, diskGb: number) => ({
  name,
  specs: {
    ...OWN_SERVER.specs,
    cpu_cores: cores,
    ram_gb: ramGb,
    disks: [{ type: "nvme" as const, size_gb: diskGb }],
  },
});

const SMALL = { prices: { "1": 20, "7": 100, "30": 350 } };
const MEDIUM = { prices: { "1": 40, "7": 200, "30": 700 } };

/** The part that the user `demo` rents. */
export const DEMO_SERVER = "demo-1";

/** Parts of this machine. Together they are no more than it is said to have. */
export const PARTS: readonly Omit<AddServer, "parent_id">[] = [
  { ...part(DEMO_SERVER, 2, 4, 40), ...MEDIUM },
  { ...part("small-1", 1, 2, 20), ...SMALL },
  { ...part("small-2", 1, 2, 20), ...SMALL },
  { ...part("small-3", 1, 2, 20), ...SMALL },
  { ...part("medium-1", 2, 4, 40), ...MEDIUM },
];

const NVME = { type: "nvme" as const, size_gb: 1_000 };

/** Servers that have no host, so that the marketplace shows what an operator delivers by hand. */
export const SERVERS_BY_HAND: readonly AddServer[] = [
  {
    name: "node-2",
    delivered_by_hand: true,
    specs: {
      country: "NL",
      region: "eu-west",
      cpu_model: "AMD EPYC 7313P",
      cpu_cores: 8,
      cpu_scores: { passmark: 39_000 },
      ram_gb: 32,
      ram_type: "ddr4",
      disks: [NVME],
      bandwidth_mbps: 1_000,
      traffic_tb: 20,
      category: "compute",
    },
    prices: { "1": 250, "7": 1_400, "30": 4_900, "90": 13_500 },
    setup_fee_cents: 500,
  },
  {
    name: "node-3",
    delivered_by_hand: true,
    specs: {
      country: "US",
      region: "us-east",
      cpu_model: "AMD EPYC 9124",
      cpu_cores: 16,
      cpu_scores: { passmark: 49_000 },
      ram_gb: 64,
      ram_type: "ddr5",
      disks: [NVME, NVME],
      bandwidth_mbps: 10_000,
      traffic_tb: null,
      category: "memory",
      featured: true,
    },
    prices: { "7": 2_800, "30": 9_900 },
  },
];

export const OFFERS = [
  {
    name: "compute-16",
    lead_time_hours: 24,
    pricing_rules: { "7": 2_100, "30": 7_500, "90": 21_000 },
    setup_fee_rules: { "90": 0 },
    setup_fee_cents: 1_500,
    specs: {
      country: "DE",
      region: "eu-central",
      cpu_cores: 16,
      ram_gb: 64,
      ram_type: "ddr5" as const,
      category: "compute" as const,
    },
  },
  {
    name: "storage-48",
    lead_time_hours: 72,
    pricing_rules: { "30": 12_900, "90": 36_000 },
    specs: {
      country: "FI",
      region: "eu-north",
      cpu_cores: 8,
      ram_gb: 32,
      disks: [
        { type: "hdd" as const, size_gb: 24_000 },
        { type: "hdd" as const, size_gb: 24_000 },
      ],
      category: "storage" as const,
    },
  },
];
