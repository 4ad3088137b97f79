import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Images } from "../../../../agents/containers/images/images.ts";
import { ImagesKeptReady } from "../../../../agents/containers/images/images-kept-ready.ts";
import { UNUSED_MS_MAX } from "../../../../agents/containers/images/limits.ts";
import { DEFAULT_LIMITS } from "../../../../agents/containers/limits.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { layerOf, makeImage } from "./sample-images.ts";
import { type StandInRegistry, startRegistry } from "./stand-in-registry.ts";

/** Images that a host has before a container asks for them. */

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const image = makeImage([await layerOf({ "srv/file": "text\n" })]);

async function hostOf(registry: StandInRegistry, folder = temporaryFolder()) {
  const log = pino({ level: "silent" });
  const images = new Images({ folder, settings: registry.settings, limits: DEFAULT_LIMITS, log });
  await images.prepare();
  ends.push(() => images.close());
  const kept = new ImagesKeptReady(images, folder);
  await kept.load();
  return { images, kept, folder };
}

/** As if nothing had been used for longer than unused images stay. */
function age(folder: string): void {
  const old = new Date(Date.now() - UNUSED_MS_MAX - 60_000);
  for (const part of ["images", "layers"])
    for (const name of readdirSync(join(folder, part))) utimesSync(join(folder, part, name), old, old);
}

describe.skipIf(lacks("root", "setpriv"))("an image that hosts keep ready", () => {
  test("is pulled without a container, outlives the removal of unused images, and goes when it leaves the list", async () => {
    const registry = startRegistry();
    ends.push(() => registry.stop());
    registry.add("app", "1", image);
    const reference = `${registry.host}/app:1`;
    const { images, kept, folder } = await hostOf(registry);
    const [first] = await kept.prepare([reference]);
    expect(first).toEqual({ reference, state: "pulling", digest: null, error: null });
    await until(async () => (await kept.prepare([reference]))[0]?.state === "ready");
    const [ready] = await kept.prepare([reference]);
    expect(ready?.digest).toBe(image.manifest.digest);

    age(folder);
    await images.collect(new Set(kept.digests));
    expect((await images.read(image.manifest.digest))?.digest).toBe(image.manifest.digest);

    // The next agent knows it before it has heard of the control plane.
    await images.close();
    const next = await hostOf(registry, folder);
    expect(next.kept.digests).toEqual([image.manifest.digest]);
    age(folder);
    await next.images.collect(new Set(next.kept.digests));
    expect(await next.images.read(image.manifest.digest)).not.toBeNull();

    expect(await next.kept.prepare([])).toEqual([]);
    expect(next.kept.digests).toEqual([]);
    await next.images.collect(new Set(next.kept.digests));
    expect(await next.images.read(image.manifest.digest)).toBeNull();
  });

  test("that cannot be pulled says why, beside one that can", async () => {
    const registry = startRegistry();
    ends.push(() => registry.stop());
    registry.add("app", "1", image);
    const [good, missing] = [`${registry.host}/app:1`, `${registry.host}/none:1`];
    const { kept } = await hostOf(registry);
    await until(async () => (await kept.prepare([good, missing])).every(({ state }) => state !== "pulling"));
    expect(await kept.prepare([good, missing])).toEqual([
      { reference: good, state: "ready", digest: image.manifest.digest, error: null },
      { reference: missing, state: "error", digest: null, error: expect.stringContaining(missing) },
    ]);
  });
});
