import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { ConcurrencyLimiter } from "../../../agents/exec/concurrency-limiter.ts";
import type { ExecTarget } from "../../../agents/exec/target.ts";
import { filesService } from "../../../agents/services/files.ts";
import { LISTING_LIMITS } from "../../../agents/services/limits.ts";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { newSpec, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";

/** Enough for a shell in a container of a busy machine. */
const MS_MAX = 3_000;
/** Without a deadline each of these takes a quarter of an hour. */
const SECONDS_MAX = 20;
const GROWTH_BYTES_MAX = 64 << 20;
/** Two listings at a time, and what the collector has not freed of those before. Without a limit it is most of a gigabyte. */
const LISTINGS_GROWTH_BYTES_MAX = 128 << 20;

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a program of a container that means harm", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec: ContainerSpec = newSpec(pool);
  let init: ProcessIdentity;
  let machine: ExecTarget;

  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    init = (await driver.start(spec, async () => undefined)).init;
    machine = driver.execTarget(spec, () => init);
  });
  afterAll(async () => {
    await driver.stop(spec, init, 0);
    await driver.destroy(spec);
    await driver.release();
  });

  /** What came of a call, how long it took, and whether the agent grew by it. */
  async function attacked<T>(call: () => Promise<T>, growthMax = GROWTH_BYTES_MAX): Promise<T> {
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 10);
    const startedAt = performance.now();
    const result = await call();
    clearInterval(watch);
    expect((performance.now() - startedAt) / 1_000).toBeLessThan(SECONDS_MAX);
    expect(most - before).toBeLessThan(growthMax);
    return result;
  }
  const shell = (line: string) => machine.run({ user: null, argv: ["/bin/sh", "-c", line], msMax: MS_MAX });

  test.each([
    ["floods its output", "yes | head -c 3G", { code: null, boundMet: "stdout" }],
    ["never ends", "echo begun; sleep 1000; true", { code: null, boundMet: "deadline" }],
    ["forks and leaves", "sleep 1000 & echo left", { code: 0, boundMet: null }],
    ["leaves its output to a grandchild", "(setsid sleep 1000 &); echo left", { code: 0, boundMet: null }],
    [
      "waits while a grandchild drips",
      "(setsid sh -c 'while echo x; do sleep 0.1; done' &); sleep 1000",
      { code: null, boundMet: "deadline" },
    ],
  ])("and %s neither fills the agent's memory nor holds it up", async (_, line, outcome) => {
    expect(await attacked(() => shell(line))).toMatchObject(outcome);
  });

  test("is killed at the deadline", async () => {
    await attacked(() => shell("sleep 4321.5; true"));
    const { stdout } = await shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
    expect(stdout).not.toContain("sleep 4321.5 ");
  });

  test("and floods a download that nobody reads is held up by that", async () => {
    await attacked(async () => {
      const program = machine.stream({ user: null, argv: ["sh", "-c", "yes | head -c 3G"] }, null);
      await program.stdout.getReader().read();
      expect(await Promise.race([program.exited, Bun.sleep(2_000).then(() => "waits")])).toBe("waits");
      program.kill();
      await program.exited;
    });
  });

  describe("in place of those that look at files", () => {
    const files = async (path: string, changes: Partial<ExecTarget>) => {
      const serve = filesService({
        target: { ...machine, ...changes },
        owner: spec.id,
        listings: new ConcurrencyLimiter(LISTING_LIMITS),
        idleMs: MS_MAX,
      });
      const response = await serve(new Request(`http://container${path}`));
      return { status: response.status, text: await response.text().catch(() => "broke off") };
    };
    const looked = (line: string) => files("/", { run: () => shell(line) });
    /** Looked at as it is, and listed or read by this. */
    const read = (line: string, path: string) =>
      files(path, {
        stream: () => machine.stream({ user: null, argv: ["/bin/sh", "-c", line] }, null),
      });
    const did = (status: number, what: string) => ({
      status,
      text: `The container did not say: it ${what}.\n`,
    });

    test("is answered for in time", async () => {
      const hang = "sleep 1000; true";
      expect(
        await attacked(() => Promise.all([looked(hang), read(hang, "/etc"), read(hang, "/etc/hostname")])),
      ).toEqual([
        did(504, "did not end within 3 s"),
        did(504, "did not end within 3 s"),
        { status: 200, text: "broke off" },
      ]);
    });

    test("is answered for by what happened, not by memory", async () => {
      expect(await attacked(() => looked("yes"))).toEqual(did(502, "wrote more than it may"));
      for (const line of ["yes", "yes '' | tr '\\n' '\\0'", "echo end"]) {
        expect(await attacked(() => read(line, "/etc"))).toEqual(did(502, "wrote something else"));
      }
    });

    test("gives a download as many bytes as the file has, or breaks off", async () => {
      const flood = await attacked(() => read("yes | head -c 1G", "/etc/hostname"));
      expect(flood).toEqual({ status: 200, text: "y\ny\n" });
      expect((await attacked(() => read("printf 1", "/etc/hostname"))).text).toBe("broke off");
    });
  });

  test("40 listings at once of a folder of 20,000 files cost the agent a bounded amount of memory", async () => {
    // In memory: on a busy disk thousands of files take their time.
    await shell(`mkdir /tmp/many; cd /tmp/many; seq -f ${"x".repeat(200)}%g 20000 | xargs touch`);
    const serve = filesService({
      target: machine,
      owner: spec.id,
      listings: new ConcurrencyLimiter(LISTING_LIMITS),
    });
    const list = async () => {
      const response = await serve(new Request("http://container/tmp/many"));
      let bytes = 0;
      for await (const piece of response.body ?? []) bytes += piece.length;
      return { status: response.status, retryAfter: response.headers.get("retry-after"), bytes };
    };
    const answers = await attacked(
      () => Promise.all(Array.from({ length: 40 }, list)),
      LISTINGS_GROWTH_BYTES_MAX,
    );
    const listed = answers.filter(({ status }) => status === 200);
    expect(listed.length).toBeGreaterThan(1);
    // Each is cut at a megabyte of names and what is said of them, which a page says three times.
    for (const { bytes } of listed) expect(bytes).toBeLessThan(5 << 20);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) expect(one).toMatchObject({ status: 503, retryAfter: "2" });
  });
});
