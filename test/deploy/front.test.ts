import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../../scripts/ports.ts";
import { trustedProxies } from "../../system/trusted-proxies.ts";
import { type EdgeUnderTest, HOSTS, startEdge } from "../agents/edge/edge-under-test.ts";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** `deploy/front/Caddyfile` as it is delivered, before a real edge. */

const missing = lacks("caddy", "curl");
const CADDYFILE = join(import.meta.dir, "../../deploy/front/Caddyfile");

let edge: EdgeUnderTest;
let program: ReturnType<typeof startProgram>;
let front: Awaited<ReturnType<typeof startFront>>;
beforeAll(async () => {
  if (missing) return;
  const ports = { http: await freePort(), https: await freePort() };
  edge = await startEdge({ proxies: trustedProxies("127.0.0.1"), publicHttpsPort: ports.https });
  program = startProgram();
  front = await startFront(edge, ports);
});
afterAll(async () => {
  if (missing) return;
  await front.stop();
  await program.stop(true);
  await edge[Symbol.asyncDispose]();
});

/** What a customer runs: it tells what it sees of a request, and returns what a WebSocket sends. */
const startProgram = () =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, server) {
      if (server.upgrade(request)) return undefined;
      return request.body === null ? Response.json(request.headers) : new Response(request.body);
    },
    websocket: {
      message(socket, text) {
        socket.send(text);
      },
    },
  });

async function startFront(
  { edge, certificateFolder }: EdgeUnderTest,
  { http: httpPort, https: httpsPort }: { http: number; https: number },
) {
  const home = temporaryFolder();
  const ca = join(certificateFolder, "ca.pem");
  const child = Bun.spawn(["caddy", "run", "--adapter", "caddyfile", "--config", CADDYFILE], {
    env: {
      ...process.env,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      FRONT_HTTP_PORT: String(httpPort),
      FRONT_HTTPS_PORT: String(httpsPort),
      BERTH_HOST_DOMAIN: HOSTS,
      BERTH_EDGE_PORT: String(edge.httpsPort),
      BERTH_EDGE_HTTP_PORT: String(edge.httpPort),
      BERTH_EDGE_CERT: join(certificateFolder, "leaf.pem"),
      BERTH_EDGE_KEY: join(certificateFolder, "leaf.key"),
      BERTH_EDGE_CA: ca,
    },
    stdio: ["ignore", "ignore", Bun.file(join(home, "log"))],
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await Bun.file(join(home, "log")).text());
    return (await curl([`http://127.0.0.1:${httpPort}/`])).code === 0;
  });
  const tls = ["--cacert", ca];
  return {
    httpsPort,
    ca,
    /** By curl, which speaks HTTP/2 itself. */
    curl: (name: string, ...args: string[]) =>
      curl([
        ...tls,
        ...["--resolve", `${name}:${httpsPort}:127.0.0.1`, "--resolve", `${name}:${httpPort}:127.0.0.1`],
        ...args,
      ]),
    url: (name: string, scheme: "http" | "https" = "https") =>
      `${scheme}://${name}:${scheme === "https" ? httpsPort : httpPort}`,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

async function curl(args: readonly string[]) {
  const child = Bun.spawn(["curl", "-sS", "--max-time", "20", ...args], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { out, err, code: await child.exited };
}

test.skipIf(missing)(
  "a browser speaks HTTP/2 to the front, is told of HTTP/3, and the program sees the browser's address",
  async () => {
    const name = edge.expose("two", program.port ?? 0);
    const { out, err } = await front.curl(
      name,
      ...["--http2", "-D", "-", "-H", "X-Forwarded-For: 6.6.6.6", "--interface", "127.0.0.7"],
      front.url(name),
    );
    expect([err, out.split("\r\n", 1)[0]]).toEqual(["", "HTTP/2 200 "]);
    expect(out).toMatch(/alt-svc: h3=":\d+"/);
    const seen = JSON.parse(out.slice(out.indexOf("{")));
    expect(seen).toMatchObject({
      "x-forwarded-for": "127.0.0.7",
      "x-forwarded-proto": "https",
      host: `${name}:${front.httpsPort}`,
    });
  },
);

test.skipIf(missing)("a large body passes both ways as it is", async () => {
  const name = edge.expose("large", program.port ?? 0);
  const file = join(temporaryFolder(), "body");
  await Bun.write(file, crypto.getRandomValues(new Uint8Array(60_000)).toHex().repeat(40));
  const { out } = await front.curl(name, "--http2", "--data-binary", `@${file}`, front.url(name));
  expect(Bun.hash(out)).toBe(Bun.hash(await Bun.file(file).text()));
});

test.skipIf(missing)("a WebSocket passes", async () => {
  const name = edge.expose("socket", program.port ?? 0);
  const socket = new WebSocket(`wss://127.0.0.1:${front.httpsPort}/`, {
    headers: { host: `${name}:${front.httpsPort}` },
    tls: { ca: await Bun.file(front.ca).text(), serverName: name },
  } as never);
  const said = Promise.withResolvers<unknown>();
  socket.onopen = () => socket.send("hello");
  socket.onmessage = ({ data }) => said.resolve(data);
  socket.onerror = (event) => said.reject(new Error(String((event as ErrorEvent).message)));
  expect(await said.promise).toBe("hello");
  socket.close();
});

test.skipIf(missing)(
  "a certificate is ordered for no name that the edge does not serve; plain HTTP reaches the edge",
  async () => {
    const stranger = await front.curl("stranger.example", front.url("stranger.example"));
    expect(stranger.code).not.toBe(0);
    const known = await front.curl(
      "stranger.example",
      front.url("stranger.example", "http"),
      "-w",
      "%{http_code}",
    );
    expect(known.out).toEndWith("404");
    // A client cannot ask in the name of the front.
    const asked = `${front.url("stranger.example", "http")}/.well-known/berth/serves?domain=two.${HOSTS}`;
    edge.expose("two", program.port ?? 0);
    expect((await front.curl("stranger.example", asked, "-w", "%{http_code}")).out).toEndWith("404");
  },
);

test.skipIf(missing)(
  "plain HTTP of a terminal's name leads to the front's https, not to the edge's",
  async () => {
    const name = edge.expose("shell", null, { program: "terminal" });
    const { out } = await front.curl(name, "-D", "-", `${front.url(name, "http")}/a?b`);
    expect(out).toMatch(/^HTTP\/1\.1 303 /);
    expect(out.toLowerCase()).toContain(`location: ${front.url(name)}/a?b\r\n`.toLowerCase());
  },
);
