import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ImageStore } from "../../../../agents/containers/images/store.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { layerOf, makeImage } from "./sample-images.ts";
import { startRegistry } from "./stand-in-registry.ts";

// Past a time limit the runner kills every process of the run: only what hangs may meet it.
setDefaultTimeout(60_000);

describe.skipIf(lacks("root", "setpriv"))("an agent that is killed as it pulls", () => {
  const registry = startRegistry();
  afterAll(() => registry.stop());

  const start = (folder: string) =>
    Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "pull-victim.ts"),
        folder,
        registry.host,
        `${registry.host}/app:1`,
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
  const list = (folder: string, part: string) => {
    try {
      return readdirSync(join(folder, part));
    } catch {
      return [];
    }
  };

  test("leaves nothing that counts as an image, at whatever step, and the next one completes it", async () => {
    const layers = [
      await layerOf({ "srv/small": "small" }),
      await layerOf({ "srv/large": "0123456789".repeat(1_000_000) }),
    ];
    // Unpressed, so that it takes a while.
    const image = makeImage(layers, { compression: "none" });
    registry.add("app", "1", image);
    const [small, large] = image.layers;
    const { digest } = image.manifest;
    const config = JSON.parse(image.manifest.bytes.toString()).config.digest;
    /** Holds the answer back until the victim is gone. */
    const asks = (part: string, before: number) => () =>
      registry.asked.slice(before).some((path) => path.includes(part));
    const STEPS: readonly ((folder: string, before: number) => () => boolean)[] = [
      (_folder, before) => asks("/manifests/", before),
      (_folder, before) => asks(config, before),
      (_folder, before) => asks(large?.digest ?? "", before),
      (folder) => () => list(folder, "blobs").length > 0,
      (folder) => () => list(folder, "unfinished").length > 0,
      (folder) => () => list(folder, "layers").some((name) => !name.endsWith(".json")),
    ];
    const folder = temporaryFolder();
    for (const [at, step] of STEPS.entries()) {
      const victim = start(folder);
      await until(step(folder, registry.asked.length));
      victim.kill("SIGKILL");
      await victim.exited;
      const stored = await new ImageStore(folder).read(digest);
      // Only the last step may have been its last.
      if (at < STEPS.length - 1) expect(stored).toBeNull();
    }
    expect(await start(folder).exited).toBe(0);
    const stored = await new ImageStore(folder).read(digest);
    const [top = "", bottom = ""] = stored?.layers ?? [];
    expect(readFileSync(join(top, "srv/large"), "utf8")).toHaveLength(10_000_000);
    expect(readFileSync(join(bottom, "srv/small"), "utf8")).toBe("small");
    expect(list(folder, "unfinished")).toEqual([]);
    expect(list(folder, "blobs")).toEqual([]);
    expect(small?.digest).not.toBe(large?.digest);
  });
});
