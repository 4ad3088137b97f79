import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { NotReady } from "../../../../agents/containers/driver.ts";
import { type ImageRequester, Images } from "../../../../agents/containers/images/images.ts";
import { RETRY_AFTER_MS_MAX, UNUSED_MS_MAX } from "../../../../agents/containers/images/limits.ts";
import type { RegistrySettings } from "../../../../agents/containers/images/registries.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../../agents/containers/limits.ts";
import { parseImageReference } from "../../../../schemas/hosting/image-reference.ts";
import { isPublicAddress } from "../../../../system/public-address.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { lacks } from "../../requirements.ts";
import { startDockerRegistry } from "./docker-registry.ts";
import { ARCHITECTURE, digestOf, layerOf, makeImage, makeIndex } from "./sample-images.ts";
import { answer, type StandInRegistry, startRegistry } from "./stand-in-registry.ts";

const log = pino({ level: "silent" });
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function registryOf(credentialsFile: string | null = null): StandInRegistry {
  const registry = startRegistry(credentialsFile);
  ends.push(() => registry.stop());
  return registry;
}

async function imagesOf(
  settings: RegistrySettings,
  limits: Partial<Limits> = {},
  folder = temporaryFolder(),
) {
  const images = new Images({ folder, settings, limits: { ...DEFAULT_LIMITS, ...limits }, log });
  await images.prepare();
  ends.push(() => images.close());
  return { images, folder };
}

/** Asks as a container does: again whenever it is woken. */
async function ensured(images: Images, reference: string, requester?: ImageRequester) {
  for (;;) {
    const woken = Promise.withResolvers<void>();
    try {
      return await images.ensure(reference, woken.resolve, requester);
    } catch (error) {
      if (!(error instanceof NotReady)) throw error;
    }
    await woken.promise;
  }
}
const reasonOf = (images: Images, reference: string, requester?: ImageRequester) =>
  ensured(images, reference, requester).then(
    () => "",
    (error: Error) => error.message,
  );

const basicOf = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

const small = await layerOf({ "srv/file": "text\n" });
const large = await layerOf({ "srv/large": Buffer.alloc(400_000, "0123456789").toString() });

