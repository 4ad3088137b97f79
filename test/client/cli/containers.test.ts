import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Host, startHost, tenant } from "../../gateway/routes/hosting/container/hosting.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { commandLine } from "./run.ts";

let stack: SharedStack;
let host: Host;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let cli: ReturnType<typeof commandLine>;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await tenant(stack, server);
  host = await startHost(stack, server);
  cli = commandLine(stack, ours.user);
});
afterAll(async () => {
  await host?.close();
  await stack?.stop();
});

const idOf = async (name: string): Promise<string> => {
  const rows = (await cli.ok("--json containers list")).json;
  return rows.find((row: { name: string }) => row.name === name)?.id;
};

/** A host reports what it was asked for: not before. */
const announced = (type: string, id: string) =>
  until(async () => (await cli.ok(`--json events --type ${type} --resource ${id}`)).json.length > 0);

test("--wait returns when the host reports it, and a host's error is a refusal", async () => {
  const created = cli.ok(`containers create shop --server ${server} --project web --wait`);
  const id = await until(() => idOf("shop"));
  await host.reportContainer(id, { revision: 1, state: "running" });
  expect((await created).out).toBe(`shop is running: ${id}.\n`);
  const stopped = cli.ok("containers stop shop --wait");
  await announced("container.stopping", id);
  await host.reportContainer(id, { revision: 2, state: "stopped" });
  expect((await stopped).out).toBe("Stopped shop.\n");
  const started = cli.run("containers start shop --wait");
  await announced("container.starting", id);
  await host.reportContainer(id, { revision: 3, state: "error", error: "no such image" });
  const failed = await started;
  expect([failed.status, failed.err]).toEqual([1, "berth: shop: no such image\n"]);
});

test("a restart that fails is a refusal with the host's reason", async () => {
  const created = cli.ok(`containers create again --server ${server} --project web --wait`);
  const id = await until(() => idOf("again"));
  await host.reportContainer(id, { revision: 1, state: "running" });
  await created;
  const restarted = cli.run("containers restart again --wait");
  await announced("container.restarting", id);
  await host.reportContainer(id, { revision: 2, state: "error", error: "no secrets" });
  const failed = await restarted;
  expect([failed.status, failed.err]).toEqual([1, "berth: again: no secrets\n"]);
  // Again, from its error: the former failure is none of this restart.
  const before = (await cli.ok(`--json events --type container.restarting --resource ${id}`)).json.length;
  const second = cli.ok("containers restart again --wait");
  await until(
    async () =>
      (await cli.ok(`--json events --type container.restarting --resource ${id}`)).json.length > before,
  );
  await host.reportContainer(id, { revision: 3, state: "running" });
  expect((await second).out).toBe("Restarted again.\n");
});

test("a wait that lasts too long says so", async () => {
  const ran = await cli.run(`containers create late --server ${server} --project web --wait --timeout 1`);
  expect([ran.status, ran.err]).toEqual([1, "berth: the start of late did not happen within 1 s\n"]);
});

test("a name that several have is refused with a list of them; an id is not", async () => {
  await cli.ok("projects create other");
  const [one, two] = await Promise.all(
    ["web", "other"].map((project) =>
      cli.ok(`--quiet containers create twin --server ${server} --project ${project}`),
    ),
  );
  const ran = await cli.run("containers show twin");
  expect(ran.status).toBe(2);
  for (const made of [one, two]) expect(ran.err).toContain(made?.out.trim() ?? "?");
  expect((await cli.ok(`containers show ${one?.out.trim()}`)).out).toMatch(/^id +[0-9a-f]{24}\n/);
});

