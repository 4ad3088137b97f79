import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { IMAGE_STORE, ImageStore } from "../../../../agents/containers/images/store.ts";
import { run } from "../../../../agents/exec/command.ts";
import { parseImageReference } from "../../../../schemas/hosting/image-reference.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { lacks } from "../../requirements.ts";
import { layerOf, makeImage, type SampleImage } from "./sample-images.ts";

const ROOT = join(import.meta.dir, "../../../..");

/** As an operator does it, with the command. */
async function imported(path: string, name: string, data: string) {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/berth.ts"), "image", "import", path, name], {
    env: { ...process.env, BERTH_DATA: data },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { said: `${stdout}${stderr}`.trim(), code: await child.exited };
}

function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function layoutOf(image: SampleImage, change: Readonly<Record<string, Uint8Array>> = {}): string {
  const { mediaType, digest, bytes } = image.manifest;
  const manifests = [{ mediaType, digest, size: bytes.length }];
  const blobs = [...image.blobs].map(([name, blob]) => [
    `blobs/${name.replace(":", "/")}`,
    change[name] ?? blob,
  ]);
  return writeFiles({
    "oci-layout": '{"imageLayoutVersion":"1.0.0"}',
    "index.json": JSON.stringify({ schemaVersion: 2, manifests }),
    ...Object.fromEntries(blobs),
  });
}

describe.skipIf(lacks("root", "setpriv"))("berth image import", () => {
  /** What a container of this name would be made of. */
  async function found(data: string, name: string) {
    const store = new ImageStore(join(data, IMAGE_STORE));
    const digest = await store.imported(parseImageReference(name));
    return digest === null ? null : store.read(digest);
  }

  test("takes a folder in OCI's layout, and an archive of docker save", async () => {
    const data = temporaryFolder();
    const [below, above] = [await layerOf({ "srv/a": "below" }), await layerOf({ "srv/b": "above" })];
    const image = makeImage([below, above], { config: { Cmd: ["/a"] } });
    const { said, code } = await imported(layoutOf(image), "team/app:1", data);
    expect({ said, code }).toEqual({
      said: `imported  docker.io/team/app:1  ${image.manifest.digest}`,
      code: 0,
    });
    const first = await found(data, "docker.io/team/app:1");
    expect(first?.config.config?.Cmd).toEqual(["/a"]);
    expect(readFileSync(join(first?.layers[0] ?? "", "srv/b"), "utf8")).toBe("above");

    const config = JSON.parse(
      image.blobs.get(JSON.parse(image.manifest.bytes.toString()).config.digest)?.toString() ?? "",
    );
    const saved = writeFiles({
      "manifest.json": JSON.stringify([
        { Config: "config.json", RepoTags: ["x:1"], Layers: ["1/layer.tar", "2/layer.tar"] },
      ]),
      "config.json": JSON.stringify(config),
      "1/layer.tar": below,
      "2/layer.tar": above,
    });
    const archive = join(temporaryFolder(), "saved.tar.gz");
    await run(["tar", "--create", "--gzip", `--file=${archive}`, `--directory=${saved}`, "."]);
    expect((await imported(archive, "saved:1", data)).code).toBe(0);
    // The same layers, which are there once.
    expect((await found(data, "saved:1"))?.layers).toEqual(first?.layers ?? []);
  });

  test("says what is wrong with what it is given, and keeps nothing of it", async () => {
    const data = temporaryFolder();
    const image = makeImage([await layerOf({ "srv/a": "a" })]);
    const [layer] = image.layers;
    const damaged = layoutOf(image, { [layer?.digest ?? ""]: Buffer.from("x") });
    for (const [path, name, reason] of [
      [damaged, "app:1", "a layer of it cannot be unpacked"],
      [writeFiles({ file: "x" }), "app:1", "it has neither OCI's index.json nor Docker's manifest.json"],
      [join(damaged, "nowhere"), "app:1", "is not there"],
      [damaged, "App", "the reference must be an image such as"],
      [writeFiles({ "manifest.json": "[{}]" }), "app:1", "its manifest.json is none of docker save"],
      [
        writeFiles({ "manifest.json": '[{"Config":"../../etc/passwd","Layers":[]}]' }),
        "app:1",
        "it has no ../../etc/passwd",
      ],
      [
        layoutOf(makeImage([await layerOf({})], { architecture: "s390x" })),
        "app:1",
        "it is built for linux/s390x",
      ],
      [layoutOf(makeImage([])), "app:1", "not one layer"],
    ] as const) {
      const { said, code } = await imported(path, name, data);
      expect({ said, code }).toEqual({ said: expect.stringContaining(reason), code: 2 });
    }
    expect(await found(data, "app:1")).toBeNull();
  });
});