describe.skipIf(lacks("root", "setpriv"))("a pull", () => {
  test("of a list takes the image for this host, and one for others alone is refused with their names", async () => {
    const registry = registryOf();
    const [own, foreign] = [makeImage([small]), makeImage([large], { architecture: "s390x" })];
    const index = makeIndex([
      ["s390x", foreign],
      [ARCHITECTURE, own],
    ]);
    registry.add("app", "1", foreign);
    registry.add("app", "1", own, index);
    registry.add("other", "1", foreign, makeIndex([["s390x", foreign]]));
    registry.add("plain", "1", foreign);
    const { images } = await imagesOf(registry.settings);
    const { digest, layers } = await ensured(images, `${registry.host}/app:1`);
    // As Docker says it: the digest of what the tag leads to.
    expect(digest).toBe(index.digest);
    expect(readFileSync(join(layers[0] ?? "", "srv/file"), "utf8")).toBe("text\n");
    for (const name of ["other", "plain"]) {
      expect(await reasonOf(images, `${registry.host}/${name}:1`)).toContain(
        `it is built for linux/s390x, and its host is linux/${ARCHITECTURE}`,
      );
    }
  });

  test("of many containers at once asks once, and images share their layers", async () => {
    const registry = registryOf();
    const first = makeImage([small, large]);
    const second = makeImage([small], { isDocker: true });
    registry.add("first", "1", first);
    registry.add("second", "1", second);
    const { images, folder } = await imagesOf(registry.settings);
    const pulled = await Promise.all(
      Array.from({ length: 5 }, () => ensured(images, `${registry.host}/first:1`)),
    );
    expect(new Set(pulled.map(({ digest }) => digest)).size).toBe(1);
    // Manifest, config and two layers.
    expect(registry.asked).toHaveLength(4);
    await ensured(images, `${registry.host}/second:1`);
    // Its layer is there, though it was pressed in another way: manifest and config.
    expect(registry.asked).toHaveLength(6);
    expect(readdirSync(join(folder, "layers")).filter((name) => !name.endsWith(".json"))).toHaveLength(2);
    expect(readdirSync(join(folder, "blobs"))).toEqual([]);
    expect(readdirSync(join(folder, "unfinished"))).toEqual([]);
  });

  test("goes on where a connection has broken, and takes nothing but what the digest says", async () => {
    const registry = registryOf();
    const image = makeImage([large], { compression: "none" });
    registry.add("app", "1", image);
    const [layer] = image.layers;
    const bytes = layer?.bytes ?? Buffer.alloc(0);
    let broken = 0;
    registry.intercept((request, path) => {
      if (!path.endsWith(layer?.digest ?? "") || broken >= 2) return undefined;
      broken += 1;
      const from = Number(/\d+/.exec(request.headers.get("range") ?? "0")?.[0]);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(bytes.subarray(from, from + 100_000)));
          controller.close();
        },
      });
      const contentRange = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
      return new Response(body, {
        status: from === 0 ? 200 : 206,
        headers: { "content-range": contentRange },
      });
    });
    const { images } = await imagesOf(registry.settings);
    await ensured(images, `${registry.host}/app:1`);
    expect(registry.asked.filter((path) => path.includes(" ")).map((path) => path.split(" ")[1])).toEqual([
      "bytes=100000-",
      "bytes=200000-",
    ]);

    const forged = registryOf();
    forged.add("app", "1", image);
    forged.intercept((request, path) =>
      path.endsWith(layer?.digest ?? "")
        ? answer({ bytes: Buffer.alloc(bytes.length, "x"), mediaType: "a/b" }, request.headers.get("range"))
        : undefined,
    );
    const { images: others, folder } = await imagesOf(forged.settings);
    expect(await reasonOf(others, `${forged.host}/app:1`)).toContain(
      `has other bytes than those of the digest ${layer?.digest}`,
    );
    expect(readdirSync(join(folder, "layers"))).toEqual([]);
    const pinned = `${forged.host}/app@${digestOf(Buffer.from("another"))}`;
    forged.intercept((_request, path) =>
      path.includes("/manifests/") ? answer(image.manifest, null) : undefined,
    );
    expect(await reasonOf(others, pinned)).toContain("has another manifest under the digest");
  });

  test("waits as long as a registry asks for, and says so where that is too long", async () => {
    const registry = registryOf();
    registry.add("app", "1", makeImage([small]));
    let refusals = 1;
    registry.intercept(() => {
      refusals -= 1;
      return refusals < 0 ? undefined : new Response(null, { status: 429, headers: { "retry-after": "1" } });
    });
    const { images } = await imagesOf(registry.settings);
    const fromMs = performance.now();
    await ensured(images, `${registry.host}/app:1`);
    expect(performance.now() - fromMs).toBeGreaterThan(990);
    const seconds = RETRY_AFTER_MS_MAX / 1_000 + 1;
    registry.intercept(
      () => new Response(null, { status: 429, headers: { "retry-after": String(seconds) } }),
    );
    expect(await reasonOf(images, `${registry.host}/app:2`)).toBe(
      `its image ${registry.host}/app:2 cannot be had: ${registry.host} limits how much is pulled from it (429), for another ${seconds} s`,
    );
  });

  test("gets a token with the host's credentials, and takes neither to where a blob is", async () => {
    const credentialsFile = join(temporaryFolder(), "config.json");
    const registry = registryOf(credentialsFile);
    const auth = Buffer.from("ann:secret").toString("base64");
    writeFileSync(credentialsFile, JSON.stringify({ auths: { [registry.host]: { auth } } }));
    const image = makeImage([small]);
    registry.add("private/app", "1", image);
    const elsewhere = registryOf();
    elsewhere.add("private/app", "1", image);
    const tokensFor: (string | null)[] = [];
    registry.intercept((request, path) => {
      const authorization = request.headers.get("authorization");
      if (path === "/token") {
        tokensFor.push(`${authorization} ${new URL(request.url).search}`);
        return authorization === `Basic ${auth}`
          ? Response.json({ token: "abc" })
          : Response.json({}, { status: 401 });
      }
      if (authorization !== "Bearer abc") {
        const challenge = `Bearer realm="http://${registry.host}/token",service="here",scope="repository:private/app:pull"`;
        return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
      }
      const [layer] = image.layers;
      if (path.endsWith(layer?.digest ?? ""))
        return new Response(null, { status: 307, headers: { location: `http://${elsewhere.host}${path}` } });
      return undefined;
    });
    const { images } = await imagesOf(registry.settings);
    await ensured(images, `${registry.host}/private/app:1`);
    expect(tokensFor).toEqual([`Basic ${auth} ?service=here&scope=repository%3Aprivate%2Fapp%3Apull`]);
    expect(elsewhere.authorizations).toEqual([null]);

    writeFileSync(credentialsFile, JSON.stringify({ auths: {} }));
    const { images: nobody } = await imagesOf(registry.settings);
    expect(await reasonOf(nobody, `${registry.host}/private/app:1`)).toContain(
      "asks for credentials for private/app:1: it is private, or there is no such image",
    );
  });

  test("takes a project's own credentials, and gives what came by them to no other project", async () => {
    const registry = registryOf();
    const image = makeImage([small, large]);
    registry.add("private/app", "1", image);
    registry.add("copy/app", "1", image);
    registry.intercept((request, path) => {
      const { authorization } = Object.fromEntries(request.headers);
      if (path === "/token")
        return authorization === basicOf("ann:secret")
          ? Response.json({ token: "abc" })
          : Response.json({}, { status: 401 });
      // Who has the manifest may publish it, without what it names.
      if (path.startsWith("/v2/copy/app/manifests/")) return undefined;
      if (path.startsWith("/v2/copy/") && !path.includes("/blobs/sha256:")) return undefined;
      if (authorization === "Bearer abc") return undefined;
      const challenge = `Bearer realm="http://${registry.host}/token",service="here"`;
      return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
    });
    const { images } = await imagesOf(registry.settings);
    const asked: string[] = [];
    const of = (project: string, password: string | null): ImageRequester => ({
      project,
      credentials: async (host) => {
        asked.push(host);
        return password === null ? null : { username: "ann", password };
      },
    });
    const [private_, copy] = [`${registry.host}/private/app:1`, `${registry.host}/copy/app:1`];
    expect(await reasonOf(images, private_, of("a", "wrong"))).toContain("refuses the project's credentials");
    const stored = await ensured(images, private_, of("b", "secret"));
    expect(asked).toEqual([registry.host, registry.host]);
    // At once, and under another name: neither the fresh pull nor the store gives it away.
    expect(await reasonOf(images, private_, of("c", null))).toContain("asks for credentials");
    expect(await reasonOf(images, copy, of("c", null))).toContain("asks for credentials");
    expect((await ensured(images, copy, of("b", "secret"))).digest).toBe(stored.digest);
    const blobs = () => registry.asked.filter((path) => path.includes(image.layers[0]?.digest ?? "")).length;
    const before = blobs();
    expect((await ensured(images, private_, of("d", "secret"))).layers).toEqual(stored.layers);
    // The other project has shown that it may have it: from the registry, not by the name.
    expect(blobs()).toBeGreaterThan(before);
  });

  test("asks a mirror first and the registry where that has nothing", async () => {
    const [registry, mirror] = [registryOf(), registryOf()];
    mirror.add("app", "1", makeImage([small]));
    registry.add("app", "2", makeImage([large]));
    const mirrors = new Map([[registry.host, [new URL(`http://${mirror.host}`)]]]);
    const { images } = await imagesOf({ ...registry.settings, mirrors });
    await ensured(images, `${registry.host}/app:1`);
    expect(registry.asked).toEqual([]);
    await ensured(images, `${registry.host}/app:2`);
    expect(mirror.asked.at(-1)).toContain("/blobs/");
  });

  test("leaves what containers have, or an operator has imported; all else goes a while after its last use", async () => {
    const registry = registryOf();
    const names = ["used", "unused", "imported"];
    for (const name of names) {
      const own = await layerOf({ [`srv/${name}`]: name });
      registry.add(name, "1", makeImage([small, own]));
    }
    const { images, folder } = await imagesOf(registry.settings);
    const [used, unused, imported] = await Promise.all(
      names.map((name) => ensured(images, `${registry.host}/${name}:1`)),
    );
    await images.store.importAs(parseImageReference("kept:1"), imported?.digest ?? "");
    // A new agent: this one has just had them in its hands.
    const { images: later } = await imagesOf(registry.settings, {}, folder);
    await later.collect(new Set([used?.digest ?? ""]));
    expect(await later.read(unused?.digest ?? "")).not.toBeNull();

    const longAgo = new Date(Date.now() - UNUSED_MS_MAX - 60_000);
    for (const part of ["images", "layers"])
      for (const name of readdirSync(join(folder, part)))
        utimesSync(join(folder, part, name), longAgo, longAgo);
    await later.collect(new Set([used?.digest ?? ""]));
    expect(await later.read(unused?.digest ?? "")).toBeNull();
    for (const kept of [used, imported]) {
      const layers = (await later.read(kept?.digest ?? ""))?.layers;
      expect(readFileSync(join(layers?.[1] ?? "", "srv/file"), "utf8")).toBe("text\n");
    }
    expect(readdirSync(join(folder, "layers")).filter((name) => !name.endsWith(".json"))).toHaveLength(3);
    expect(readdirSync(join(folder, "unfinished"))).toEqual([]);
  });

  test("stays within its bounds, and what is no image is named", async () => {
    const registry = registryOf();
    const add = (name: string, manifest: object) => {
      const bytes = Buffer.from(JSON.stringify(manifest));
      const mediaType = "application/vnd.oci.image.manifest.v1+json";
      registry.add(name, "1", {
        blobs: new Map(),
        layers: [],
        manifest: { bytes, mediaType, digest: digestOf(bytes) },
      });
    };
    const { manifest } = makeImage([small]);
    const good = JSON.parse(manifest.bytes.toString());
    add("old", { schemaVersion: 1, name: "old" });
    add("many", { ...good, layers: Array.from({ length: 128 }, () => good.layers[0]) });
    add("large", { ...good, layers: [{ ...good.layers[0], size: 10 ** 15 }] });
    add("chart", {
      ...good,
      config: { ...good.config, mediaType: "application/vnd.cncf.helm.config.v1+json" },
    });
    add("odd", { ...good, layers: [{ ...good.layers[0], digest: "../../etc" }] });
    const zeros = makeImage([await layerOf({ zeros: "\0".repeat(3_000_000) })]);
    registry.add("bomb", "1", zeros);
    const parts = ["a", "b", "c"].map((name) => layerOf({ [name]: "\0".repeat(1_000_000) }));
    registry.add("parts", "1", makeImage(await Promise.all(parts)));
    registry.intercept((_request, path) =>
      path.includes("/endless/") ? new Response("x".repeat(5_000_000)) : undefined,
    );
    const { images, folder } = await imagesOf(registry.settings, { diskMegabytes: 2 });
    const reasons = await Promise.all(
      ["old", "many", "large", "chart", "odd", "bomb", "endless", "parts"].map((name) =>
        reasonOf(images, `${registry.host}/${name}:1`),
      ),
    );
    for (const [at, part] of [
      "schema 1",
      "it has 128 layers, and 127 is the most",
      "it takes more than 2 MB (BERTH_CONTAINER_DISK_MB of its host)",
      "it is no container image, but application/vnd.cncf.helm.config.v1+json",
      "another form than OCI's: /layers/0/digest",
      "its files take more than 2 MiB",
      "sends a manifest of more than 4 MiB",
      "more than",
    ].entries())
      expect(reasons[at]).toContain(part);
    expect(readdirSync(join(folder, "images"))).toEqual([]);
    expect(readdirSync(join(folder, "unfinished"))).toEqual([]);
    // What the first try has left of its layers is no way around.
    expect(
      await reasonOf(images, `${registry.host}/parts@${await digestUnder(registry, "parts")}`),
    ).toContain("more than");
  });
});

