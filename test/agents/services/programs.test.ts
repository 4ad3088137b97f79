import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Images } from "../../../agents/containers/images/images.ts";
import { IMAGE_STORE } from "../../../agents/containers/images/store.ts";
import { DEFAULT_LIMITS } from "../../../agents/containers/limits.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { busyboxLayer, copyPrograms, layerOf, makeImage } from "../containers/images/sample-images.ts";
import { type StandInRegistry, startRegistry } from "../containers/images/stand-in-registry.ts";
import { testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

/** Says on each start that it was started, and by whom, and serves on the loopback interface alone. */
const SERVE =
  'echo "started by $(id -u) with $GREETING" >>/tmp/starts; echo $$ >/tmp/pid; exec busybox httpd -f -p 127.0.0.1:8123 -h /srv';

describe.skipIf(lacks("root", "nft", "ip", "oci", "busybox"))("a program that an image declares", () => {
  let container: ServedContainer;
  let registry: StandInRegistry;
  let credential: Record<string, string>;

  beforeAll(async () => {
    registry = startRegistry();
    const bash = await layerOf({}, (folder) => copyPrograms(folder, ["bash"]));
    const pages = {
      "srv/index.html": "first page\n",
      "srv/desk/index.html": "the desk\n",
      "srv/cgi-bin/seen": '#!/bin/sh\nprintf "Content-Type: text/plain\\r\\n\\r\\n"\nenv\n',
    };
    const files = await layerOf(pages, (folder) => chmodSync(join(folder, "srv/cgi-bin/seen"), 0o755));
    const image = makeImage([await busyboxLayer(), bash, files], {
      config: {
        Entrypoint: ["/bin/sh", "-c", "while :; do sleep 1; done"],
        Env: ["GREETING=hello", "PATH=/bin:/usr/bin"],
        User: "app",
        Labels: {
          "berth.program.wiki": "8123",
          "berth.program.wiki.command": SERVE,
          "berth.program.desk": "8123/desk/",
          "berth.program.broken": "8124",
          "berth.program.broken.command": '["/bin/sh", "-c", "echo no such luck >&2; exit 7"]',
          "berth.program.asleep": "8125",
          "berth.program.asleep.command": "sleep 600",
          "berth.program.silent": "8126",
        },
      },
    });
    registry.add("team/app", "1", image);
    const log = pino({ level: "silent" });
    const folder = join(temporaryFolder(), IMAGE_STORE);
    const images = new Images({ folder, settings: registry.settings, limits: DEFAULT_LIMITS, log });
    container = await servedContainer(newDriver(testPool(10)), { urlArg: false }, null, {
      images,
      image: `${registry.host}/team/app:1`,
    });
    credential = { authorization: `Bearer ${await container.token()}` };
  });
  afterAll(async () => {
    await container?.[Symbol.asyncDispose]();
    registry?.stop();
  });

  const get = (url: string, headers: Record<string, string> = credential) =>
    container.request(url, { headers });
  const inside = async (script: string) =>
    (await container.execTarget()?.run({ user: null, argv: ["/bin/sh", "-c", script] }))?.stdout ?? "";
  const startsInside = async () => (await inside("cat /tmp/starts")).trim().split("\n");

  test("is started at its first use, once however many ask at once, as the image's user with the image's variables", async () => {
    const url = container.expose("wiki", "wiki");
    expect((await get(`${url}/`, {})).status).toBe(401);
    expect(await inside("cat /tmp/starts 2>/dev/null")).toBe("");
    const answers = await Promise.all(Array.from({ length: 6 }, () => get(`${url}/`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await answers[0]?.text()).toBe("first page\n");
    expect(await startsInside()).toEqual(["started by 1000 with hello"]);
  });

  test("is started again when it has ended", async () => {
    const url = container.expose("wiki", "wiki");
    expect((await get(`${url}/`)).status).toBe(200);
    const before = (await startsInside()).length;
    await inside("kill $(cat /tmp/pid)");
    await until(async () => (await get(`${url}/`)).status === 200 && (await startsInside()).length > before);
    expect(await startsInside()).toHaveLength(before + 1);
  });

  test("has an address that begins at the path of its label, unless the alias says another one", async () => {
    await get(`${container.expose("wiki", "wiki")}/`);
    const url = container.expose("desk", "desk");
    expect(await (await get(`${url}/`)).text()).toBe("the desk\n");
    expect(await (await get(`${url}/index.html`)).text()).toBe("first page\n");
    const other = container.expose("other", "desk", { target_path: "/index.html" });
    expect(await (await get(`${other}/`)).text()).toBe("first page\n");
  });

  test("that ends at its start is answered for with its code and its last words, and is not started for each request", async () => {
    const url = container.expose("broken", "broken");
    const answers = await Promise.all([get(`${url}/`), get(`${url}/`)]);
    for (const answer of answers) {
      expect(answer.status).toBe(502);
      expect(await answer.json()).toMatchObject({
        code: "TARGET_UNREACHABLE",
        message: expect.stringContaining("ended with code 7, and said: no such luck"),
      });
    }
  });

  test("that takes its time is answered for with when to ask again, by a page that asks again by itself", async () => {
    const url = container.expose("asleep", "asleep");
    const answer = await get(`${url}/`, { ...credential, accept: "text/html" });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(answer.headers.get("refresh")).toBe("2");
    expect(await answer.text()).toContain("PROGRAM_STARTING");
  });

  test("without a command, and without anybody on its port, is answered for with the label that is missing", async () => {
    const answer = await get(`${container.expose("silent", "silent")}/`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain("berth.program.silent.command");
  });

  test("a display that the container cannot have is refused with what is missing, on its page and where a terminal leads there", async () => {
    const url = container.expose("desk-1", "display");
    expect((await get(`${url}/`)).status).toBe(200);
    const { host, origin } = new URL(url);
    const closed = await new Promise<CloseEvent>((resolve) => {
      const at = `wss://127.0.0.1:${container.edge.httpsPort}/api/v1/display/ws?display=1`;
      const socket = new WebSocket(at, {
        headers: { ...credential, host, origin },
        tls: { rejectUnauthorized: false },
      } as never);
      socket.addEventListener("close", resolve);
    });
    expect(closed.code).toBe(4404);
    expect(closed.reason).toContain("its image needs tigervnc-standalone-server");
    const { terminal } = container.urls;
    const answer = await get(`${terminal}/?terminal_id=3&display=1&redirect=display`);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/display: cannot be had: .*tigervnc-standalone-server/),
    ]);
  });

  test("that the image does not declare is not found, nor is a second instance", async () => {
    const missing = await get(`${container.expose("code", "code")}/`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: "PROGRAM_NOT_FOUND" }]);
    expect((await get(`${container.expose("second", "wiki", { index: 2 })}/`)).status).toBe(404);
  });

  test("does not see the credential of who was let in, nor who that was", async () => {
    const seen = await get(`${container.expose("wiki", "wiki")}/cgi-bin/seen`, {
      ...credential,
      "x-berth-user": container.user,
      "x-mark": "passed on",
    });
    const variables = await seen.text();
    expect(variables).toContain("HTTP_X_MARK=passed on");
    expect(variables).not.toMatch(/authorization|berth_user/i);
  });
});