test("a container is made with settings, and changed; a secret is taken from the environment and not shown", async () => {
  const env = { DB_PASSWORD: "hunter2" };
  const line = `containers create set --server ${server} --project web -e MODE=production --secret DB_PASSWORD -p web:80 api:8443/https -l app=shop --memory 256M --restart on-failure:5`;
  expect((await cli.run(line)).err).toContain("set DB_PASSWORD in your environment");
  const made = await cli.ok(`${line} --json`, { env });
  expect(made.json).toMatchObject({
    env: [
      { name: "MODE", value: "production" },
      { name: "DB_PASSWORD", secret: true },
    ],
    labels: { app: "shop" },
    resources: { memory_bytes: 268_435_456 },
    restart_policy: { name: "on-failure", max_retries: 5 },
  });
  expect(made.out).not.toContain("hunter2");
  const checks = "--health-command curl --health-interval 10s --health-start-period 1m30s --health-retries 2";
  const checked = (
    await cli.ok(`--json containers update set ${checks} --health-restart --stop-signal quit --stop-grace 1m`)
  ).json;
  expect(checked).toMatchObject({
    health_check: {
      ...{ command: ["sh", "-c", "curl"], interval_seconds: 10, start_period_seconds: 90, retries: 2 },
      ...{ restart: true, enabled: true },
    },
    stop_signal: "SIGQUIT",
    stop_grace_seconds: 60,
  });
  expect((await cli.ok("--json containers update set --no-health")).json.health_check.enabled).toBe(false);
  const changed = (await cli.ok("--json containers update set --name other-name --label tier=1")).json;
  expect(changed).toMatchObject({ name: "other-name", labels: { tier: "1" } });
  expect((await cli.run("containers update other-name")).status).toBe(2);
  const refused = [
    ["-e 1=x", "--env: "],
    ["--memory 1", "--memory: "],
    ["-p UP:80", "--port: "],
    ["--name UP", "--name: "],
  ];
  for (const [given, said] of refused)
    expect((await cli.run(`containers update other-name ${given}`)).err).toStartWith(`berth: ${said}`);
  for (const wrong of ["--stop-grace soon", "-p 80", "--memory much", "--restart often", "-e =x"])
    expect((await cli.run(`containers update other-name ${wrong}`)).status).toBe(2);
});

test("a newer image is taken, and waited for; one that cannot be had is a refusal", async () => {
  const image = "registry.example/team/app:1";
  const made = (
    await cli.ok(`--json containers create newer --server ${server} --project web --image ${image}`)
  ).json;
  const reports = (revision: number, digit: string, error: string | null = null) =>
    host.reportContainer(made.id, {
      revision,
      error,
      image: {
        ...{ reference: image, digest: `sha256:${digit.repeat(64)}`, state: "ready", pulled_bytes: 1 },
        ...{ total_bytes: 1, exposed_ports: [], labels: {} },
      },
    });
  await reports(1, "a");
  await until(async () => (await cli.ok("--json containers show newer")).json.state === "running");
  const isAsked = (generation: number) =>
    until(async () => {
      const [row] = await stack.db`SELECT image_generation FROM containers WHERE id = ${made.id}`;
      return row?.image_generation === generation;
    });
  const waiting = cli.ok("containers update newer --pull --wait");
  await isAsked(1);
  await reports(2, "b");
  expect((await waiting).out).toBe(`newer has a newer image: sha256:${"b".repeat(64)}.\n`);
  const failing = cli.run("containers update newer --pull --wait");
  await isAsked(2);
  await reports(3, "b", "it keeps the image that it has: gone");
  expect((await failing).err).toBe("berth: newer: it keeps the image that it has: gone\n");
  expect((await cli.ok("containers update newer --pull")).out).toContain("its newest image is looked for");
});

