import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../agents/exec/command.ts";
import { DEMO_IMAGE } from "../../scripts/demo-image.ts";
import { isAlive } from "../../scripts/processes.ts";
import { cleanUp, recordOf } from "../agents/agent-process.ts";
import { lacks } from "../agents/requirements.ts";
import { walkAsCustomer } from "../gateway/console/customer-way.ts";
import { byKeyboard, byMouse } from "../gateway/console/hands.ts";
import { walkAsOperator } from "../gateway/console/operator-way.ts";
import { signIn as signInTo, visit, withoutRefusals } from "../gateway/console/visitor.ts";
import { lacksChromium } from "../harness/browser.ts";
import { claimNumber } from "../harness/claims.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { listeningOn } from "../harness/listening.ts";
import { freePort, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { type BerthProcess, processTree, startBerth } from "./berth-process.ts";

/**
 * What a newcomer does: `npm start`, the console by hand, the example, Ctrl-C, and all of it once more on the same data.
 * Each way through the console is gone twice, by mouse alone and by keyboard alone.
 */

const TIME_LIMIT_MS = 300_000;
const SCRIPT = join(import.meta.dir, "../../examples/first-five-minutes.sh");
const PASSWORD = "correct horse battery";
/** Where containers are isolated, and so packets are filtered. */
const isolates = !lacks("root", "nft", "ip", "unshare", "setpriv");
const inConsole = isolates && !lacksChromium();
const subnet = `10.81.${claimNumber("network")}.0/24`;

let data: string;
let url: string;
let env: Record<string, string>;
let berth: BerthProcess;
beforeAll(async () => {
  data = join(temporaryFolder(), "data");
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    BERTH_DATA: data,
    BERTH_PORT: String(port),
    BERTH_EDGE_PORT: String(await freePort()),
    BERTH_EDGE_HTTP_PORT: String(await freePort()),
    BERTH_METRICS_PORT: String(await freePort()),
    BERTH_DEMO_PASSWORD: PASSWORD,
    BERTH_CONTAINER_SUBNET: subnet,
  };
});
afterAll(async () => {
  await berth?.stop();
  // Containers live on when their agent is killed: these are of no use to anyone.
  const options = { natsUrl: "", server: "node-1", data: join(data, "agent"), subnet };
  await cleanUp({ ...options, driver: isolates ? "oci" : "process" });
}, TIME_LIMIT_MS);

const start = async () => {
  berth = startBerth(env);
  await berth.ready();
};

async function runExample(): Promise<{ code: number; output: string }> {
  const child = Bun.spawn(["bash", SCRIPT], {
    env: { ...CLEAN_ENVIRONMENT, BERTH_URL: url, BERTH_DEMO_PASSWORD: PASSWORD },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: output + errors };
}

const api = async (path: string, token = "", body?: object) => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every form
  return ((await response.json()) as any).data;
};
const signIn = async (): Promise<string> =>
  (await api("/auth/login", "", { username: "demo", password: PASSWORD })).access_token;

const demoContainer = async (token: string) => {
  const { containers } = await api("/containers", token);
  expect(containers).toHaveLength(1);
  return containers[0];
};

/** Inits of the containers that run, by the agent's own records. */
function containerInits(): number[] {
  const agent = join(data, "agent");
  return readdirSync(join(agent, "containers")).flatMap((id) => recordOf(agent, id)?.init?.pid ?? []);
}

/** Everything that Berth runs on this machine, apart from the containers, which live on when it ends. */
const ownProcesses = async () =>
  (await processTree(berth.pid, containerInits())).filter(
    // What holds a container's namespaces open is part of the container.
    ({ command }) => !command.includes(join(data, "agent", "containers")),
  );

/** Stops it, and looks whether everything is gone. */
async function stopCleanly(): Promise<void> {
  const processes = await ownProcesses();
  const names = ["actors/main", "gateway/main", "agents/main", "postgres", "nats-server"];
  for (const name of names) expect(processes.some(({ command }) => command.includes(name))).toBe(true);
  const inits = containerInits();
  expect(inits).toHaveLength(inConsole ? 3 : 1);
  expect(await berth.stop()).toBe(0);
  expect(berth.output()).toEndWith("berth: stopped\n");
  // The watchdog notices the end by a pipe that closes.
  await until(() => !processes.some(({ pid }) => isAlive(pid))).catch(() => undefined);
  expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  await expect(fetch(url)).rejects.toThrow();
  expect(inits.filter(isAlive)).toEqual([]);
  if (!isolates) return;
  const tables = await run(["nft", "list", "tables"]);
  for (const name of [subnet.replaceAll(/[./]/g, "_"), ...readdirSync(join(data, "agent", "containers"))]) {
    expect(tables).not.toContain(name);
  }
}

