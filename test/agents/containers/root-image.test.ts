import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { diskUse } from "../../../agents/containers/disk.ts";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import type { OciDriver } from "../../../agents/containers/oci/driver.ts";
import { debootstrap, RootImages } from "../../../agents/containers/root-image.ts";
import { run } from "../../../agents/exec/command.ts";
import { HostReconciler } from "../../../agents/reconciler/reconciler.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { newId } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";
import { output } from "./inside.ts";
import { newSpec, testPool } from "./specs.ts";

const PROGRAMS = ["sh", "cat", "head", "rm", "ls", "sleep"];
const MOTTO = "of the image";

/** A system that is just enough for a container's init: some of this machine's programs, and what they are linked with. */
async function small(folder: string): Promise<void> {
  for (const name of ["bin", "lib", "lib64"]) {
    mkdirSync(join(folder, "usr", name), { recursive: true });
    symlinkSync(`usr/${name}`, join(folder, name));
  }
  for (const name of ["etc", "root", "srv"]) mkdirSync(join(folder, name));
  for (const program of PROGRAMS) {
    const path = Bun.which(program) ?? program;
    const libraries = (await run(["ldd", path])).match(/\/\S+/g) ?? [];
    await run(["cp", "-L", "--parents", ...libraries, folder]);
    await run(["cp", "-L", path, join(folder, "usr/bin", program)]);
  }
  writeFileSync(join(folder, "srv/motto"), `${MOTTO}\n`);
}

const log = pino({ level: "silent" });
const imagesOf = (make: (folder: string) => Promise<void>, folder = join(temporaryFolder(), "images")) =>
  new RootImages({ name: "debian13", folder, log, make });
