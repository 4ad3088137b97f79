import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Images } from "../../../agents/containers/images/images.ts";
import { DEFAULT_LIMITS } from "../../../agents/containers/limits.ts";
import { reachFrom } from "../../../agents/services/reach.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { busyboxLayer, layerOf, makeImage } from "../containers/images/sample-images.ts";
import { type StandInRegistry, startRegistry } from "../containers/images/stand-in-registry.ts";
import { newDriver } from "../containers/new-driver.ts";
import { testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { TestClient } from "../terminal/service.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

/** The table of docs/terminal.md: what works in which kind of image, and what it needs there. One test for each cell. */

const ECHO_PORT = 7_000;
/** Sends back what it gets. The helpers are in every container, so the image needs no program at all. */
const ECHO = ["/.berth/busybox", "nc", "-ll", "-p", String(ECHO_PORT), "-e", "/.berth/bin/cat"];

/** One file, which is no shell; no folder of programs and no accounts. */
const bareLayer = () =>
  layerOf({}, (folder) => copyFileSync(Bun.which("busybox") ?? "", join(folder, "program")));

interface Kind {
  readonly name: string;
  /** Null: the programs of the host, which is a Debian. */
  readonly layer: (() => Promise<Buffer>) | null;
  /** Whether it has programs that few images have. */
  readonly hasDebug: boolean;
  readonly shell: string;
}
const KINDS: readonly Kind[] = [
  { name: "without a shell", layer: bareLayer, hasDebug: false, shell: "sh" },
  { name: "busybox", layer: busyboxLayer, hasDebug: false, shell: "sh" },
  { name: "Debian", layer: null, hasDebug: true, shell: "bash" },
];

describe
  .skipIf(lacks("root", "nft", "ip", "oci", "busybox", "reptyr"))
  .each(KINDS.map((kind) => [kind.name, kind] as const))(
  "in an image of the kind: %s,",
  (_name, { layer, hasDebug, shell }) => {
    let registry: StandInRegistry;
    let images: Images;
    let container: ServedContainer;

    beforeAll(async () => {
      registry = startRegistry();
      images = new Images({
        ...{ folder: temporaryFolder(), settings: registry.settings, limits: DEFAULT_LIMITS },
        log: pino({ level: "silent" }),
      });
      const driver = newDriver(testPool(10));
      if (layer === null) {
        container = await servedContainer(driver);
        await container.want({ command: ECHO, generation: 1 });
        return;
      }
      registry.add("kind", "1", makeImage([await layer()], { config: { Entrypoint: ECHO } }));
      const made = { images, image: `${registry.host}/kind:1` };
      container = await servedContainer(driver, { urlArg: false }, null, made);
    });
    afterAll(async () => {
      await container[Symbol.asyncDispose]();
      registry.stop();
    });

    const target = () => {
      const present = container.execTarget();
      if (present === null) throw new Error("the container is not there");
      return present;
    };
    const run = async (line: string) => {
      const { code, stdout } = await target().run({ user: null, argv: ["/bin/sh", "-c", line] });
      return { code, text: stdout.toString().trim() };
    };
    const ask = async (url: string, init: RequestInit = {}) => {
      const headers = { ...Object.fromEntries(new Headers(init.headers)) };
      const authorization = `Bearer ${await container.token()}`;
      return container.request(url, { ...init, headers: { ...headers, authorization } });
    };
    const page = (query: string) => ask(`${container.urls.terminal}/?${query}`);
    const refusal = async (query: string) => {
      const response = await page(query);
      return `${response.status} ${((await response.json()) as { message?: string }).message}`;
    };
    async function attach(query: string): Promise<TestClient> {
      const json = /id="boot"[^>]*>(.*?)<\/script>/s.exec(await (await page(query)).text())?.[1] ?? "{}";
      const { host, origin } = new URL(container.urls.terminal);
      const authorization = `Bearer ${await container.token()}`;
      const { token } = JSON.parse(json) as { token: string };
      const edge = `https://127.0.0.1:${container.edge.httpsPort}`;
      return TestClient.attach(edge, token, undefined, { host, origin, authorization });
    }

    test("access: nobody gets in without a credential, and who has one does", async () => {
      expect((await container.request(`${container.urls.terminal}/`)).status).toBe(401);
      const response = await page("terminal_id=9");
      expect([response.status, response.ok ? "" : await response.text()]).toEqual([200, ""]);
    });

    test("terminal: a shell, its size and its end", async () => {
      const client = await attach("terminal_id=1");
      client.type("echo at $((6*7)) in $0 && stty size\n");
      await client.shows(new RegExp(`at 42 in \\S*${shell}\\b`));
      await client.shows("24 80");
      client.type("exit 3\n");
      await client.shows("3");
      client.close();
    });

    test("commands: what the image lacks is the helpers', and its status is reported", async () => {
      expect(await run("id -u && ls -d /.berth && exit 5")).toEqual({ code: 5, text: "0\n/.berth" });
      expect((await run("nosuchprogram")).code).toBe(127);
    });

    test("files: a folder is listed, and a file goes in and comes out whole", async () => {
      const files = container.expose("files-of-kind", "files");
      const bytes = Buffer.alloc(300_000, "berth ");
      expect((await run("mkdir -p /srv/here")).code).toBe(0);
      const put = await ask(`${files}/srv/here?name=new.bin`, { method: "PUT", body: bytes });
      expect(put.status).toBe(201);
      const listing = await ask(`${files}/srv/here`, { headers: { accept: "application/json" } });
      expect(await listing.json()).toMatchObject({ entries: [{ name: "new.bin", size: bytes.length }] });
      const got = await ask(`${files}/srv/here/new.bin`);
      expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
    });

    test("pid: the process of a session leads to it; another one needs reptyr in the image", async () => {
      const client = await attach("terminal_id=4");
      client.type("echo own $$ process\n");
      await client.shows(/own \d+ process/);
      const [, own = ""] = /own (\d+) process/.exec(client.text) ?? [];
      const same = await attach(`pid=${own}`);
      same.type("echo both $((40+2))\n");
      await client.shows("both 42");
      expect(await refusal("pid=1")).toMatch(/^400 .*is a process of this service/);
      const { text } = await run("sleep 1000 >/dev/null 2>&1 & echo $!");
      expect(await refusal(`pid=${text}`)).toMatch(
        hasDebug ? /^4\d\d .*cannot be attached to: (?!reptyr is not)/ : /^400 .*reptyr is not installed/,
      );
      client.close();
      same.close();
    });

    test("desktop: is refused by name where the image has none", async () => {
      const answer = await page("terminal_id=5&desktop=true&env=DISPLAY=:1");
      if (hasDebug && answer.status !== 400) return;
      expect(((await answer.json()) as { message: string }).message).toMatch(
        /^(desktop|display): .*(none is installed|the container has no X server)/,
      );
    });

    test("ports and SSH: the edge and a session of SSH connect from inside", async () => {
      const connection = reachFrom(target())("127.0.0.1", ECHO_PORT);
      const echoed = Promise.withResolvers<string>();
      connection.on("data", (bytes: Buffer) => echoed.resolve(bytes.toString()));
      connection.write("back\n");
      expect(await echoed.promise).toBe("back\n");
      connection.destroy();
    });
  },
);
