import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { ContainerSpec } from "../../agents/containers/driver.ts";
import type { ExecTarget } from "../../agents/exec/target.ts";
import type { ProcessIdentity } from "../../system/process-identity.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import { newSpec, testPool } from "../agents/containers/specs.ts";
import { lacks } from "../agents/requirements.ts";

/** Root in the container left its chroot, made a user namespace with every capability in it, and wrote the host's control groups. */
const BREAK_OUT = `
mkdir "/root/d"; opendir(my $dir, "/"); chroot "/root/d"; chdir $dir; chdir ".." for 1 .. 64; chroot ".";
print -d "/container" ? "out " : "in ";
`;
const N = (x64: number, arm64: number) => (process.arch === "x64" ? x64 : arm64);
const told = (call: string) => `print ${call} == -1 ? 0 + $! : "done";`;

describe.skipIf(lacks("root", "nft", "ip", "oci"))("root in a container", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec: ContainerSpec = newSpec(pool);
  let init: ProcessIdentity | null = null;
  let machine: ExecTarget;

  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    init = (await driver.start(spec, async () => undefined)).init;
    machine = driver.execTarget(spec, () => init);
  });
  afterAll(async () => {
    await driver.destroy(spec);
    await driver.release();
  });

  const perl = async (code: string) =>
    (await machine.run({ user: null, argv: ["perl", "-e", code] })).stdout.trim();

  test("makes no user namespace, and leaves its root by no chroot", async () => {
    const made = [
      told(`syscall(${N(272, 97)}, 0x10000000)`),
      told(`syscall(${N(272, 97)}, 0x10020000)`),
      told(`syscall(${N(56, 220)}, 0x10000011, 0, 0, 0, 0)`),
      told("syscall(435, 0, 0)"),
    ];
    for (const code of made) expect(await perl(`${BREAK_OUT}${code}`)).toBe("in 38");
  });

  test("reaches neither the host's keys nor its vsock", async () => {
    expect(await perl(told(`syscall(${N(250, 219)}, 0, -4, 0)`))).toBe("1");
    expect(await perl(told(`syscall(${N(41, 198)}, 40, 1, 0)`))).toBe("97");
    expect(await perl(told(`syscall(${N(41, 198)}, 2, 1, 0)`))).not.toBe("97");
  });

  test("has the filter from its first process on, and starts programs as ever", async () => {
    expect(readFileSync(`/proc/${init?.pid}/status`, "utf8")).toMatch(/^Seccomp:\s+2$/m);
    expect(await machine.run({ user: null, argv: ["sh", "-c", "echo $(echo well)"] })).toEqual({
      code: 0,
      boundMet: null,
      stdout: "well\n",
    });
  });
});
