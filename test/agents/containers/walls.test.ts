import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { lacks } from "../requirements.ts";
import { inside, output } from "./inside.ts";
import { newSpec, testPool } from "./specs.ts";

/** Asks the kernel for what no container may have, without a program in between, and tells what it says of each. */
const ASK = `
import { dlopen, ptr } from "bun:ffi";
const n = (x64, arm64) => (process.arch === "x64" ? x64 : arm64);
const CALLS = {
  mount: [n(165, 40), "tmpfs", "/mnt", "tmpfs", 0, 0],
  umount: [n(166, 39), "/proc/sys", 0],
  pivot_root: [n(155, 41), "/", "/"],
  open_tree: [428, -100, "/", 1],
  fsopen: [430, "tmpfs", 0],
  unshare_user: [n(272, 97), 0x10000000],
  unshare_mount: [n(272, 97), 0x20000],
  init_module: [n(175, 105), 0, 0, ""],
  delete_module: [n(176, 106), "berth", 0],
  kexec_load: [n(246, 104), 0, 0, 0, 0],
  bpf: [n(321, 280), 5, 0, 0],
  open_by_handle_at: [n(304, 265), -100, "\\x08\\0\\0\\0\\x01\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0", 0],
  sethostname: [n(170, 161), "x", 1],
  swapon: [n(167, 224), "/swap", 0],
  acct: [n(163, 89), "/acct"],
  settimeofday: [n(164, 170), 0, 0],
  syslog: [n(103, 116), 3, 0, 0],
  mknod: [n(259, 33), -100, "/disk", 0o60600, 0xfe00],
  ptrace_init_of_another: [n(101, 117), 16, 2_000_000, 0, 0],
};
const { symbols: libc } = dlopen("libc.so.6", {
  syscall: { args: Array(7).fill("i64"), returns: "i64" },
  __errno_location: { args: [], returns: "ptr" },
});
const { read } = await import("bun:ffi");
for (const [name, [number, ...args]] of Object.entries(CALLS)) {
  const texts = args.map((arg) => (typeof arg === "string" ? Buffer.from(arg + "\\0") : arg));
  const raw = texts.map((arg) => (typeof arg === "number" ? arg : ptr(arg)));
  const result = Number(libc.syscall(number, ...raw, ...Array(6 - raw.length).fill(0)));
  const errno = result === -1 ? read.i32(libc.__errno_location(), 0) : 0;
  console.log(name, errno);
}
`;
/** EPERM, ESRCH and ENOSYS, by their numbers. */
const REFUSALS = ["1", "3", "38"];

describe.skipIf(lacks("root", "nft", "ip", "oci"))("root in a container", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec: ContainerSpec = newSpec(pool);
  let pid: number;

  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    pid = (await driver.start(spec, async () => undefined)).init.pid;
  });
  afterAll(async () => {
    await driver.destroy(spec);
    await driver.release();
  });

  test("is refused by the kernel whatever would reach beyond its namespaces", async () => {
    writeFileSync(join(spec.folder, "root/ask.ts"), ASK);
    const answers = (await output(pid, "/.berth/bun /ask.ts")).split("\n");
    expect(answers.length).toBe(19);
    for (const answer of answers) {
      const [call, errno = ""] = answer.split(" ");
      expect({ call, refused: REFUSALS.includes(errno) || errno }).toEqual({ call, refused: true });
    }
  });

  const CLOSED = [
    "echo 1 >/proc/sys/kernel/sysrq",
    "echo x >/proc/sysrq-trigger",
    "echo '|/bin/sh' >/proc/sys/kernel/core_pattern",
    "echo 0 >/proc/sys/net/ipv4/ip_forward",
    "echo 1 >/proc/irq/default_smp_affinity",
    "cat /proc/kcore | head -c 1 | grep -q .",
    "grep -q . /proc/keys",
    "grep -q . /proc/timer_list",
    "ls /sys/kernel",
    "ls /sys/fs/cgroup/*",
    "echo -1000 >/proc/1/oom_score_adj",
    "renice -n -5 -p 1",
    "ip addr add 10.0.0.1/32 dev eth0",
    "ip link add v0 type veth peer name v1",
    "ip route add 10.0.0.0/8 dev eth0",
    "nft list ruleset",
    "date -s @0",
  ];
  test.each(CLOSED)("cannot: %s", async (line) => {
    expect((await inside(pid, line)).code).not.toBe(0);
  });

  test("has no process of the host to look at, and no device but its own", async () => {
    const pids = (await output(pid, "echo /proc/[0-9]*")).split(" ").length;
    expect(pids).toBeLessThan(10);
    expect(await output(pid, `[ -e /proc/${process.pid}/root ] && echo seen; true`)).toBe("");
    const devices = await output(
      pid,
      "find / -path /usr -prune -o -path /proc -prune -o -path /dev -prune -o \\( -type b -o -type c \\) -print",
    );
    expect(devices).toBe("");
  });

  test("keeps by su and sudo what a set-user-id program gives, and no more", async () => {
    expect(await output(pid, "grep NoNewPrivs /proc/1/status")).toMatch(/0$/);
    const limits = readFileSync(`/proc/${pid}/status`, "utf8");
    const bounding = /CapBnd:\s*([0-9a-f]+)/.exec(limits)?.[1];
    // As another user with a set-user-id copy of a program that can tell.
    const line =
      "cp /usr/bin/grep /srv/grep; chmod u+s /srv/grep; setpriv --reuid 65534 --regid 65534 --clear-groups /srv/grep CapEff /proc/self/status";
    expect(await output(pid, line)).toBe(`CapEff:\t${bounding}`);
  });
});