/** What a tag leads to. */
const digestUnder = async (registry: StandInRegistry, name: string) =>
  digestOf(
    new Uint8Array(await (await fetch(`http://${registry.host}/v2/${name}/manifests/1`)).arrayBuffer()),
  );

test("nobody reaches the host's own network through a reference", async () => {
  const { images } = await imagesOf({ local: new Map(), mirrors: new Map(), credentialsFile: null });
  for (const host of ["127.0.0.1:1", "localhost:1", "10.0.0.1", "169.254.169.254"]) {
    expect(await reasonOf(images, `${host}/app:1`)).toContain(`${host} has an address of a private network`);
  }
  expect(["1.1.1.1", "2606:4700::1111"].every(isPublicAddress)).toBe(true);
  for (const address of [
    "100.64.0.1",
    "192.168.1.1",
    "::1",
    "fd00::1",
    "fe80::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
  ])
    expect(isPublicAddress(address)).toBe(false);
});

test.skipIf(lacks("root", "setpriv", "docker-registry"))(
  "a real registry that asks for a password is pulled from",
  async () => {
    const { host, authorization, push, stop } = await startDockerRegistry();
    ends.push(stop);
    const image = makeImage([small, large], { isDocker: true });
    await push("team/app", "1.0", image);

    const credentialsFile = join(temporaryFolder(), "config.json");
    writeFileSync(credentialsFile, JSON.stringify({ auths: { [host]: { auth: authorization.slice(6) } } }));
    const settings = {
      local: new Map([[host, new URL(`http://${host}`)]]),
      mirrors: new Map(),
      credentialsFile,
    };
    const own = { project: "a", credentials: async () => ({ username: "ann", password: "secret" }) };
    const { images: withoutFile } = await imagesOf({ ...settings, credentialsFile: null });
    await ensured(withoutFile, `${host}/team/app:1.0`, own);
    const { images } = await imagesOf(settings);
    const { digest, layers } = await ensured(images, `${host}/team/app:1.0`);
    expect(digest).toBe(image.manifest.digest);
    expect(layers).toHaveLength(2);
    expect(readFileSync(join(layers[1] ?? "", "srv/file"), "utf8")).toBe("text\n");
    expect(await reasonOf(images, `${host}/team/app:2.0`)).toContain(
      "has no team/app:2.0 (manifest unknown)",
    );
  },
);
