import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ContainerSpec } from "../../agents/containers/driver.ts";
import type { ExecTarget } from "../../agents/exec/target.ts";
import type { ProcessIdentity } from "../../system/process-identity.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import { newSpec, testPool } from "../agents/containers/specs.ts";
import { lacks } from "../agents/requirements.ts";

const N = (x64: number, arm64: number) => (process.arch === "x64" ? x64 : arm64);
const SOCKET = N(41, 198);
const RAW = 3;
const [EPERM, ENOSYS, EAFNOSUPPORT] = ["1", "38", "97"];

/** Containers had io_uring, perf events and AF_XDP: what the filter of system calls and the packet filter do not see. */
describe.skipIf(lacks("root", "nft", "ip", "oci"))("a container's programs", () => {
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

  test.each([
    ["io_uring_setup", `425, 1, my $ring = "\\0" x 120`, ENOSYS],
    ["io_uring_enter", "426, -1, 1, 1, 0, 0, 0", ENOSYS],
    ["io_uring_register", "427, -1, 0, 0, 0", ENOSYS],
    ["perf_event_open", `${N(298, 241)}, my $event = "\\0" x 128, 0, -1, -1, 0`, EPERM],
    ["a socket of AF_XDP", `${SOCKET}, 44, ${RAW}, 0`, EAFNOSUPPORT],
  ])("are refused %s, by an error after which they do without", async (_name, call, errno) => {
    const told = `print syscall(${call}) == -1 ? 0 + $! : "done";`;
    expect((await machine.run({ user: null, argv: ["perl", "-e", told] })).stdout).toBe(errno ?? "");
  });
});
