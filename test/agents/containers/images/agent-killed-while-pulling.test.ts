import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ImageStore } from "../../../../agents/containers/images/store.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { layerOf, makeImage } from "./sample-images.ts";
import { startRegistry } from "./stand-in-registry.ts";

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
    const [, large] = image.layers;
    const { digest } = image.manifest;
    const config = JSON.parse(image.manifest.bytes.toString()).config.digest;
    const folder = temporaryFolder();
    const whole = async () => {
      const stored = await new ImageStore(folder).read(digest);
      if (stored === null) return false;
      const [top = "", bottom = ""] = stored.layers;
      expect(readFileSync(join(top, "srv/large"), "utf8")).toHaveLength(10_000_000);
      expect(readFileSync(join(bottom, "srv/small"), "utf8")).toBe("small");
      return true;
    };
    // Where its registry leaves it waiting.
    for (const part of ["/manifests/", config, large?.digest ?? ""]) {
      const asked = Promise.withResolvers<void>();
      registry.intercept((_request, path) => {
        if (!path.includes(part)) return undefined;
        asked.resolve();
        return new Promise<never>(() => undefined);
      });
      const victim = start(folder);
      await asked.promise;
      victim.kill("SIGKILL");
      await victim.exited;
      expect(await whole()).toBe(false);
    }
    registry.intercept(() => undefined);
    // As it writes. Whether it comes further before it is killed is a matter of luck: it is all there, or not there.
    const STEPS = [
      () => list(folder, "blobs").length > 0,
      () => list(folder, "unfinished").length > 0,
      () => list(folder, "layers").some((name) => !name.endsWith(".json")),
    ];
    for (const isThere of STEPS) {
      const victim = start(folder);
      await until(() => isThere() || victim.exitCode !== null);
      victim.kill("SIGKILL");
      await victim.exited;
      await whole();
    }
    expect(await start(folder).exited).toBe(0);
    expect(await whole()).toBe(true);
    expect(list(folder, "unfinished")).toEqual([]);
    expect(list(folder, "blobs")).toEqual([]);
  });
});