const BY_MOUSE = { name: "ada", server: "small-1" };
const BY_KEYBOARD = { name: "grace", server: "small-2" };
let container: { id: string; address: string };

test(
  "an empty machine is ready with one command, which says where and for whom",
  async () => {
    await start();
    expect(berth.output()).toContain(`ready  ${url}  (API page: ${url}/openapi)`);
    expect(berth.output()).toMatch(/berth: user admin, password \S{10,}\n/);
    expect(berth.output()).toContain("berth: user demo, password as set\n");
    expect(berth.output()).not.toContain(PASSWORD);
  },
  TIME_LIMIT_MS,
);

test.skipIf(!existsSync("/proc/net/tcp"))(
  "nothing that it runs can be reached from another machine",
  async () => {
    const pids = (await ownProcesses()).map(({ pid }) => pid);
    const addresses = listeningOn(pids);
    // PostgreSQL, nats-server, the gateway, two listeners of the edge, and the metrics of three processes.
    expect(addresses.length).toBeGreaterThanOrEqual(8);
    // The name server of containers has an address that they reach, and replies to no other.
    const names = subnet.replace("0/24", "1:53");
    const others = addresses.filter((address) => !/^(127\.0\.0\.1|\[::1\]):/.test(address));
    expect(others.filter((address) => address !== names)).toEqual([]);
  },
);

test("what each process measures is where the start says, and not where the API is", async () => {
  const line = /berth: metrics of (.*)\n/.exec(berth.output())?.[1] ?? "";
  const measured = Object.fromEntries(line.split(", ").map((one) => one.split(": ") as [string, string]));
  expect(Object.keys(measured).sort()).toEqual(["actors-1", "agent", "gateway"]);
  const known = {
    gateway: "http_requests_total",
    agent: "berth_agent_connected 1",
    "actors-1": "berth_partitions 64",
  };
  for (const [name, metric] of Object.entries(known)) {
    const from = measured[name] ?? "";
    expect(await (await fetch(from)).text()).toContain(metric);
    expect((await fetch(from.replace("/metrics", "/health/ready"))).status).toBe(200);
    expect((await fetch(from.replace("/metrics", "/elsewhere"))).status).toBe(404);
  }
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
});

test("by the time that it is ready, the demo container runs", async () => {
  const found = await demoContainer(await signIn());
  // What comes after can do without.
  await until(async () => (await demoContainer(await signIn())).state === "running", { everyMs: 200 });
  expect(found).toMatchObject({ name: "welcome", state: "running", server_name: "node-1" });
});

