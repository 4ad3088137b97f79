import type { TSchema } from "@sinclair/typebox";
import { connect, type NatsConnection } from "nats";
import pino from "pino";
import { NotRunning } from "../../agents/containers/command.ts";
import { prepareLog } from "../../agents/containers/logs/log-files.ts";
import { readLog } from "../../agents/containers/logs/read-log.ts";
import { Commands } from "../../agents/control-plane/commands.ts";
import { HostUsageReader } from "../../agents/control-plane/host-usage.ts";
import { serveRequests } from "../../agents/control-plane/requests.ts";
import { UsageHistory } from "../../agents/control-plane/usage-history/usage-history.ts";
import { HostCommandRequest } from "../../schemas/hosting/container-command.ts";
import { HostLogsRequest } from "../../schemas/hosting/container-log.ts";
import { HostMetricsRequest } from "../../schemas/hosting/metrics.ts";
import { anything, DroppedMessages, jsonOf, type Reader } from "../../schemas/received.ts";
import { type AgentOperation, agentSubject } from "../../schemas/subjects.ts";
import { temporaryFolder } from "../harness/servers.ts";
import type { Stack } from "../harness/stack.ts";

/** Longer than any request of a gateway. */
const REQUEST_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Answers in the place of every host's agent, since a host that is silent is answered 503, as it should be. The parts of the agent that
 * read requests and answer them are the real ones; there are no containers that they could run in.
 */
export async function answerForHosts(
  stack: Stack,
  names: readonly string[],
): Promise<{ stop(): Promise<void> }> {
  const folder = temporaryFolder();
  prepareLog(folder);
  const history = new UsageHistory(folder, pino({ level: "silent" }));
  const usage = new HostUsageReader(folder, async () => new Map());
  const commands = new Commands(() => Promise.reject(new NotRunning()), {
    hasSessionEnded: () => false,
    mayEnter: () => true,
  });
  const dropped = new DroppedMessages((line) => console.log("fuzz: a host could not read a request", line));
  const connections = await Promise.all(
    names.map(async (name) => {
      const connection = await connectAs(stack.nats.agentUrl(name));
      const serve = <T>(op: AgentOperation, read: Reader<T>, reply: (value: T) => unknown) =>
        serveRequests(connection, dropped, agentSubject(name, op), {
          kind: op,
          log: pino({ level: "silent" }),
          read,
          reply: async (value) => {
            const said = await reply(value);
            return typeof said === "string" ? said : JSON.stringify(said);
          },
        });
      serve("ping", anything, () => ({ server: name }));
      serve("usage", anything, () => usage.read());
      serve("logs", json(HostLogsRequest), (request) => readLog(folder, request));
      serve("metrics", json(HostMetricsRequest), (request) => history.read(request));
      serve("command", json(HostCommandRequest), (request) => commands.reply(request));
      serve("firewall-counts", anything, () => ({}));
      serve("alias", anything, () => "");
      serve("ended-sessions", anything, () => "");
      // The requests must not come before the subscriptions.
      await connection.flush();
      return connection;
    }),
  );
  return {
    async stop() {
      for (const connection of connections) await connection.close();
      history.close();
    },
  };
}

const json = <T extends TSchema>(schema: T) => jsonOf(schema, REQUEST_LENGTH_MAX);

function connectAs(url: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(url);
  return connect({
    servers: host,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  });
}
