import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { startActorHost } from "../../actors/actor-host.ts";
import { clusterGauges } from "../../actors/cluster-gauges.ts";
import { countHosting } from "../../actors/hosting/host/queries.ts";
import { offsetSeconds } from "../../actors/platform/db/health/clock-gauge.ts";
import { readSettings } from "../../actors/platform/settings.ts";
import { countWaiting } from "../../actors/runtime/store/cluster/queries.ts";
import { startGateway } from "../../gateway/gateway.ts";
import { readGatewaySettings } from "../../gateway/settings.ts";
import { successMetric } from "../../scripts/backup/backup.ts";
import { Registry } from "../../system/prometheus.ts";
import { readTracingSettings, startTracing } from "../../system/tracing/tracing.ts";
import { VERSION } from "../../system/version.ts";
import { agentEnvironment, MAIN } from "../agents/agent-process.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { tenant } from "../gateway/routes/hosting/container/hosting.ts";
import { inStock, rent } from "../gateway/routes/market/stock.ts";
import { freePort, temporaryFolder } from "../harness/servers.ts";
import { connectStack, type StackClient } from "../harness/stack-client.ts";
import { startStackServers } from "../harness/stack-servers.ts";
import { until } from "../harness/until.ts";
import { type CollectedSpan, collectLines, startCollector } from "./collector.ts";

/** What operators see: the dashboard and the alert rules against what the processes serve, traces, levels of logs. */

const FOLDER = join(import.meta.dir, "../../deploy/monitoring");
const SERVER = "node-1";
const ends: (() => unknown)[] = [];
const spans: CollectedSpan[] = [];
const agentLines: Record<string, unknown>[] = [];
const config = join(temporaryFolder(), "agent.conf");
let agent: Bun.Subprocess<"ignore", "pipe", "ignore">;
let client: StackClient;
const ports: Record<string, number> = {};
const urlOf = (process: string) => `http://127.0.0.1:${ports[process]}/metrics`;
const scrape = async (process: string) => (await fetch(urlOf(process))).text();

