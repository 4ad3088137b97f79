import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createUser, decode } from "@nats-io/jwt";
import { connect, credsAuthenticator, type NatsConnection } from "nats";
import { pino } from "pino";
import { livenessReconciler } from "../../../actors/hosting/host/liveness.ts";
import { natsBus } from "../../../actors/runtime/transport/nats-bus.ts";
import { readHostFacts } from "../../../agents/control-plane/host-facts.ts";
import { agentJoin } from "../../../agents/join/command.ts";
import { type Joined, join as joinHost } from "../../../agents/join/join.ts";
import { createOnHost } from "../../../gateway/hosts/draining.ts";
import { SHARE_BYTES } from "../../../schemas/hosting/storage-share.ts";
import { agentSubject, hostCredentialSubject } from "../../../schemas/subjects.ts";
import { VERSION } from "../../../system/version.ts";
import { startAgent } from "../../agents/agent-process.ts";
import { testSubnet } from "../../agents/containers/specs.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../harness/embedded-stack.ts";
import { freePort, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { tenant } from "../routes/hosting/container/hosting.ts";

/** Machines join by a one-time token, at a NATS whose accounts the gateways make. */

let stack: EmbeddedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ joining: true });
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const call = (method: string, path: string, body?: object) => as(stack, operator)(method, path, body);
const add = async (name: string) => (await call("POST", "/admin/hosts", { name })).body.data;
const read = async (id: string) => (await call("GET", `/admin/hosts/${id}`)).body.data;
const joinAs = (token: string, folder = join(temporaryFolder(), "agent")) =>
  joinHost({ url: stack.url, token, folder, driver: "process" });
const connectAs = async ({ settings }: Joined, options = {}): Promise<NatsConnection> => {
  const url = new URL(settings.NATS_URL ?? "");
  const authenticator = credsAuthenticator(await readFile(url.searchParams.get("creds") ?? ""));
  return connect({ servers: url.host, authenticator, timeout: 60_000, ...options });
};
const refusedToken = expect.objectContaining({
  message: expect.stringContaining("The token was used or replaced, or has expired"),
});

test("a machine joins by one command: its key stays there, and it is listed with its capacity", async () => {
  const body = { name: "joins", idempotency_key: "joins" };
  const added = (await call("POST", "/admin/hosts", body)).body.data;
  expect(added).toMatchObject({ name: "joins", status: "pending", facts: null, enrolled_at: null });
  expect(added.command).toEndWith(`agent join ${stack.url} ${added.token}`);
  // Only the first reply shows the token.
  const again = (await call("POST", "/admin/hosts", body)).body.data;
  expect([again.id, again.token, again.command]).toEqual([added.id, null, null]);
  const [stored] =
    await stack.db`SELECT row_to_json(h)::text AS row FROM host_machines h WHERE id = ${added.id}`;
  expect(stored?.row).not.toContain(added.token.slice(25));

  const joined = await joinAs(added.token);
  expect(joined.settings).toMatchObject({ BERTH_SERVER_NAME: "joins" });
  for (const file of [joined.file, new URL(joined.settings.NATS_URL ?? "").searchParams.get("creds") ?? ""])
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { cores, memory_bytes } = await readHostFacts("/", "process");
  const record = await read(added.id);
  expect(record).toMatchObject({ facts: { cores, memory_bytes, driver: "process" } });
  expect(record.enrolled_at).not.toBeNull();
  expect((await call("GET", "/admin/hosts")).body.data.hosts).toContainEqual(record);
  await expect(joinAs(added.token)).rejects.toEqual(refusedToken);
});

