import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { ConcurrencyLimiter } from "../../../agents/exec/concurrency-limiter.ts";
import type { ExecTarget } from "../../../agents/exec/target.ts";
import { filesService } from "../../../agents/services/files.ts";
import { LISTING_LIMITS } from "../../../agents/services/limits.ts";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { until } from "../../harness/until.ts";
import { newSpec, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { countPrograms } from "./counted-programs.ts";
import { writtenUntilHeldUp } from "./held-up.ts";

/** For what is to be cut off. Without a deadline each of these takes a quarter of an hour. */
const DEADLINE_MS = 1_000;
/** For what ends by itself, or by another bound: on a busy machine the start of a shell takes seconds. */
const AMPLE_MS = 240_000;
/** The most that a program that is run for a few lines may say. */
const OUTPUT_BYTES = 64 * 1024;
/** A listing ends with the piece of its program's output in which a megabyte of names is full. The whole folder below has 4.6 MB. */
const LISTING_READ_BYTES_MAX = 2 << 20;
/** What a pipe and its reader's first piece hold. */
const UNREAD_BYTES_MAX = 1 << 20;

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

  const shell = (line: string, msMax = AMPLE_MS) =>
    machine.run({ user: null, argv: ["/bin/sh", "-c", line], msMax });

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
    const ended = await shell(line, outcome.boundMet === "deadline" ? DEADLINE_MS : AMPLE_MS);
    expect(ended).toMatchObject(outcome);
    expect(ended.stdout.length).toBeLessThanOrEqual(OUTPUT_BYTES);
  });

  test("is killed at the deadline", async () => {
    await shell("sleep 4321.5; true", 3_000);
    await until(async () => {
      const { code, stdout } = await shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
      return code === 0 && !stdout.includes("sleep 4321.5 ");
    });
  });

  test("and floods a download that nobody reads is held up by that", async () => {
    const bytes = String(3_000_000_000 + Math.floor(Math.random() * 1e9));
    // The runtime reads the arguments from a file: only the program has the number in its command line.
    const program = machine.stream({ user: null, argv: ["head", "-c", bytes, "/dev/zero"] }, null);
    await program.stdout.getReader().read();
    expect(await writtenUntilHeldUp(`head\0-c\0${bytes}`)).toBeLessThan(UNREAD_BYTES_MAX);
    program.kill();
    await program.exited;
  });

  describe("in place of those that look at files", () => {
    const files = async (path: string, changes: Partial<ExecTarget>, idleMs: number) => {
      const { target, programs } = countPrograms({ ...machine, ...changes });
      const listings = new ConcurrencyLimiter(LISTING_LIMITS);
      const serve = filesService({ target, owner: spec.id, listings, idleMs });
      const response = await serve(new Request(`http://container${path}`));
      const text = await response.text().catch(() => "broke off");
      for (const { readBytes } of programs) expect(readBytes).toBeLessThan(LISTING_READ_BYTES_MAX);
      return { status: response.status, text };
    };
    const looked = (line: string, msMax = AMPLE_MS) => files("/", { run: () => shell(line, msMax) }, msMax);
    /** Looked at as it is, and listed or read by this. */
    const read = (line: string, path: string, idleMs = AMPLE_MS) =>
      files(
        path,
        {
          run: (request) => machine.run({ ...request, msMax: AMPLE_MS }),
          stream: () => machine.stream({ user: null, argv: ["/bin/sh", "-c", line] }, null),
        },
        idleMs,
      );
    const did = (status: number, what: string) => ({
      status,
      text: `The container did not say: it ${what}.\n`,
    });

    test("is answered for in time", async () => {
      const hang = "sleep 1000; true";
      expect(
        await Promise.all([
          looked(hang, DEADLINE_MS),
          read(hang, "/etc", DEADLINE_MS),
          read(hang, "/etc/hostname", DEADLINE_MS),
        ]),
      ).toEqual([
        did(504, "did not end within 1 s"),
        did(504, "did not end within 1 s"),
        { status: 200, text: "broke off" },
      ]);
    });

    test("is answered for by what happened, not by memory", async () => {
      expect(await looked("yes")).toEqual(did(502, "wrote more than it may"));
      for (const line of ["yes", "yes '' | tr '\\n' '\\0'", "echo end"]) {
        expect(await read(line, "/etc")).toEqual(did(502, "wrote something else"));
      }
    });

    test("gives a download as many bytes as the file has, or breaks off", async () => {
      expect(await read("yes | head -c 1G", "/etc/hostname")).toEqual({ status: 200, text: "y\ny\n" });
      expect((await read("printf 1", "/etc/hostname")).text).toBe("broke off");
    });
  });

  test("of 40 listings at once of a folder of 20,000 files two are read, six wait, the rest are refused, and none takes more than a megabyte of names", async () => {
    // In memory: on a busy disk thousands of files take their time.
    const made = await shell(
      `mkdir /tmp/many; cd /tmp/many; seq -f ${"x".repeat(200)}%g 20000 | xargs touch`,
    );
    expect(made).toMatchObject({ code: 0, boundMet: null });
    const ALL = 40;
    const { perOwner, queuedPerOwner } = LISTING_LIMITS;
    const looking = Promise.withResolvers<void>();
    let looked = 0;
    const { target, programs } = countPrograms({
      ...machine,
      // All ask for a permit at the same time, whichever was looked at first.
      async run(request) {
        const result = await machine.run({ ...request, msMax: AMPLE_MS });
        if (++looked === ALL) looking.resolve();
        await looking.promise;
        return result;
      },
    });
    const serve = filesService({
      target,
      owner: spec.id,
      listings: new ConcurrencyLimiter({ ...LISTING_LIMITS, queueMsMax: AMPLE_MS }),
      idleMs: AMPLE_MS,
    });
    const answers: Response[] = [];
    const listed = () => answers.filter(({ status }) => status === 200);
    const read = Promise.withResolvers<void>();
    const sizes = Array.from({ length: ALL }, async () => {
      const response = await serve(new Request("http://container/tmp/many"));
      answers.push(response);
      await read.promise;
      let bytes = 0;
      for await (const piece of response.body ?? []) bytes += piece.length;
      return bytes;
    });
    await until(() => answers.length === ALL - queuedPerOwner);
    // What is not read yet keeps its permit: nobody's turn comes before.
    expect([listed().length, programs.length]).toEqual([perOwner, perOwner]);
    for (const one of answers.filter((answer) => !listed().includes(answer))) {
      expect([one.status, one.headers.get("retry-after")]).toEqual([503, "2"]);
    }
    read.resolve();
    // Each is cut at a megabyte of names and what is said of them, which a page says three times.
    for (const bytes of await Promise.all(sizes)) expect(bytes).toBeLessThan(5 << 20);
    expect([listed().length, programs.length]).toEqual([
      perOwner + queuedPerOwner,
      perOwner + queuedPerOwner,
    ]);
    for (const { readBytes, runningAtStart } of programs) {
      expect(readBytes).toBeWithin(1, LISTING_READ_BYTES_MAX);
      expect(runningAtStart).toBeLessThanOrEqual(perOwner);
    }
  });
});
