import { type Agent, type AgentOptions, cleanUp, startAgent } from "../../agents/agent-process.ts";
import { testSubnet } from "../../agents/containers/specs.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { freePort, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { tenant } from "../routes/hosting/container/hosting.ts";

const SERVER = "node-1";

/** A control plane whose console shows a container of a real host, behind that host's edge. */
export async function startRealHost(driver: AgentOptions["driver"]) {
  const edgePort = await freePort();
  const stack: EmbeddedStack = await startEmbeddedStack({
    servers: [SERVER],
    env: { BERTH_EDGE_PORT: String(edgePort) },
  });
  const ours = await tenant(stack, SERVER);
  const options: AgentOptions = {
    ...{ natsUrl: stack.nats.agentUrl(SERVER), server: SERVER, data: temporaryFolder() },
    ...{ driver, subnet: driver === "oci" ? testSubnet(10) : "", atEnd: "stop", edgePort },
  };
  const containerId = await ours.container("web");
  const agent: Agent = startAgent(options);
  await agent.ready();
  await until(async () => (await ours.call("GET", `/${containerId}`)).body.data.state === "running");
  return {
    stack,
    ours,
    containerId,
    edgePort,
    async stop() {
      await agent.stop();
      await cleanUp(options);
      await stack.stop();
    },
  };
}