test("its agent connects with the credential, is online, and renews the credential for its own key", async () => {
  const { id, token } = await add("runs");
  const joined = await joinAs(token);
  // Before its agent runs: the actor host looks after it as well, and may be first to see it.
  expect((await read(id)).status).toBe("pending");
  const agent = startAgent({
    natsUrl: joined.settings.NATS_URL ?? "",
    server: "runs",
    data: joined.settings.BERTH_DATA ?? "",
    driver: "process",
    subnet: testSubnet(127),
  });
  await agent.ready();
  const bus = await natsBus(stack.natsUrl, "test");
  const liveness = livenessReconciler({
    db: stack.db,
    actors: stack.actors,
    log: pino({ level: "silent" }),
    owns: (_kind, hostId) => hostId === id,
    ping: async (name) =>
      (await bus.connection.request(agentSubject(name, "ping"), "", { timeout: 500 })).string(),
    isConnected: () => true,
  });
  const check = () => liveness.reconcile(new AbortController().signal);
  await check();
  // It hangs, and its connection lasts.
  process.kill(agent.pid, "SIGSTOP");
  await check();
  await check();
  expect((await read(id)).status).toBe("silent");
  process.kill(agent.pid, "SIGCONT");
  await until(async () => {
    await check();
    return (await read(id)).status === "online";
  });
  await bus.close();
  expect(await read(id)).toMatchObject({
    status: "online",
    facts: {
      driver: "process",
      agent_version: VERSION,
    },
  });
  const connection = await connectAs(joined);
  const reply = await connection.request(hostCredentialSubject("runs"), "", { timeout: 60_000 });
  const credential = decode(reply.string());
  const { public_key, account } =
    (await stack.db`SELECT public_key, account FROM host_machines WHERE id = ${id}`)[0] ?? {};
  expect([credential.sub, credential.name]).toEqual([public_key, "agent-runs"]);
  expect(credential.nats).toMatchObject({ issuer_account: account });
  await connection.close();
  expect(await agent.stop()).toBe(0);
});

test("the reply to a machine has a credential for the key that it made, and for the time of a credential", async () => {
  const { token } = await add("by-hand");
  const public_key = createUser().getPublicKey();
  const facts = await readHostFacts("/", "process");
  const enrol = () => stack.call("POST", "/api/v1/hosts/enrol", { body: { token, public_key, facts } });
  const { status, body } = await enrol();
  expect([status, body.data.server_name]).toEqual([201, "by-hand"]);
  const { sub, exp = 0 } = decode(body.data.jwt);
  expect(sub).toBe(public_key);
  expect(exp).toBeGreaterThan(Date.now() / 1_000);
  expect((await enrol()).body.code).toBe("ENROLMENT_INVALID");
});

test("a token that was replaced, was invented or belongs to a removed host is refused", async () => {
  const { id, token } = await add("late");
  const { token: newer } = (await call("POST", `/admin/hosts/${id}/token`)).body.data;
  await expect(joinAs(token)).rejects.toEqual(refusedToken);
  await expect(joinAs(`${id}.${"A".repeat(43)}`)).rejects.toEqual(refusedToken);
  expect((await call("DELETE", `/admin/hosts/${id}`)).status).toBe(200);
  await expect(joinAs(newer)).rejects.toEqual(refusedToken);
  expect((await call("GET", `/admin/hosts/${id}`)).body.code).toBe("HOST_NOT_FOUND");
  expect((await add("late")).id).not.toBe(id);
});

test("a removed host's connections end at once, and its credential is refused from then on", async () => {
  const { id, token } = await add("removed");
  const joined = await joinAs(token);
  const connection = await connectAs(joined, { reconnect: false });
  expect((await call("DELETE", `/admin/hosts/${id}`)).status).toBe(200);
  await connection.closed();
  await expect(connectAs(joined)).rejects.toThrow(/authorization/i);
  expect(await stack.db`SELECT FROM host_machines WHERE ended_accounts <> '[]'`).toHaveLength(0);
});

test("a machine that joins again ends the credential that it had, and others keep theirs", async () => {
  const [first, other] = [await add("again"), await add("beside")];
  const [before, beside] = [await joinAs(first.token), await joinAs(other.token)];
  const connection = await connectAs(before, { reconnect: false });
  const neighbour = await connectAs(beside);
  const { token } = (await call("POST", `/admin/hosts/${first.id}/token`)).body.data;
  const after = await connectAs(await joinAs(token));
  await connection.closed();
  await expect(connectAs(before)).rejects.toThrow(/authorization/i);
  for (const [name, agent] of [
    ["again", after],
    ["beside", neighbour],
  ] as const) {
    agent.subscribe(agentSubject(name, "ping"), {
      callback: (_error, message) => void message.respond("{}"),
    });
    await agent.flush();
    expect((await agent.request(hostCredentialSubject(name), "", { timeout: 60_000 })).string()).not.toBe("");
    await agent.close();
  }
});

