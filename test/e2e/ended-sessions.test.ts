import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../agents/agent-process.ts";
import { TestClient } from "../agents/terminal/service.ts";
import { tenant } from "../gateway/routes/hosting/container/hosting.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../harness/embedded-stack.ts";
import { freePort, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** What somebody with a former session, or a host that harvests credentials, gets at the edge of a real host. */

/** A session that ended is refused, and what is open under it is closed, long before its token runs out. */
const SOON = { everyMs: 20 };
const SESSION_ENDED = 401;

let stack: EmbeddedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
let agent: Agent;
let options: AgentOptions;
let containerId: string;
let services: Record<"terminal" | "pipe" | "notifications", string>;
let login: { access_token: string; refresh_token: string };

beforeAll(async () => {
  stack = await startEmbeddedStack({ servers: ["node-1"] });
  ours = await tenant(stack, "node-1");
  options = {
    natsUrl: stack.nats.agentUrl("node-1"),
    server: "node-1",
    data: temporaryFolder(),
    driver: "process",
    subnet: "",
    edgePort: await freePort(),
  };
  containerId = await ours.container("web");
  agent = startAgent(options);
  await agent.ready();
  services = (await ours.call("GET", `/${containerId}`)).body.data.services;
  await until(async () => (await ours.call("GET", `/${containerId}`)).body.data.state === "running");
  // The agent has the control plane's keys.
  await until(async () => {
    const token = await containerToken(ours.token);
    return (await ask("terminal", `/?access_token=${token}`)).status === 303;
  });
});
afterAll(async () => {
  await agent?.stop();
  await cleanUp(options);
  await stack?.stop();
});
beforeEach(async () => {
  login = await signIn();
});

async function signIn(): Promise<{ access_token: string; refresh_token: string }> {
  const { username, password } = ours.user;
  return (await stack.call("POST", "/api/v1/auth/login", { body: { username, password } })).body.data;
}

/** A token for the container, made in a session. */
async function containerToken(token = login.access_token): Promise<string> {
  const { body } = await stack.call("POST", `/api/v1/containers/${containerId}/access`, { token });
  return body.data.access_token;
}

const hostOf = (service: keyof typeof services) =>
  `${new URL(services[service]).hostname}:${options.edgePort}`;
const originOf = (service: keyof typeof services) => `https://${hostOf(service)}`;

/** A request to the edge, by any of the container's names. */
const ask = (service: keyof typeof services, path: string, init: RequestInit = {}) =>
  fetch(`https://127.0.0.1:${options.edgePort}${path}`, {
    redirect: "manual",
    keepalive: false,
    tls: { rejectUnauthorized: false },
    ...init,
    headers: { ...Object.fromEntries(new Headers(init.headers)), host: hostOf(service) },
  } as RequestInit);

/** Opens a service by a link, as a browser does. */
async function cookieOf(service: keyof typeof services, token?: string): Promise<string> {
  const response = await ask(service, `/?access_token=${token ?? (await containerToken())}`);
  expect(response.status).toBe(303);
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const signOut = (token = login.access_token) => stack.call("POST", "/api/v1/auth/logout", { token });
const status = async (cookie: string) =>
  (await ask("terminal", "/?shell=sh", { headers: { cookie } })).status;

test("a cookie is refused after its session has signed out, and so is a container token that is still young", async () => {
  const token = await containerToken();
  const cookie = await cookieOf("terminal", token);
  expect(await status(cookie)).toBe(200);
  await signOut();
  await until(async () => (await status(cookie)) === SESSION_ENDED, SOON);
  const bearer = await ask("terminal", "/?shell=sh", { headers: { authorization: `Bearer ${token}` } });
  expect(bearer.status).toBe(SESSION_ENDED);
  expect((await ask("terminal", `/?access_token=${token}`)).status).toBe(SESSION_ENDED);
});

test("the very request after the end of all sessions is refused, here and at the API", async () => {
  const cookie = await cookieOf("terminal");
  const other = await signIn();
  const { status: ended } = await stack.call("DELETE", "/api/v1/auth/sessions", {
    token: other.access_token,
  });
  expect([ended, await status(cookie)]).toEqual([200, SESSION_ENDED]);
  for (const token of [login.access_token, other.access_token]) {
    expect((await stack.call("GET", "/api/v1/auth/me", { token })).status).toBe(401);
  }
});

test("a host that was away while its user signed out knows of it when it is back", async () => {
  const cookie = await cookieOf("terminal");
  await agent.stop();
  await signOut();
  agent = startAgent(options);
  // Its edge listens before it has heard from the control plane.
  const first = await until(() => status(cookie).catch(() => undefined));
  expect(first).toBe(SESSION_ENDED);
  await agent.ready();
});

test("an account token, a refresh token and an API token open nothing at an edge, wherever they stand", async () => {
  const created = await stack.call("POST", "/api/v1/auth/tokens", {
    token: login.access_token,
    body: { name: "mine", permissions: ["resources.read", "resources.write"] },
  });
  const apiToken: string = created.body.data.token;
  const basic = Buffer.from(`${ours.user.username}:${apiToken}`).toString("base64");
  for (const secret of [login.access_token, apiToken, login.refresh_token]) {
    const attempts: [string, Record<string, string>][] = [
      ["/?shell=sh", { authorization: `Bearer ${secret}` }],
      ["/?shell=sh", { authorization: `Token ${secret}` }],
      [`/?shell=sh&access_token=${secret}`, {}],
      ["/?shell=sh", { cookie: `token=${secret}` }],
      [`/${secret}/`, {}],
      ["/?shell=sh", { "x-api-key": secret }],
    ];
    for (const [path, headers] of attempts) {
      const response = await ask("terminal", path, { headers });
      expect([path.slice(0, 10), response.status]).toEqual([path.slice(0, 10), 401]);
      expect(await response.text()).toContain(`/api/v1/containers/{id}/access`);
    }
  }
  const withBasic = await ask("terminal", "/?shell=sh", { headers: { authorization: `Basic ${basic}` } });
  expect(withBasic.status).toBe(401);
  expect(await withBasic.text()).toContain("/api/v1/containers/{id}/access");
});

test("an open terminal is closed when its session ends", async () => {
  const cookie = await cookieOf("terminal");
  const page = await (await ask("terminal", "/?shell=sh", { headers: { cookie } })).text();
  const { token } = JSON.parse(/id="boot"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? "{}");
  const client = await TestClient.attach(`https://127.0.0.1:${options.edgePort}`, token, undefined, {
    host: hostOf("terminal"),
    origin: originOf("terminal"),
    cookie,
  });
  client.type("echo here $((40 + 2))\n");
  await client.shows("here 42");
  await signOut();
  await until(() => client.closed, SOON);
});

test("a stream of notifications ends with its session", async () => {
  const cookie = await cookieOf("notifications");
  const stream = await ask("notifications", "/api/v1/notifications/stream?display=1", {
    headers: { cookie },
  });
  expect(stream.headers.get("content-type")).toStartWith("text/event-stream");
  let isOver = false;
  const reading = (async () => {
    try {
      for await (const _ of stream.body as unknown as AsyncIterable<Uint8Array>);
    } finally {
      isOver = true;
    }
  })().catch(() => undefined);
  await signOut();
  await until(() => isOver, SOON);
  await reading;
});

test("a download ends with its session, before the file does", async () => {
  const alias = await stack.call("POST", "/api/v1/proxy/aliases", {
    token: login.access_token,
    body: { alias: "desk", container_id: containerId, program: "files" },
  });
  expect(alias.status).toBe(201);
  const file = join(options.data, "containers", containerId, "root", "large");
  writeFileSync(file, "");
  truncateSync(file, 8 * 2 ** 30);
  const host = `desk.${new URL(services.terminal).hostname.split(".").slice(1).join(".")}:${options.edgePort}`;
  const at = (path: string, headers: Record<string, string>) =>
    fetch(`https://127.0.0.1:${options.edgePort}${path}`, {
      redirect: "manual",
      keepalive: false,
      tls: { rejectUnauthorized: false },
      headers: { ...headers, host },
    } as RequestInit);
  const link = await until(async () => {
    const response = await at(`/?access_token=${await containerToken()}`, {});
    return response.status === 303 ? response : undefined;
  }, SOON);
  const cookie = link.headers.get("set-cookie")?.split(";")[0] ?? "";
  const download = await at(encodeURI(file), { cookie });
  expect(download.status).toBe(200);
  const reader = (download.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).value?.length).toBeGreaterThan(0);
  await signOut();
  let isOver = false;
  void (async () => {
    // A reader that takes its time: the file would last for hours.
    while (!(await reader.read().catch(() => ({ done: true }))).done) await Bun.sleep(20);
    isOver = true;
  })();
  await until(() => isOver, SOON);
});

test("a receiver that waits at a pipe is let go when its session ends", async () => {
  const cookie = await cookieOf("pipe");
  let isOver = false;
  void ask("pipe", "/api/v1/pipe/waiting", { headers: { cookie } })
    .then((response) => response.text())
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  // It waits: a second receiver of the same path is refused, the first one being there.
  await until(
    async () => (await ask("pipe", "/api/v1/pipe/waiting", { headers: { cookie } })).status === 400,
    SOON,
  );
  expect(isOver).toBe(false);
  await signOut();
  await until(() => isOver, SOON);
});
