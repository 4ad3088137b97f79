import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../agents/agent-process.ts";
import { type Balancer, startBalancer } from "../faults/balancer.ts";
import { check } from "../faults/checker.ts";
import { flows, shareOf } from "../faults/cluster.ts";
import { startLoad } from "../faults/load.ts";
import { tenant } from "../gateway/routes/hosting/container/hosting.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { awaitBalance } from "../harness/stack.ts";
import { until } from "../harness/until.ts";
import { checkOutEarlierVersion, lacksEarlierVersion } from "./earlier-version.ts";
import { startInstallation } from "./installation.ts";

const NEW = join(import.meta.dir, "../..");
const SERVER = "node-1";
const USERS = 4;
const CLIENTS = 6;
const READERS = 2;
const READ_EVERY_MS = 30;
const ACTOR_HOSTS = ["actors-1", "actors-2"];
const GATEWAYS = ["gateway-1", "gateway-2"];

/** Columns of a migration after this version's: also an earlier process that is started now finds them. */
const LATER_COLUMNS = `
  INSERT INTO migrations (name, sha256) VALUES ('9999_of_a_later_version.sql', 'x');
  ALTER TABLE outbox ADD COLUMN later json;
  ALTER TABLE wallets ADD COLUMN later text NOT NULL DEFAULT 'as it was';
  SELECT generate_commit();`;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Reads without pause until it is stopped; the balancer counts what fails. */
function startReaders(balancer: Balancer, tokens: readonly string[]) {
  let going = true;
  let reads = 0;
  const done = Promise.all(
    Array.from({ length: READERS }, async (_, reader) => {
      for (let i = reader; going; i++, await Bun.sleep(READ_EVERY_MS)) {
        const token = tokens[i % tokens.length] as string;
        await balancer.call("GET", "/api/v1/wallet/balances", { token }).catch(() => undefined);
        reads += 1;
      }
    }),
  );
  return {
    async stop() {
      going = false;
      await done;
      return reads;
    },
  };
}

const missing = lacksEarlierVersion();
if (missing !== undefined) console.log(missing);

test.skipIf(missing !== undefined)(
  "an installation is brought to this version one process after the other, beside the earlier one, and fails no request",
  async () => {
    const OLD = checkOutEarlierVersion();
    const berth = await startInstallation(OLD, [SERVER]);
    ends.push(berth.close);
    for (const name of ACTOR_HOSTS) await berth.startActors(OLD, name);
    const urls = [];
    for (const name of GATEWAYS) urls.push(await berth.startGateway(OLD, name));
    await awaitBalance(berth.client, ACTOR_HOSTS.length);
    const balancer = await startBalancer(urls);
    ends.push(balancer.stop);
    const client = { ...berth.client, call: balancer.call };

    const ours = await tenant(client, SERVER);
    const options: AgentOptions = {
      natsUrl: berth.client.nats.agentUrl(SERVER),
      server: SERVER,
      data: temporaryFolder(),
      driver: "process",
      subnet: "",
    };
    let agent: Agent = startAgent({ ...options, main: join(OLD, "agents/main.ts") });
    ends.push(async () => {
      await agent.stop();
      await cleanUp(options);
    });
    await agent.ready();
    const container = await ours.container("web");
    const reaches = (state: string) =>
      until(async () => (await ours.call("GET", `/${container}`)).body.data.state === state);
    const restart = async () => {
      expect((await ours.call("POST", `/${container}/stop`)).status).toBeLessThan(300);
      await reaches("stopped");
      expect((await ours.call("POST", `/${container}/start`)).status).toBeLessThan(300);
      await reaches("running");
    };
    await reaches("running");

    const users = await Promise.all(Array.from({ length: USERS }, () => client.user({ balance: "10000" })));
    const load = startLoad(client, users, CLIENTS);
    const readers = startReaders(
      balancer,
      users.map(({ token }) => token),
    );
    await flows(load, users);

    await berth.migrate(NEW);
    await client.db.unsafe(LATER_COLUMNS);
    await flows(load, users);
    for (const name of ACTOR_HOSTS) {
      await berth.stop(name);
      await berth.startActors(NEW, name);
      await until(async () => (await shareOf(client, name)) > 0);
      await flows(load, users);
    }
    await restart();
    for (const name of GATEWAYS) {
      await berth.stop(name);
      await berth.startGateway(NEW, name);
      await flows(load, users);
    }
    await agent.stop();
    agent = startAgent(options);
    await agent.ready();
    await reaches("running");
    await restart();
    await flows(load, users);

    const history = await load.stop();
    expect(await readers.stop()).toBeGreaterThan(100);
    expect(balancer.failures).toEqual([]);
    expect(load.unclear()).toBe(0);
    expect(await check(client, users, history)).toEqual([]);
    const kept = await client.db<{ later: string }[]>`SELECT DISTINCT later FROM wallets`;
    expect(kept.map(({ later }) => later)).toEqual(["as it was"]);
  },
  300_000,
);