test("a firewall becomes what a file says, in one step, and what stays keeps its id", async () => {
  await cli.ok(`containers create guarded --server ${server} --project web`);
  await host.answerFirewalls(() => ({ enforced: true }));
  const first = await cli.ok("firewall add guarded --port 22 --description ssh --wait-applied");
  expect(first.err).toContain("closed to everything that no rule allows");
  expect((await cli.ok("firewall add guarded --port 23")).err).toBe("");
  await cli.ok("firewall reset guarded --yes");
  await cli.ok("firewall add guarded --port 22 --description ssh --wait-applied");
  const [ssh] = (await cli.ok("--json firewall list guarded")).json;
  const file = join(cli.folder, "rules.yaml");
  writeFileSync(
    file,
    "ingress:\n  - { action: allow, protocol: tcp, destination_port: 22, description: ssh }\n  - { action: allow, protocol: tcp, destination_port: 443 }\negress:\n  - { action: drop, protocol: udp, destination_port: 53, destination: 10.0.0.0/8 }\n",
  );
  expect((await cli.run(`firewall apply guarded -f ${file}`)).status).toBe(2);
  const applied = await cli.ok(`firewall apply guarded -f ${file} --yes --wait-applied`);
  expect(applied.err).toBe("+ ingress allow tcp to port 443\n+ egress drop udp to port 53 to 10.0.0.0/8\n");
  expect(applied.out).toBe("3 rules. The rules are in force.\n");
  const rules = (await cli.ok("--json firewall list guarded")).json;
  expect(rules).toHaveLength(3);
  expect(rules.map(({ id }: { id: string }) => id)).toContain(ssh.id);
  const exported = (await cli.ok("firewall export guarded")).out;
  const again = await cli.ok("firewall apply guarded -f -", { input: exported });
  expect(again.out).toBe("Nothing to change.\n");
  await cli.ok(`firewall remove guarded ${ssh.id}`);
  await cli.ok("firewall reset guarded --yes");
  expect((await cli.ok("--json firewall list guarded")).json).toEqual([]);
  const wrong = await cli.run("firewall apply guarded -f -", { input: "ingress: [{ port: 1 }]" });
  expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('ingress[0] has no field "port"')]);
});

test("an alias is made, found by its name, closed and deleted", async () => {
  await cli.ok(`containers create named --server ${server} --project web`);
  const label = `n${crypto.randomUUID().slice(0, 8)}`;
  const made = await cli.ok(`alias add named --name ${label} --port 8080 --expires 12h`);
  expect(made.out).toContain(`//${label}.`);
  const row = (await cli.ok("alias list")).out.split("\n").find((line) => line.includes(label));
  expect(row?.split(/\s+/).slice(1, 5)).toEqual([label, "named", "http", "8080"]);
  await cli.ok(`alias disable ${label}`);
  expect((await cli.ok(`--json alias show ${label}`)).json).toMatchObject({
    enabled: false,
    program: "http",
  });
  await cli.ok(`alias update ${label} --port 9090 --expires never`);
  await cli.ok(`alias enable ${label}`);
  await cli.ok(`alias delete ${label} --yes`);
  expect((await cli.run(`alias show ${label}`)).status).toBe(1);
});

test("completion offers commands, options, and names and ids of the signed-in user's things", async () => {
  await cli.ok(`containers create complete --server ${server} --project web`);
  expect((await cli.ok("__complete containers st")).out).toBe("start\nstop\n");
  expect((await cli.ok("__complete containers start --w")).out).toBe("--wait\n");
  expect((await cli.ok("__complete containers start comp")).out).toBe("complete\n");
  expect(
    (await cli.ok(`__complete --json alias add ${(await idOf("complete")).slice(0, 23)}`)).out,
  ).toContain(await idOf("complete"));
  expect((await cli.ok("__complete completion f")).out).toBe("fish\n");
  expect((await commandLine({ url: "http://127.0.0.1:1" }).ok("__complete containers start comp")).out).toBe(
    "",
  );
});

test("containers and projects are deleted", async () => {
  const id = (await cli.ok(`--quiet containers create gone --server ${server} --project web`)).out.trim();
  const deleted = cli.ok("containers delete gone --yes --wait");
  await until(async () => (await cli.run(`containers show ${id}`)).status === 1);
  await host.reportContainer(id, { revision: 2, state: "deleted" });
  expect((await deleted).out).toBe("Deleted gone.\n");
  await cli.ok("projects create brief");
  await cli.ok("projects delete brief --yes");
  expect((await cli.ok("projects list")).out).not.toContain("brief");
});
