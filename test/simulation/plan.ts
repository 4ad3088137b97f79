import type { BusFaults } from "./bus.ts";
import type { Random } from "./random.ts";
import type { StoreFaults } from "./store.ts";

export const INCIDENTS = [
  "kill host",
  "stop host",
  "drain host",
  "kill caller",
  "stop caller",
  "cut bus",
  "cut bus of all",
  "cut database",
  "restart database",
  "slow disk",
  "jump host's clock",
  "jump database's clock",
  "grow",
] as const;
export type Incident = (typeof INCIDENTS)[number];

/** What one seed plays: how large the cluster is, who asks for what, and what goes wrong. */
export interface Plan {
  readonly hosts: number;
  readonly lanes: number;
  readonly leaseTtlMs: number;
  readonly callers: number;
  readonly wallets: number;
  /** What there is of actors that set timers and send; null in seeds that are only about wallets. */
  readonly market: Market | null;
  readonly clients: number;
  readonly operations: number;
  readonly thinkMs: number;
  readonly deadlineMs: number;
  readonly bus: BusFaults;
  readonly store: StoreFaults;
  readonly incidents: readonly Incident[];
  readonly incidentEveryMs: number;
}

export interface Market {
  readonly shops: number;
  readonly tills: number;
  readonly alarms: number;
  /** What each shop and each till begins with. */
  readonly stock: number;
  readonly money: number;
  readonly operations: number;
}

/** Seeds with a market; the wallets' clients do less in them, so that they take no longer. */
const MARKET_SHARE = 0.4;
const OF_WALLETS_WITH_MARKET = 0.3;

const NO_BUS_FAULTS: BusFaults = { lose: 0, duplicate: 0, late: 0 };
const NO_STORE_FAULTS: StoreFaults = { lost: 0, unanswered: 0, late: 0 };

interface Weather {
  readonly hasBusFaults: boolean;
  readonly hasStoreFaults: boolean;
  readonly incidents: readonly Incident[];
}

/** In some seeds nothing goes wrong, in some only the database, so that those can be judged more strictly. */
const CALM: Weather = { hasBusFaults: false, hasStoreFaults: false, incidents: ["drain host"] };
const CALM_SHARE = 0.08;
const BAD_DATABASE: Weather = {
  hasBusFaults: false,
  hasStoreFaults: true,
  incidents: ["restart database", "slow disk", "cut database", "drain host", "grow"],
};
const BAD_DATABASE_SHARE = 0.2;
const STORM: Weather = { hasBusFaults: true, hasStoreFaults: true, incidents: INCIDENTS };
/** Each kind of fault is in half of the seeds where it may be, so that each is also met without the others. */
const ENABLED = 0.5;

function weatherAt(share: number): Weather {
  if (share < CALM_SHARE) return CALM;
  return share < CALM_SHARE + BAD_DATABASE_SHARE ? BAD_DATABASE : STORM;
}

export function planOf(random: Random): Plan {
  const weather = weatherAt(random.next());
  const market = random.chance(MARKET_SHARE) ? marketOf(random) : null;
  const operations = 40 + random.integer(100);
  const rate = (max: number) => (random.chance(ENABLED) ? random.next() * max : 0);
  return {
    hosts: 2 + random.integer(3),
    lanes: 1 + random.integer(2),
    leaseTtlMs: random.pick([1_000, 2_000, 4_000, 8_000]),
    callers: 1 + random.integer(2),
    wallets: 1 + random.integer(4),
    clients: 2 + random.integer(5),
    market,
    operations: market === null ? operations : Math.ceil(operations * OF_WALLETS_WITH_MARKET),
    thinkMs: random.pick([10, 60, 200]),
    deadlineMs: random.pick([500, 3_000, 10_000]),
    bus: weather.hasBusFaults ? { lose: rate(0.05), duplicate: rate(0.1), late: rate(0.05) } : NO_BUS_FAULTS,
    store: weather.hasStoreFaults
      ? { lost: rate(0.03), unanswered: rate(0.03), late: rate(0.03) }
      : NO_STORE_FAULTS,
    incidents: weather.incidents.filter(() => weather === CALM || random.chance(ENABLED)),
    incidentEveryMs: random.pick([100, 300, 1_000]),
  };
}

const marketOf = (random: Random): Market => ({
  shops: 1 + random.integer(2),
  tills: 1 + random.integer(2),
  alarms: 1 + random.integer(2),
  stock: 3 + random.integer(15),
  money: 20 + random.integer(100),
  operations: 15 + random.integer(40),
});

/** Whether nothing may fail at all. */
export const isCalm = ({ bus, store, incidents, deadlineMs }: Plan): boolean =>
  isQuiet({ ...bus, ...store }) && deadlineMs >= 10_000 && incidents.every((one) => one === "drain host");

/**
 * Whether a request whose answer has come cannot still be on its way a second time. Elsewhere a copy of one that was
 * refused may arrive at the next owner, when it can be done.
 */
export const sendsNothingLate = ({ bus, incidents }: Plan): boolean =>
  isQuiet({ ...bus, duplicate: 0 }) && incidents.every((one) => !/bus|stop caller/.test(one));

const isQuiet = (rates: Record<string, number>): boolean => Object.values(rates).every((rate) => rate === 0);