const reasonOf = (images: RootImages) => {
  try {
    images.current();
  } catch (error) {
    return String(error);
  }
  return "";
};

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a root image", () => {
  const pool = testPool(10);
  const images = imagesOf(small);
  const driver = newDriver(pool, { images });

  beforeAll(async () => {
    await driver.prepare();
    await images.settled();
  });
  afterAll(() => driver.release());

  /** Starts a container for as long as something is done in it. */
  async function within<T>(on: OciDriver, spec: ContainerSpec, work: (pid: number) => Promise<T>) {
    await on.create(spec);
    const { init } = await on.start(spec, async () => undefined);
    try {
      return await work(init.pid);
    } finally {
      await on.stop(spec, init, 0);
    }
  }

  test("a container's root lies over it: its own to change, and the next one's is as new", async () => {
    images.prepare();
    await images.settled();
    const [spec, other] = [newSpec(pool), newSpec(pool)];
    await within(driver, spec, async (pid) => {
      expect(await output(pid, "cat /srv/motto; ls /usr/bin")).toBe(
        `${MOTTO}\n${PROGRAMS.toSorted().join("\n")}`,
      );
      await output(pid, "rm -r /srv/motto /usr/bin/ls; echo mine >/usr/file; echo mine >/etc/file");
    });
    await within(driver, spec, async (pid) => {
      expect(await output(pid, "cat /usr/file /etc/file; echo /srv/* /usr/bin/ls*")).toBe(
        "mine\nmine\n/srv/* /usr/bin/ls*",
      );
    });
    await within(driver, other, async (pid) => {
      expect(await output(pid, "cat /srv/motto; echo /usr/file*")).toBe(`${MOTTO}\n/usr/file*`);
    });
    expect(readFileSync(join(images.folderOf("debian13"), "srv/motto"), "utf8")).toBe(`${MOTTO}\n`);
    for (const one of [spec, other]) await driver.destroy(one);
  });

  test("a disk that cannot lay files over others runs no containers of it, and their owners learn why", async () => {
    // A path with a colon in it cannot be a layer.
    const from = imagesOf(small, join(temporaryFolder(), "with:colon"));
    from.prepare();
    await from.settled();
    const spec = newSpec(pool);
    await expect(newDriver(pool, { images: from }).create(spec)).rejects.toThrow("(overlayfs)");
  });

  test("what a container holds open without a name counts for its disk, whatever its root is made of", async () => {
    const hold =
      "exec 3>/srv/x; head -c 20000000 /dev/zero >&3; rm /srv/x; echo >/srv/ready; exec sleep 1000";
    const spec = newSpec(pool, { command: ["sh", "-c", hold] });
    await within(driver, spec, async () => {
      await until(() => existsSync(join(spec.folder, "root/srv/ready")));
      const measure = async (processes: readonly number[]) =>
        (await diskUse(spec.folder, 100_000, processes)).bytes;
      const held = (await measure(await driver.processes(spec))) - (await measure([]));
      expect(held).toBeGreaterThanOrEqual(20_000_000);
    });
    await driver.destroy(spec);
  });

  test("a container keeps what it was made of, whatever new ones get", async () => {
    const [old, young] = [newSpec(pool), newSpec(pool)];
    const before = newDriver(pool);
    await within(before, old, (pid) => output(pid, "echo kept >/srv/file"));
    expect(await within(driver, old, (pid) => output(pid, "cat /srv/file; echo /srv/motto*"))).toBe(
      "kept\n/srv/motto*",
    );
    const moved = new RootImages({
      name: null,
      folder: join(images.folderOf("debian13"), ".."),
      log,
      make: small,
    });
    await within(driver, young, (pid) => output(pid, "echo kept >/srv/file"));
    const later = newDriver(pool, { images: moved });
    expect(await within(later, young, (pid) => output(pid, "cat /srv/file /srv/motto"))).toBe(
      `kept\n${MOTTO}`,
    );
    const fresh = newSpec(pool);
    expect(await within(later, fresh, (pid) => output(pid, "echo /srv/motto*"))).toBe("/srv/motto*");
    expect(within(before, young, async () => "")).rejects.toThrow("debian13, is not on this host");
    for (const one of [old, young, fresh]) await driver.destroy(one);
  });

  test("containers that need it wait while it is made, and say so; then they run, and leave it as it was when they go", async () => {
    const begun = Promise.withResolvers<void>();
    const id = newId();
    const reported: string[] = [];
    const slow = imagesOf(async (folder) => {
      await begun.promise;
      await small(folder);
    });
    const own = testPool(10);
    const data = temporaryFolder();
    const agent = new HostReconciler({
      server: "node-9",
      driver: newDriver(own, { images: slow }),
      filter: null,
      data,
      reports: {
        container: (_id, { state, error }) => reported.push(error === null ? state : `${state}: ${error}`),
        firewall: () => undefined,
      },
      log,
    });
    await agent.start();
    const wanted = {
      server_name: "node-9",
      id,
      project_id: "0".repeat(24),
      name: "web",
      generation: 0,
      command: [],
    };
    agent.desire(`container.${id}`, { ...wanted, revision: 1, state: "running" });
    await until(() =>
      reported.some((one) => one.startsWith("creating: the root image debian13 of its host is being made")),
    );
    begun.resolve();
    await until(() => reported.at(-1) === "running");
    agent.desire(`container.${id}`, { ...wanted, revision: 2, state: "deleted" });
    await until(() => reported.at(-1) === "deleted");
    // Its own files go, and the image that they lay over stays.
    await until(() => readdirSync(join(data, "containers/.removed")).length === 0);
    expect(readdirSync(join(data, "containers"))).toEqual([".removed"]);
    expect(readFileSync(join(slow.folderOf("debian13"), "srv/motto"), "utf8")).toBe(`${MOTTO}\n`);
    await agent.close();
    await agent.shutdown();
  });
});

test("an image that could not be made is told with the reason, and leaves nothing that counts as one", async () => {
  let tries = 0;
  const images = imagesOf(async (folder) => {
    tries += 1;
    writeFileSync(join(folder, "half"), "");
    throw new Error("the mirror is on fire");
  });
  expect(reasonOf(images)).toContain("is being made");
  await images.settled();
  for (let asked = 0; asked < 3; asked += 1) {
    expect(reasonOf(images)).toContain("debian13 could not be made: the mirror is on fire");
  }
  await images.settled();
  expect(tries).toBe(1);
  expect(existsSync(images.folderOf("debian13"))).toBe(false);
});

test.skipIf(lacks("root", "oci", "debootstrap"))(
  "a mirror that does not answer is told as what it is",
  async () => {
    const images = imagesOf(debootstrap("http://127.0.0.1:9/debian"));
    images.prepare();
    await images.settled();
    expect(reasonOf(images)).toMatch(/could not be made: debootstrap: .*127\.0\.0\.1:9/);
  },
);