test("the agent of a machine that joins again takes the new credential by itself, and says once why NATS refused the former one", async () => {
  const { id, token } = await add("rejoins");
  const folder = join(temporaryFolder(), "agent");
  const joined = await joinAs(token, folder);
  const metricsPort = await freePort();
  const agent = startAgent({
    natsUrl: joined.settings.NATS_URL ?? "",
    server: "rejoins",
    data: folder,
    driver: "process",
    subnet: testSubnet(127),
    env: { BERTH_METRICS_PORT: String(metricsPort) },
  });
  await agent.ready();
  const lines = (text: string) => agent.lines.filter(({ msg }) => String(msg).includes(text));
  const readiness = async () => (await fetch(`http://127.0.0.1:${metricsPort}/health/ready`)).text();
  const rejoin = async () => (await call("POST", `/admin/hosts/${id}/token`)).body.data.token;
  // Another folder has the new credential: this one's is refused.
  await joinAs(await rejoin());
  await until(async () =>
    (await readiness()).includes("NATS refuses the credential of this host: join it again"),
  );
  await joinHost({
    url: stack.url,
    token: await rejoin(),
    folder,
    driver: "process",
    expectedName: "rejoins",
  });
  await until(() => lines("connected again").length > 0);
  await until(async () => (await readiness()) === "ready\n");
  expect([lines("disconnected").length, lines("NATS refuses the credential").length]).toEqual([1, 1]);
  expect(await agent.stop()).toBe(0);
});

test("a folder of another host, or of npm start, is refused by name, and the token stays good", async () => {
  const [mine, other] = [await add("folder-1"), await add("folder-2")];
  const folder = join(temporaryFolder(), "agent");
  const lines: string[] = [];
  const command = (token: string, data = folder) =>
    agentJoin({ ...process.env, BERTH_DATA: data, BERTH_DRIVER: "process" }, (line) => lines.push(line), [
      stack.url,
      token,
    ]);
  expect(await command(mine.token)).toBe(true);
  const before = await readFile(join(folder, "agent.creds"), "utf8");
  await expect(command(other.token)).rejects.toThrow(
    `${folder} belongs to the host folder-1, and the token is for folder-2. Nothing was changed, and the token is still good. Set BERTH_DATA`,
  );
  expect(await readFile(join(folder, "agent.creds"), "utf8")).toBe(before);
  const start = temporaryFolder();
  await writeFile(join(start, "secrets.json"), "{}");
  for (const data of [start, join(start, "agent")]) {
    lines.length = 0;
    expect(await command(other.token, data)).toBe(false);
    expect(lines.join("\n")).toContain(`${data} belongs to the Berth that \`npm start\` runs from ${start}`);
  }
  // The same host again.
  const { token } = (await call("POST", `/admin/hosts/${mine.id}/token`)).body.data;
  lines.length = 0;
  expect(await command(token)).toBe(true);
  expect(lines.join("\n")).toContain("has joined as folder-1 again");
  expect(await readFile(join(folder, "agent.creds"), "utf8")).not.toBe(before);
  // It was not used by the refusals.
  await joinAs(other.token);
});

test("a draining host takes no new container, its server is not listed, and it is removed by force alone", async () => {
  const { id } = await add("drained");
  const ours = await tenant(stack, "drained");
  await ours.container("before");
  const createShare = () =>
    stack.call("POST", "/api/v1/storage-shares", {
      token: ours.token,
      body: {
        project_id: ours.projectId,
        server_id: ours.serverId,
        name: "data",
        size_bytes: SHARE_BYTES.minimum,
      },
    });
  const drain = (draining: boolean) => call("PATCH", `/admin/hosts/${id}`, { draining });
  expect((await drain(true)).body.data).toMatchObject({ draining: true, containers: 1 });
  const refused = await ours.create("after");
  expect([refused.status, refused.body.code]).toEqual([409, "HOST_DRAINING"]);
  const share = await createShare();
  expect([share.status, share.body.code]).toEqual([409, "HOST_DRAINING"]);
  expect((await call("DELETE", `/admin/hosts/${id}`)).body).toMatchObject({
    code: "HOST_IN_USE",
    message: expect.stringMatching(
      /^The host still has a container and a rented server: drained until .* Drain it .* force=true/,
    ),
    data: { containers: 1 },
  });
  await drain(false);
  expect((await createShare()).status).toBe(201);
  expect((await ours.create("after")).status).toBe(201);
  expect((await call("DELETE", `/admin/hosts/${id}`)).body).toMatchObject({
    message: expect.stringMatching(/^The host still has 2 containers, a storage share and a rented server: /),
    data: { containers: 2, storage_shares: 1 },
  });
  expect((await call("DELETE", `/admin/hosts/${id}?force=true`)).status).toBe(200);
});

