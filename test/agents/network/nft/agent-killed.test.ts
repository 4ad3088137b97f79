import { afterAll, beforeAll, describe, test } from "bun:test";
import { join } from "node:path";
import { AddressPool } from "../../../../agents/network/addresses.ts";
import { vethOf } from "../../../../agents/network/host-network.ts";
import { PacketFilter } from "../../../../agents/network/nft/apply.ts";
import { firewallTableName } from "../../../../agents/network/nft/compile.ts";
import type { DesiredFirewall } from "../../../../schemas/hosting/desired.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { type AgentOptions, cleanUp, recordOf, startAgent } from "../../agent-process.ts";
import { testSubnet } from "../../containers/specs.ts";
import { type ControlPlane, controlPlane } from "../../control-plane.ts";
import { lacks } from "../../requirements.ts";
import { firewall, newId, rule } from "./rules.ts";

const SERVER = "node-9";
const KILLS = 5;
const REVISIONS = 30;

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))(
  "an agent that is killed as it applies rules",
  () => {
    let plane: ControlPlane;
    let options: AgentOptions;
    const id = newId();
    let filter: PacketFilter;

    beforeAll(async () => {
      plane = await controlPlane(SERVER);
      options = {
        natsUrl: plane.nats.agentUrl(SERVER),
        server: SERVER,
        data: join(temporaryFolder(), "agent"),
        driver: "oci",
        subnet: testSubnet(10),
      };
      filter = new PacketFilter(firewallTableName(options.data));
    });
    afterAll(async () => {
      await cleanUp(options);
      await plane.close();
    });

    const container = (state: "running" | "deleted", revision: number) => ({
      revision,
      server_name: SERVER,
      id,
      project_id: "0".repeat(24),
      name: "web",
      state,
      generation: 0,
      command: [],
    });
    /** Whether the kernel holds these rules, exactly. */
    const isInForce = async (desired: DesiredFirewall) => {
      const { edge } = new AddressPool(options.subnet);
      const link = { veth: vethOf(id), address: recordOf(options.data, id)?.address ?? "", edge };
      const [present, expected] = await Promise.all([filter.inspect(id), filter.expect(desired, link)]);
      return present?.fingerprint === expected;
    };
    /** Ports that say which revision a table is of. */
    const rulesOf = (revision: number) => [
      rule({ destination_port: String(revision) }),
      rule({ direction: "egress", action: "drop", destination_port: String(revision) }),
    ];

    test("leaves one whole ruleset in the kernel, never none; the next agent brings it to what is wanted", async () => {
      let agent = startAgent(options);
      await agent.ready();
      await plane.want(container("running", 1));
      await plane.reported(id, "running");
      const wanted = new Map<number, DesiredFirewall>();
      let revision = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const first = revision + 1;
        for (let i = 0; i < REVISIONS; i += 1) {
          revision += 1;
          const desired = firewall(id, rulesOf(revision), { revision });
          wanted.set(revision, desired);
          await plane.want(desired);
          // In the middle of the burst: at another moment of an apply each time.
          if (i === 10 + kill * 3) {
            await until(async () => ((await plane.firewall(id))?.revision ?? 0) >= first);
            await agent.kill();
          }
        }
        // Until the nft that it had started is done, if it was in the middle of one.
        await until(async () => {
          const [, port] = /dport (?:\{ )?(\d+)/.exec(await listing()) ?? [];
          const left = wanted.get(Number(port));
          return left !== undefined && (await isInForce(left));
        });

        agent = startAgent(options);
        await agent.ready();
        const newest = wanted.get(revision) as DesiredFirewall;
        await until(() => isInForce(newest));
        await until(async () => (await plane.firewall(id))?.revision === revision);
      }
      await plane.want(container("deleted", 2));
      await plane.reported(id, "deleted");
      await agent.stop();
    });

    const listing = async () =>
      new Response(
        Bun.spawn(["nft", "-s", "list", "chain", "inet", firewallTableName(options.data), `ingress_${id}`])
          .stdout,
      ).text();
  },
);
