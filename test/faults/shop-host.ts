import pino from "pino";
import { systemClock } from "../../actors/platform/clock.ts";
import { required } from "../../actors/platform/environment.ts";
import { randomIds } from "../../actors/platform/ids.ts";
import { startHost } from "../../actors/runtime/host/host.ts";
import { postgresStore } from "../../actors/runtime/store/queries.ts";
import { Caller } from "../../actors/runtime/transport/caller.ts";
import { natsBus } from "../../actors/runtime/transport/nats-bus.ts";
import { shop, till } from "../actors/runtime/shop.ts";

/** An actor host of shops and tills as a process of its own, so that it can be killed. */

const LANES = 2;
const LEASE_TTL_MS = 1_500;

const given = (name: string) => required(process.env, name, "the test gives it");
const host = `${given("BERTH_HOST_ID")}-${crypto.randomUUID().slice(0, 8)}`;
const log = pino({ name: host });
const store = postgresStore(given("DATABASE_URL"), LANES);
const bus = await natsBus(given("NATS_URL"), host);
const caller = new Caller({
  caller: host,
  bus,
  clock: systemClock,
  ids: randomIds,
  leases: () => store.cluster(),
});
const running = await startHost({
  host,
  caller,
  definitions: [shop, till],
  topics: {},
  store,
  bus,
  clock: systemClock,
  ids: randomIds,
  log,
  lanes: LANES,
  leaseTtlMs: LEASE_TTL_MS,
});
log.info("ready");

process.once("SIGTERM", async () => {
  await running.stop();
  caller.close();
  await bus.close();
  await store.end();
  process.exit(0);
});