test("the link that it prints opens a shell in the container, and so does the next one", async () => {
  const [link = ""] = /https:\/\/\S+access_token=\S+/.exec(berth.output()) ?? [];
  const child = Bun.spawn(["bash", join(import.meta.dir, "../../examples/shell.sh")], {
    env: { ...CLEAN_ENVIRONMENT, BERTH_URL: url, BERTH_DEMO_PASSWORD: PASSWORD },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const next = (await new Response(child.stdout).text()).trim();
  for (const one of [link, next]) {
    const { hostname, port } = new URL(one);
    const curl = [
      "curl",
      "-sSL",
      "--cacert",
      join(data, "agent/edge/tls/ca.pem"),
      "-c",
      join(data, "cookies"),
    ];
    const page = Bun.spawn(
      [...curl, "--resolve", `${hostname}:${port}:127.0.0.1`, "-w", "%{http_code}", one],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const html = await new Response(page.stdout).text();
    expect(html).toContain('<main id="terminal">');
    expect(html).toEndWith("200");
  }
});

test("the demo's catalogue has what the machine can run, each with an icon of its own", async () => {
  const token = await signIn();
  const { images } = await api("/images/public", token);
  const icons = new Set<string>();
  for (const { id } of [...images, { id: "0".repeat(24) }] as { id: string }[]) {
    const icon = await fetch(`${url}/api/v1/images/${id}/icon`, {
      headers: { authorization: `Bearer ${token}` },
    });
    icons.add(icon.headers.get("etag") ?? "none");
  }
  const names = ["host-programs", "welcome", ...(isolates ? ["web-server"] : [])];
  expect(images.map(({ alias }: { alias: string }) => alias).sort()).toEqual(names.sort());
  expect(icons.size).toBe(names.length + 1);
});

test.skipIf(!isolates)(
  "an image of the catalogue is a container that does what the catalogue says",
  async () => {
    const token = await signIn();
    const { images } = await api("/images/public?search=web-server", token);
    const { project_id, server_id } = await demoContainer(token);
    const wanted = { project_id, server_id, name: "page", image_id: images[0].id };
    const { id } = await api("/containers", token, wanted);
    await until(async () => (await api(`/containers/${id}`, token)).state === "running", { everyMs: 200 });
    const { address, image } = await api(`/containers/${id}`, token);
    expect(image).toMatchObject({ reference: DEMO_IMAGE, state: "ready", exposed_ports: ["8080/tcp"] });
    const page = () =>
      fetch(`http://${address}:8080/`).then(
        (response) => response.text(),
        () => "",
      );
    await until(async () => (await page()) === "Hello from page, a container of an image.\n");
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/v1/containers/${id}`, { method: "DELETE", headers })).status).toBe(200);
    await until(() => !existsSync(join(data, "agent/containers", id)));
  },
);

test.skipIf(!inConsole)(
  "whoever signs up in the console rents a part of this machine, and runs and opens a program there, with the mouse alone",
  async () => {
    const { page, errors } = await visit(`${url}/sign-up`);
    await walkAsCustomer(page, byMouse(page), {
      ...BY_MOUSE,
      price: "$0.20",
      async chooseImage(_, hands) {
        await hands.choose(page.getByRole("combobox", { name: /^Image/ }), "web-server");
      },
    });
    expect(withoutRefusals(errors)).toEqual([]);
    await page.context().close();
  },
  TIME_LIMIT_MS,
);

test.skipIf(!inConsole)(
  "another one goes the same way with the keyboard alone, and names the image by its reference",
  async () => {
    const { page, errors } = await visit(`${url}/sign-up`);
    await walkAsCustomer(page, byKeyboard(page), {
      ...BY_KEYBOARD,
      price: "$0.20",
      chooseImage: async (_, hands) => {
        await hands.choose(page.getByLabel("Image", { exact: true }), "From a registry");
        await hands.write(page.getByLabel("Reference", { exact: true }), DEMO_IMAGE);
      },
    });
    expect(withoutRefusals(errors)).toEqual([]);
    await page.context().close();
  },
  TIME_LIMIT_MS,
);

test.skipIf(!inConsole).each([
  ["keyboard", byKeyboard, "rack-2", BY_MOUSE],
  ["mouse", byMouse, "rack-3", BY_KEYBOARD],
] as const)(
  "with the %s alone its operator lets a host join, sells a server, and manages and refunds a customer",
  async (_, handsOf, host, { name, server }) => {
    const password = /berth: user admin, password (\S+)\n/.exec(berth.output())?.[1] ?? "";
    const { page, errors } = await visit(url);
    await signInTo(page, { username: "admin", password });
    await walkAsOperator(page, handsOf(page), { url, host, customer: name, server });
    expect(withoutRefusals(errors)).toEqual([]);
    await page.context().close();
  },
  TIME_LIMIT_MS,
);

test(
  "the example runs to its end",
  async () => {
    const { code, output } = await runExample();
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("\nDone.\n") });
    if (isolates) {
      expect(output).toContain("nothing gets through");
      expect(output.match(/^Hello from welcome\.$/gm)).toHaveLength(2);
    } else {
      expect(output).toContain("the firewall part is left out");
      console.log(
        "first-five-minutes: the firewall part was left out, this machine cannot isolate containers",
      );
    }
    const token = await signIn();
    expect(await api("/wallet/balances", token)).toMatchObject({
      general_balance: "485.00",
      ai_limit: "23.75",
    });
    container = await demoContainer(token);
  },
  TIME_LIMIT_MS,
);

test("a signal ends everything that it started", stopCleanly, TIME_LIMIT_MS);

test(
  "a second start on the same data has the same money, password and container, and the example runs again",
  async () => {
    await start();
    expect(berth.output()).not.toContain(PASSWORD);
    const token = await signIn();
    expect(await api("/wallet/balances", token)).toMatchObject({
      general_balance: "485.00",
      ai_limit: "23.75",
    });
    expect(await demoContainer(token)).toMatchObject({
      id: container.id,
      address: container.address,
      state: "running",
    });

    const { code, output } = await runExample();
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("\nDone.\n") });
    expect(await api("/wallet/balances", token)).toMatchObject({
      general_balance: "470.00",
      ai_limit: "47.50",
    });
    const { events } = await api("/events?event_type=user.credit_transferred", token);
    expect(events).toHaveLength(2);
    await stopCleanly();
  },
  TIME_LIMIT_MS,
);
