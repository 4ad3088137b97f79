import { describe, expect, test } from "bun:test";
import { run } from "../../../agents/exec/command.ts";
import { type ProgramBounds, resultOf, runProgram, startProgram } from "../../../agents/exec/program.ts";
import { until } from "../../harness/until.ts";
import { processesWith } from "../notifier/desktop/desktop.ts";
import { writtenUntilHeldUp } from "./held-up.ts";

const BOUNDS: ProgramBounds = { msMax: 30_000, stdoutBytesMax: 1_000, stderrBytesMax: 1_000 };
const shell = (line: string, bounds: Partial<ProgramBounds> = {}) =>
  runProgram(["/bin/sh", "-c", line], {}, { ...BOUNDS, ...bounds });
/** Seconds of a sleep that no other process has. */
const mark = () => `${1_000_000 + Math.floor(Math.random() * 1_000_000)}.75`;
const text = ({ stdout, stderr }: { stdout: Buffer; stderr: Buffer }) => [`${stdout}`, `${stderr}`];

describe("a program", () => {
  test("that ends by itself has its code and all that it wrote", async () => {
    const ended = await shell("echo out; echo err >&2; exit 3");
    expect([ended.code, ended.boundMet, ...text(ended)]).toEqual([3, null, "out\n", "err\n"]);
    expect((await shell("kill -9 $$")).code).toBe(137);
    const copied = await runProgram(["cat"], { input: Buffer.from("given") }, BOUNDS);
    expect(text(copied)[0]).toBe("given");
    expect(() => runProgram(["/none/such"], {}, BOUNDS)).toThrow();
  });

  test("may write up to its cap, and not one byte more", async () => {
    const full = await shell("head -c 1000 /dev/zero");
    expect([full.code, full.stdout.length]).toEqual([0, 1_000]);
    const over = await shell("head -c 1001 /dev/zero; sleep 60");
    expect([over.code, over.boundMet, over.stdout.length]).toEqual([null, "stdout", 1_000]);
    const complaint = await shell("head -c 1001 /dev/zero >&2; sleep 60");
    expect([complaint.boundMet, complaint.stderr.length]).toEqual(["stderr", 1_000]);
  });

  test.each([
    ["runs on", (seconds: string) => `sleep ${seconds}`],
    ["has children that run on", (seconds: string) => `sleep ${seconds} & sleep ${seconds}; true`],
    ["has a child in a session of its own", (seconds: string) => `setsid --wait sleep ${seconds}; true`],
  ])("that %s is killed at its deadline with all that it started", async (_, line) => {
    const seconds = mark();
    const ended = await shell(`echo begun; ${line(seconds)}`, { msMax: 2_000 });
    expect([ended.code, ended.boundMet, `${ended.stdout}`]).toEqual([null, "deadline", "begun\n"]);
    await until(() => processesWith(seconds).length === 0);
  });

  test("is killed when the caller gives up", async () => {
    const seconds = mark();
    const stop = new AbortController();
    const ended = shell(`sleep ${seconds}`, { signal: stop.signal });
    await until(() => processesWith(seconds).length > 0);
    stop.abort();
    expect(await ended).toMatchObject({ code: null, boundMet: "signal" });
    await until(() => processesWith(seconds).length === 0);
    expect((await shell("sleep 60", { signal: stop.signal })).boundMet).toBe("signal");
  });

  test("that left a process behind which holds its output has ended, and the process of its group with it", async () => {
    const seconds = mark();
    const ended = await shell(`echo all; sleep ${seconds} & exit 5`);
    expect([ended.code, ended.boundMet, `${ended.stdout}`]).toEqual([5, null, "all\n"]);
    await until(() => processesWith(seconds).length === 0);
  });

  test("that left a process behind which goes on writing ends by its deadline", async () => {
    const line = "(setsid sh -c 'while echo x; do sleep 0.01; done' &); exit 0";
    const ended = await shell(line, { stdoutBytesMax: 100_000_000 });
    expect(ended.code).toBe(0);
  });

  test("is not read ahead: who reads nothing keeps nothing", async () => {
    const bytes = String(3_000_000_000 + Math.floor(Math.random() * 1e9));
    const program = startProgram(["head", "-c", bytes, "/dev/zero"]);
    const reader = program.stdout.getReader();
    await reader.read();
    expect(await writtenUntilHeldUp(`head\0-c\0${bytes}`)).toBeLessThan(1 << 20);
    program.kill();
    await program.exited;
  });

  test("that writes a byte at a time takes no more memory than its bytes", async () => {
    const program = startProgram([
      "/bin/sh",
      "-c",
      "i=0; while [ $i -lt 20000 ]; do printf x; i=$((i + 1)); done",
    ]);
    const ended = await resultOf(program, { ...BOUNDS, stdoutBytesMax: 20_000 });
    expect([ended.code, ended.stdout.toString()]).toEqual([0, "x".repeat(20_000)]);
  });
});

test("a command that meets a bound says which", async () => {
  expect(run(["sleep", "60"], undefined, 100)).rejects.toThrow("sleep: took too long");
  expect(run(["sh", "-c", "head -c 100000 /dev/zero >&2"])).rejects.toThrow("sh: wrote too much to stderr");
  expect(run(["sh", "-c", "yes | head -c 100M"])).rejects.toThrow("sh: wrote too much");
});