test("what is created while a drain begins is deleted again", async () => {
  const { id } = await add("races");
  const done: string[] = [];
  const creating = createOnHost(stack.db, "races", {
    create: () => call("PATCH", `/admin/hosts/${id}`, { draining: true }).then(() => done.push("create")),
    undo: async () => done.push("undo"),
  });
  await expect(creating).rejects.toMatchObject({ code: "HOST_DRAINING" });
  expect(done).toEqual(["create", "undo"]);
});

test("a server of a draining host is neither rented nor delivered", async () => {
  const { id } = await add("stock-1");
  const added = await call("POST", "/admin/servers", {
    name: "stock-1",
    specs: {},
    prices: { "30": 0 },
    delivered_by_hand: true,
  });
  const listed = async () =>
    (await call("GET", "/servers/available")).body.data.some(
      ({ name }: { name: string }) => name === "stock-1",
    );
  expect(await listed()).toBe(true);
  await call("PATCH", `/admin/hosts/${id}`, { draining: true });
  expect(await listed()).toBe(false);
  const rent = await call("POST", `/servers/${added.body.data.id}/rent`, { rental_days: 30 });
  expect([rent.status, rent.body.code]).toEqual([409, "HOST_DRAINING"]);
  const offer = await call("POST", "/admin/offers", {
    name: "to-order",
    specs: {},
    pricing_rules: { "7": 0 },
    lead_time_hours: 1,
  });
  const reserved = await call("POST", `/offers/${offer.body.data.id}/reserve`, {
    days: 7,
    max_charge_cents: 0,
    idempotency_key: "to-order",
  });
  await stack.actors.server(added.body.data.id).join({});
  const deliver = () =>
    call("POST", `/admin/reservations/${reserved.body.data.id}/deliver`, { server_id: added.body.data.id });
  const delivered = await deliver();
  expect([delivered.status, delivered.body.code]).toEqual([409, "HOST_DRAINING"]);
  await call("PATCH", `/admin/hosts/${id}`, { draining: false });
  expect((await deliver()).status).toBe(200);
});

test("the server of a removed host is not for sale, and takes no containers, until a host joins again", async () => {
  const { id } = await add("gone");
  const { body } = await call("POST", "/admin/servers", { name: "gone", specs: {}, prices: { "30": 0 } });
  const serverId = body.data.id;
  await stack.actors.server(serverId).join({});
  const listed = async () =>
    (await call("GET", "/servers/available")).body.data.some(({ name }: { name: string }) => name === "gone");
  expect(await listed()).toBe(true);
  const ours = await tenant(stack, "gone-rented");
  const rented = await add("gone-rented");
  await call("PATCH", `/admin/hosts/${id}`, { draining: true });
  expect((await call("DELETE", `/admin/hosts/${id}`)).status).toBe(200);
  await stack.actors.server(ours.serverId).leave({ removed_at: new Date().toISOString() });
  expect(await listed()).toBe(false);
  const rent = () => call("POST", `/servers/${serverId}/rent`, { rental_days: 30 });
  expect([(await rent()).body.code, (await ours.create("after")).body.code]).toEqual([
    "HOST_NOT_JOINED",
    "HOST_NOT_JOINED",
  ]);
  expect((await call("DELETE", `/admin/hosts/${rented.id}?force=true`)).status).toBe(200);
  expect((await ours.create("after")).body.code).toBe("SERVER_NOT_FOUND");
  // A removal that is recorded late does not undo a later join.
  await stack.actors.server(serverId).join({});
  await stack.actors.server(serverId).leave({ removed_at: new Date(0).toISOString() });
  expect((await rent()).status).toBe(201);
});

test("what is wrong with a request is named, and only administrators see hosts", async () => {
  expect((await call("POST", "/admin/hosts", { name: "a.b" })).body.data.field).toBe("body.name");
  await add("twice");
  expect((await call("POST", "/admin/hosts", { name: "twice" })).body.code).toBe("NAME_TAKEN");
  const user = await stack.user();
  for (const [method, path] of [
    ["GET", "/admin/hosts"],
    ["POST", "/admin/hosts"],
    ["DELETE", `/admin/hosts/${"0".repeat(24)}`],
  ] as const)
    expect((await as(stack, user)(method, path)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
});