beforeAll(async () => {
  for (const process of ["gateway", "actors", "agent"]) ports[process] = await freePort();
  const on = (process: string) => ({ BERTH_METRICS_PORT: String(ports[process]) });
  const servers = await startStackServers({ servers: [SERVER] });
  ends.push(() => servers.stop());
  const log = pino({ level: "silent" });
  const collector = startCollector(spans);
  ends.push(() => collector.stop(true));
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}` };
  const trace = (name: string) => startTracing(readTracingSettings(tracing), name);
  // An authority that nothing is ordered from, so that its metrics are there.
  const acme = { BERTH_ACME_URL: "https://127.0.0.1/directory", BERTH_ACME_TERMS_AGREED: "yes" };
  // A mail server that nothing is sent to.
  const mail = {
    BERTH_SMTP_URL: "smtp://127.0.0.1:25",
    BERTH_MAIL_FROM: "berth@berth.example",
    BERTH_PUBLIC_URL: "https://berth.example",
  };
  const hostSettings = readSettings({ ...servers.hostEnv("actors-1"), ...on("actors"), ...acme, ...mail });
  const host = await startActorHost(hostSettings, log, await trace("berth-actors"));
  ends.push(() => host.stop());
  const tls = { ...acme, BERTH_TLS_PORT: String(await freePort()) };
  const gatewaySettings = readGatewaySettings({ ...servers.gatewayEnv, ...on("gateway"), ...tls });
  const gateway = await startGateway(gatewaySettings, log, await trace("berth-gateway"));
  ends.push(() => gateway.stop());
  client = await connectStack(servers.address);
  ends.push(() => client.stop());
  const user = await client.user({ balance: "10" });
  expect((await client.call("GET", "/api/v1/wallet/balances", { token: user.token })).status).toBe(200);
  const declined = client.actors.wallet(user.id).transfer({ amount: "1000" });
  await expect(declined).rejects.toThrow();

  const options = {
    natsUrl: client.agentUrl(SERVER),
    server: SERVER,
    data: temporaryFolder(),
    subnet: testSubnet(127),
  };
  const env = {
    ...agentEnvironment({ ...options, driver: "process" }),
    ...on("agent"),
    ...tracing,
    BERTH_CONFIG: config,
  };
  writeFileSync(config, "# nothing yet\n");
  agent = Bun.spawn([process.execPath, MAIN], { env, stdio: ["ignore", "pipe", "ignore"] });
  void collectLines(agent.stdout, agentLines);
  ends.push(async () => {
    agent.kill("SIGTERM");
    await agent.exited;
  });
  await until(async () => (await fetch(urlOf("agent").replace("metrics", "health/ready"))).ok);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

test("every name in the dashboard and in the alert rules is one that a process serves", async () => {
  const pages = [...(await Promise.all(["gateway", "actors", "agent"].map(scrape))), successMetric(0)];
  const served = new Set(
    pages.flatMap((page) =>
      [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    ),
  );
  const dashboard = JSON.parse(readFileSync(join(FOLDER, "dashboard.json"), "utf8"));
  const alerts = Bun.YAML.parse(readFileSync(join(FOLDER, "alerts.yml"), "utf8")) as {
    groups: { rules: { expr: string }[] }[];
  };
  const expressions = [
    ...dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
      panel.targets.map(({ expr }) => expr),
    ),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];
  const used = new Set(expressions.flatMap((one) => one.match(/\b(berth|http)_[a-z_]+/g) ?? []));
  expect(used.size).toBeGreaterThan(25);
  expect([...used].filter((name) => !served.has(name))).toEqual([]);
});

test("a gateway that waits for its first certificate says that it does not serve TLS", async () => {
  expect(await scrape("gateway")).toMatch(/^berth_tls_listening 0$/m);
});

test("requests to actors are counted and timed by operation and by what came of them", async () => {
  const page = await scrape("actors");
  expect(page).toMatch(/^berth_actor_requests_total\{kind="wallet",operation="credit",result="ok"\} 1$/m);
  expect(page).toMatch(
    /^berth_actor_requests_total\{kind="wallet",operation="transfer",result="refused"\} 1$/m,
  );
  expect(page).toMatch(
    /^berth_actor_request_duration_seconds_count\{kind="wallet",operation="transfer"\} 1$/m,
  );
});

test("sagas that ended are counted by the actor that ran them, and by what came of them", async () => {
  const [rich, poor] = [await client.user({ balance: "10" }), await client.user()];
  const servers = [await inStock(client, "of-the-rich"), await inStock(client, "of-the-poor")];
  const wish = { rental_days: 7, max_charge_cents: 700 };
  expect((await rent(client, rich, servers[0] ?? "", wish)).status).toBeLessThan(300);
  expect((await rent(client, poor, servers[1] ?? "", wish)).status).toBeGreaterThanOrEqual(400);
  const page = await scrape("actors");
  expect(page).toMatch(/^berth_sagas_ended_total\{kind="server",result="ok"\} 1$/m);
  expect(page).toMatch(/^berth_sagas_ended_total\{kind="server",result="refused"\} 1$/m);
});

test("gateways and actor hosts say how far their clocks are from the database's", async () => {
  for (const process of ["gateway", "actors"]) {
    const [, seconds] = /^berth_clock_offset_seconds (\S+)$/m.exec(await scrape(process)) ?? [];
    expect(Math.abs(Number(seconds))).toBeLessThan(2);
  }
  expect(offsetSeconds(10_000, 10_200, new Date(10_100))).toBe(0);
  expect(offsetSeconds(10_000, 10_200, new Date(8_000))).toBe(2.1);
  expect(offsetSeconds(10_000, 10_200, new Date(15_100))).toBe(-5);
});

test("every process says its version", async () => {
  for (const process of ["gateway", "actors", "agent"])
    expect(await scrape(process)).toContain(`berth_build_info{version="${VERSION}"} 1`);
});

test("an agent serves its edge's connections, requests, upstream errors, and the end of its certificate", async () => {
  const page = await scrape("agent");
  const readingOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1]);
  expect(readingOf("berth_agent_connected")).toBe(1);
  expect(readingOf("berth_edge_upstream_errors_total")).toBe(0);
  const days = (readingOf("berth_certificate_expiry_timestamp_seconds") - Date.now() / 1_000) / 86_400;
  expect(days).toBeGreaterThan(100);
  expect(days).toBeLessThan(821);
  expect(readingOf("berth_agent_disk_free_bytes")).toBeGreaterThan(0);
  expect(readingOf("berth_agent_disk_size_bytes")).toBeGreaterThan(readingOf("berth_agent_disk_free_bytes"));
});

test("a firewall rule is one trace, from the HTTP request to what the host applies, and its request id is in the host's log", async () => {
  writeFileSync(config, "BERTH_LOG_LEVEL=debug\n");
  agent.kill("SIGHUP");
  await until(() => agentLines.some((line) => line.level_now === "debug"));
  const ours = await tenant(client, SERVER);
  const id = await ours.container("traced");
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const rule = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, "x-request-id": "the-rule" };
  const path = `/api/v1/containers/${id}/firewall/ingress`;
  const { status } = await client.call("POST", path, { token: ours.token, body: rule, headers });
  expect(status).toBe(200);

  const chain = [
    "POST /api/v1/containers/:id/firewall/ingress",
    "firewall.add_rule",
    "outbox desired",
    "apply firewall",
  ];
  const find = (name: string) => spans.find((span) => span.traceId === traceId && span.name === name);
  await until(() => [...chain, "commit"].every((name) => find(name) !== undefined));
  expect(chain.map((name) => find(name)?.parentSpanId)).toEqual([
    "00f067aa0ba902b7",
    ...chain.slice(0, -1).map((name) => find(name)?.spanId),
  ]);
  expect(find("commit")?.parentSpanId).toBe(find("firewall.add_rule")?.spanId as string);
  expect(chain.map((name) => find(name)?.service)).toEqual([
    "berth-gateway",
    "berth-actors",
    "berth-actors",
    "berth-agent",
  ]);
  expect(agentLines).toContainEqual(
    expect.objectContaining({ msg: "apply firewall", request_id: "the-rule", container: id }),
  );
});

test("a level that is wrong leaves the former one, and one that is removed is as at the start", async () => {
  const after = (seen: number, wanted: (line: Record<string, unknown>) => boolean) =>
    until(() => agentLines.slice(seen).some(wanted));
  let seen = agentLines.length;
  for (const wrong of ["BERTH_LOG_LEVELS=debug\n", "BERTH_LOG_LEVEL=verbose\n"]) {
    seen = agentLines.length;
    writeFileSync(config, wrong);
    agent.kill("SIGHUP");
    await after(seen, ({ msg }) => msg === "the log level could not be read again, and stays");
    expect(agentLines.slice(seen).some(({ level_now }) => level_now !== undefined)).toBe(false);
  }
  seen = agentLines.length;
  writeFileSync(config, "");
  agent.kill("SIGHUP");
  await after(seen, ({ level_now }) => level_now === "info");
});

test("what waits in the cluster is counted: containers, hosts, tasks, partitions, firewalls", async () => {
  const registry = new Registry();
  await clusterGauges(client.db, registry).reconcile(new AbortController().signal);
  const page = await registry.metrics();
  expect(page).toMatch(/^berth_containers\{state="[a-z]+"\} [1-9]/m);
  expect(page).toMatch(/^berth_hosts\{status="silent"\} 0$/m);
  expect(page).toMatch(/^berth_partitions_without_owner 0$/m);
  await client.db`UPDATE firewalls SET revision = revision + 1`;
  await client.db`INSERT INTO tasks (kind, actor_id, name, partition, token, due_at, op, input, aborting)
    VALUES ('alias', 'a', 'late', 0, 't', now() - interval '1 hour', 'expire', '{}', false)`;
  const { firewallsPending } = await countHosting(client.db);
  const { tasks } = await countWaiting(client.db);
  expect(firewallsPending).toBeGreaterThan(0);
  expect(tasks).toContainEqual({ kind: "alias", form: "timer", count: 1, overdue: 1 });
  await client.db`DELETE FROM tasks WHERE name = 'late'`;
  await client.db`UPDATE firewalls SET revision = revision - 1`;
});
