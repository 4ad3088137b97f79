import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { ContainerSpec } from "../../../../agents/containers/driver.ts";
import { OciDriver } from "../../../../agents/containers/oci/driver.ts";
import { findRuntime } from "../../../../agents/containers/oci/runtime-program.ts";
import { run } from "../../../../agents/exec/command.ts";
import { vethOf } from "../../../../agents/network/host-network.ts";
import type { ProcessIdentity } from "../../../../system/process-identity.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { inside, output } from "../inside.ts";
import { newSpec, testPool } from "../specs.ts";

/** The classic way out of a chroot: chroot again while standing above the new root, then climb. */
const CLIMB = `
import { dlopen } from "bun:ffi";
import { mkdirSync, readdirSync } from "node:fs";
const { symbols: libc } = dlopen("libc.so.6", {
  chroot: { args: ["cstring"], returns: "i32" },
  chdir: { args: ["cstring"], returns: "i32" },
});
mkdirSync("/deep");
libc.chroot(Buffer.from("/deep\\0"));
for (let up = 0; up < 40; up += 1) libc.chdir(Buffer.from("..\\0"));
libc.chroot(Buffer.from(".\\0"));
console.log(readdirSync("/").sort().join(" "));
`;

/** Those of this machine. */
const runtimes = ["crun", "runc"].filter((name) => !lacks("root", "nft", "ip", "oci", name as "crun"));

describe.each(runtimes)("a container of the OCI runtime %s", (runtimeName) => {
  const limited = existsSync("/sys/fs/cgroup/memory") || existsSync("/sys/fs/cgroup/cgroup.controllers");
  const pool = testPool(10);
  let driver: OciDriver;
  const made: { spec: ContainerSpec; init: ProcessIdentity }[] = [];

  beforeAll(async () => {
    const runtime = await findRuntime(runtimeName);
    driver = new OciDriver(pool, { idRanges: temporaryFolder(), runtime });
    await driver.prepare();
  });
  afterEach(async () => {
    for (const { spec, init } of made.splice(0)) {
      await driver.stop(spec, init, 0);
      await driver.destroy(spec);
      pool.release(spec.address);
    }
  });
  afterAll(async () => {
    await driver.release();
    expect(await run(["nft", "list", "tables"])).not.toContain(pool.subnet.replaceAll(/[./]/g, "_"));
  });

  async function start(spec: ContainerSpec) {
    await driver.create(spec);
    const started = await driver.start(spec, async () => undefined);
    made.push({ spec, init: started.init });
    return { ...started, pid: started.init.pid };
  }
  const fresh = (fields: Partial<ContainerSpec> = {}) => start(newSpec(pool, fields));
  const log = (spec: ContainerSpec) => readFileSync(join(spec.folder, "log"), "utf8");

  test("sees its own processes only, and its init is the first of them", async () => {
    const { pid } = await fresh({ command: ["sleep", "1000"] });
    const all = "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline; echo; done";
    const seen = await until(async () => {
      const text = await output(pid, all);
      return text.includes("\nsleep 1000") && text;
    });
    expect(seen).toStartWith("/.berth/catatonit -- /bin/sh");
    expect(seen.split("\n").length).toBeLessThan(6);
  });

  test("has a host name of its own, and the host keeps its", async () => {
    const before = hostname();
    const { pid } = await fresh({ name: "shop" });
    await until(async () => (await output(pid, "uname -n; cat /etc/hostname")) === "shop\nshop");
    expect(await until(() => output(pid, "getent hosts shop"))).toMatch(/^10\.79\.\S+ +shop/);
    expect(hostname()).toBe(before);
  });

  test("has its root become another user by su, and nobody else anybody", async () => {
    const { pid } = await fresh();
    expect(await until(() => output(pid, "su -s /bin/sh -c 'id -u' nobody"))).toBe("65534");
    expect((await inside(pid, "su -s /bin/sh -c 'su -c id' nobody </dev/null")).code).not.toBe(0);
  });

  test("cannot see a file of the host: not in /tmp, not the checkout, not the agent's data", async () => {
    const folder = mkdtempSync(join(tmpdir(), "canary-"));
    const canary = join(folder, "canary");
    writeFileSync(canary, "a secret of the host");
    const spec = newSpec(pool);
    writeFileSync(join(spec.folder, "state.json"), "the agent's");
    try {
      const { pid } = await start(spec);
      for (const path of [canary, spec.folder, process.cwd(), `/container${canary}`, `/host${canary}`]) {
        expect({ path, seen: (await inside(pid, `ls -d ${path}`)).code === 0 }).toEqual({
          path,
          seen: false,
        });
      }
      expect(await output(pid, "ls -A /root /home /tmp /run")).not.toContain("canary");
      // Every process that it can name, its own init too, leads to its own root.
      expect(await output(pid, `ls -d /proc/[0-9]*/root${canary} 2>/dev/null; true`)).toBe("");
      expect(await output(pid, `ls -d /proc/[0-9]*/cwd/../..${canary} 2>/dev/null; true`)).toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("who climbs out of a chroot stands in its own root, not in the host's", async () => {
    const spec = newSpec(pool);
    const { pid } = await start(spec);
    writeFileSync(join(spec.folder, "root/climb.ts"), CLIMB);
    expect((await output(pid, "/.berth/bun /climb.ts")).split(" ")).toContain("climb.ts");
  });

  test("its root is a user of its own on the host, and no other container's", async () => {
    const [one, two] = [newSpec(pool), newSpec(pool)];
    const [a, b] = await Promise.all([start(one), start(two)]);
    const idOf = (pid: number) => statSync(`/proc/${pid}`).uid;
    expect(idOf(a.pid)).toBeGreaterThanOrEqual(0x7000_0000);
    expect(Math.abs(idOf(a.pid) - idOf(b.pid))).toBeGreaterThanOrEqual(65_536);
    await output(a.pid, "echo x >/srv/file");
    expect(statSync(join(one.folder, "root/srv/file")).uid).toBe(idOf(a.pid));
    expect(await output(a.pid, "stat -c %u:%g /srv/file /usr/bin/su")).toBe("0:0\n0:0");
  });

  test("what it writes to memory as files is bounded in bytes and in number", async () => {
    const { pid } = await fresh();
    const mounts = (await output(pid, "cat /proc/mounts")).split("\n").map((line) => line.split(" "));
    // runc masks files by the container's null device.
    const writable = mounts.filter(
      ([, place, kind, options]) =>
        kind === "tmpfs" && options?.startsWith("rw") && !place?.startsWith("/proc/"),
    );
    const files = ["/etc/hostname", "/etc/hosts", "/etc/resolv.conf"];
    expect([...new Set(writable.map(([, place]) => place))].sort()).toEqual([
      "/dev",
      "/dev/shm",
      ...files,
      "/run",
      "/tmp",
    ]);
    for (const [, , , options] of writable) {
      expect(options).toMatch(/,size=\d+k/);
      expect(options).toMatch(/,nr_inodes=\d+k?/);
    }
  });

  const READ_ONLY = ["/usr/x", "/bin/x", "/.berth/x", "/.berth/bun", "/proc/sys/kernel/core_pattern"];
  test.each(READ_ONLY)("cannot write to %s", async (path) => {
    const { pid } = await fresh();
    expect((await inside(pid, `: >${path}`)).stderr).toContain("Read-only");
  });

  test("keeps no capability that leads out, and cannot regain one", async () => {
    const { pid } = await fresh();
    const status = await output(pid, "cat /proc/1/status");
    const bounding = BigInt(`0x${/CapBnd:\s*([0-9a-f]+)/.exec(status)?.[1]}`);
    expect(BigInt(`0x${/CapEff:\s*([0-9a-f]+)/.exec(status)?.[1]}`)).toBe(bounding);
    const forbidden = {
      dac_read_search: 2,
      net_admin: 12,
      sys_module: 16,
      sys_rawio: 17,
      sys_ptrace: 19,
      sys_admin: 21,
      sys_boot: 22,
      sys_time: 25,
      mknod: 27,
      syslog: 34,
      bpf: 39,
    };
    for (const [name, bit] of Object.entries(forbidden)) {
      expect({ name, kept: (bounding >> BigInt(bit)) & 1n }).toEqual({ name, kept: 0n });
    }
  });

  const REFUSED = [
    "mount -t tmpfs x /mnt",
    "umount /proc/sys",
    "unshare -m true",
    "unshare -U true",
    "mknod /d b 254 0",
    "nsenter -t 1 -m true",
    "ip link set eth0 down",
    "head -c 1 /proc/kcore | grep .",
  ];
  test("is refused what would change its walls", async () => {
    const { pid } = await fresh();
    for (const line of REFUSED) {
      expect({ line, done: (await inside(pid, line)).code === 0 }).toEqual({ line, done: false });
    }
  });

  test("its own files cannot be turned against the agent, which mounts and writes as root", async () => {
    const folder = mkdtempSync(join(tmpdir(), "canary-"));
    writeFileSync(join(folder, "hosts"), "untouched");
    const spec = newSpec(pool);
    try {
      const first = await start(spec);
      await output(first.pid, "rm -f /sbin && ln -s /srv /sbin");
      made.pop();
      await driver.stop(spec, first.init, 0);
      // While it runs its root cannot replace what is mounted on; if it finds a way, it still gains nothing.
      for (const path of ["tmp", "etc"]) {
        rmSync(join(spec.folder, "root", path), { recursive: true });
        symlinkSync(folder, join(spec.folder, "root", path));
      }
      const { pid } = await start(spec);
      expect(await output(pid, "readlink /tmp /etc || readlink /sbin; ls -A /tmp")).toBe("/srv");
      expect(readFileSync(join(folder, "hosts"), "utf8")).toBe("untouched");
      expect(readdirSync(folder)).toEqual(["hosts"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("what it writes outlives a stop; after destroy nothing of it is in the kernel", async () => {
    const spec = newSpec(pool);
    const first = await start(spec);
    await output(first.pid, "echo kept >/srv/file; echo kept >/file; echo gone >/tmp/file");
    made.pop();
    await driver.stop(spec, first.init, 1_000);
    expect(driver.isRunning(first.init)).toBe(false);
    const second = await start(spec);
    expect(await output(second.pid, "cat /srv/file /file; ls /tmp")).toBe("kept\nkept");
    made.pop();
    await driver.stop(spec, second.init, 1_000);
    await driver.destroy(spec);
    expect(existsSync(`/sys/class/net/${vethOf(spec.id)}`)).toBe(false);
    expect(existsSync(`/sys/fs/cgroup/pids/berth/${spec.id}`)).toBe(false);
    expect(existsSync(`/sys/fs/cgroup/berth/${spec.id}`)).toBe(false);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(spec.id);
  });

  test.skipIf(!limited)("an end for want of memory is told as that", async () => {
    const takeMemory =
      "until [ -e /srv/go ]; do sleep 0.05; done; head -c 200000000 /dev/zero | tail -c 200000000";
    const spec = newSpec(pool, { command: ["sh", "-c", takeMemory] });
    const { ended } = await start(spec);
    const files = ["memory/berth/ID/memory.limit_in_bytes", "berth/ID/memory.max"];
    const present = files.map((file) => `/sys/fs/cgroup/${file.replace("ID", spec.id)}`).filter(existsSync);
    writeFileSync(present[0] ?? "", String(64 * 1024 * 1024));
    writeFileSync(join(spec.folder, "root/srv/go"), "");
    await ended;
    expect((await driver.lastEnd(spec)).reason).toBe("its command was ended by SIGKILL: out of memory");
  });

  test("has one link with one address, reaches its neighbours, and answers them and the host", async () => {
    const one = newSpec(pool, { name: "one", command: ["/.berth/bun", "/.berth/welcome.ts"] });
    const [, { pid }] = await Promise.all([start(one), fresh({ name: "two" })]);
    const page = `http://${one.address}:8080/`;
    expect(await until(async () => (await fetch(page)).text())).toBe("Hello from one.\n");
    const ask = `/.berth/bun -e 'console.log(await (await fetch("${page}")).text())'`;
    expect(await output(pid, ask)).toBe("Hello from one.");
    expect((await output(pid, "cat /proc/net/dev")).match(/\w+:/g)).toEqual(["lo:", "eth0:"]);
  });

  test("has a terminal, random numbers and shared memory, and no other device", async () => {
    const { pid } = await fresh();
    expect((await output(pid, "ls /dev")).replaceAll("\n", " ")).toBe(
      "fd full null ptmx pts random shm stderr stdin stdout tty urandom zero",
    );
    expect(await output(pid, "head -c 8 /dev/urandom | wc -c; echo x >/dev/shm/x; cat /dev/shm/x")).toBe(
      "8\nx",
    );
  });

  test("its init reaps orphans", async () => {
    const spec = newSpec(pool, { command: ["sh", "-c", "(sleep 0.05 &); echo up; exec sleep 1000"] });
    const { pid } = await start(spec);
    await until(() => log(spec).includes("up"));
    const processes = () => output(pid, "cat /proc/[0-9]*/stat 2>/dev/null; true");
    await until(async () => !(await processes()).includes("(sleep) Z "));
    await until(async () => (await processes()).split("(sleep)").length === 2);
  });

  test("without a command it stays, and can be entered", async () => {
    const { pid } = await fresh();
    expect(await output(pid, "echo in")).toBe("in");
  });

  const ENDS: [string, string[], string][] = [
    ["a status", ["sh", "-c", "exit 7"], "its command ended with status 7"],
    ["a signal", ["sh", "-c", "kill -SEGV $$"], "its command was ended by SIGSEGV"],
    ["a program that is not there", ["no-such-program"], "its command ended with status 127"],
  ];
  test.each(ENDS)("it ends as its command ends: with %s", async (_name, command, how) => {
    const spec = newSpec(pool, { command });
    const { init, ended } = await start(spec);
    await ended;
    expect(driver.isRunning(init)).toBe(false);
    expect((await driver.lastEnd(spec)).reason).toBe(how);
  });

  test("an init that is killed is told as that", async () => {
    const spec = newSpec(pool);
    const { pid, ended } = await start(spec);
    process.kill(pid, "SIGKILL");
    await ended;
    expect((await driver.lastEnd(spec)).reason).toBe("its init was ended by SIGKILL");
  });

  test("a stop lets the command end by itself, and does not wait for one that will not", async () => {
    const bye = "trap 'echo goodbye; exit' TERM; echo up; while :; do sleep 0.01; done";
    const deaf = "trap '' TERM; echo up; while :; do sleep 0.01; done";
    const polite = newSpec(pool, { command: ["sh", "-c", bye] });
    const rude = newSpec(pool, { command: ["sh", "-c", deaf] });
    const [a, b] = await Promise.all([start(polite), start(rude)]);
    await until(() => log(polite).includes("up") && log(rude).includes("up"));
    await Promise.all([driver.stop(polite, a.init, 5_000), driver.stop(rude, b.init, 100)]);
    expect(log(polite)).toContain("goodbye");
    expect(driver.isRunning(b.init)).toBe(false);
    expect((await driver.lastEnd(rude)).reason).toBe("its command was ended by SIGKILL");
  });

  test.skipIf(!limited)(
    "a container that forks without end meets its limit, and the host goes on",
    async () => {
      const spec = newSpec(pool, { command: ["sh", "-c", "while :; do sleep 1000 & done"] });
      const { init } = await start(spec);
      await until(() => /cannot fork/i.test(log(spec)));
      expect(await run(["echo", "on"])).toBe("on\n");
      await driver.stop(spec, init, 0);
    },
  );

  test("nothing of it runs when its process cannot be recorded", async () => {
    const spec = newSpec(pool, { command: ["sh", "-c", "echo ran"] });
    await driver.create(spec);
    let init: ProcessIdentity | undefined;
    const refused = driver.start(spec, async (identity) => {
      init = identity;
      throw new Error("the disk is full");
    });
    await expect(refused).rejects.toThrow("the disk is full");
    await until(() => init && !driver.isRunning(init));
    expect(log(spec)).not.toContain("ran");
    await driver.destroy(spec);
  });

  test("is entered, changed and ended by the runtime that it was started by, whatever the agent takes by now", async () => {
    const spec = newSpec(pool, { command: ["sh", "-c", "exec sleep 1000"] });
    const { init } = await start(spec);
    const idRanges = temporaryFolder();
    for (const other of runtimes) {
      const next = new OciDriver(pool, { idRanges, runtime: await findRuntime(other) });
      const command = { env: {}, user: "root", folder: null, input: new Uint8Array(), msMax: 60_000 };
      const argv = ["/bin/sh", "-c", "readlink /proc/self/ns/pid; exit 3"];
      const result = await next.runCommand(spec, init, { ...command, argv, outputBytesMax: 1_000 });
      expect([result.code, result.stdout.toString()]).toEqual([
        3,
        `${readlinkSync(`/proc/${init.pid}/ns/pid`)}\n`,
      ]);
      const { memory_bytes, unenforced } = await next.limit({
        ...spec,
        resources: { cpu_cores: null, memory_bytes: 2 ** 26, disk_bytes: null },
      });
      expect([memory_bytes, unenforced]).toEqual([2 ** 26, limited ? [] : ["cpu_cores", "memory_bytes"]]);
    }
    made.pop();
    const last = new OciDriver(pool, { idRanges, runtime: await findRuntime(runtimes.at(-1) ?? "") });
    await last.stop(spec, init, 0);
    expect(last.isRunning(init)).toBe(false);
    // With no time between the two, the first one may have been enough.
    expect((await last.lastEnd(spec)).reason).toMatch(/^its command was ended by SIG(TERM|KILL)$/);
    await driver.destroy(spec);
  });

  test("has terminals that can be resized, and a program there ends with its terminal", async () => {
    const { init } = await fresh({ command: ["sh", "-c", "exec sleep 1000"] });
    const spec = made.at(-1)?.spec as ContainerSpec;
    const target = driver.execTarget(spec, () => init);
    let text = "";
    const terminal = {
      ...{ cols: 81, rows: 23, closed: () => undefined, drained: () => undefined },
      data: (bytes: Uint8Array) => {
        text += Buffer.from(bytes).toString();
      },
    };
    const argv = ["/bin/sh", "-c", "stty size; tty; while read line; do echo end-$line; stty size; done"];
    const program = await target.spawn({ user: "root", argv, env: { TERM: "xterm" }, terminal });
    await until(() => text.includes("/dev/pts/"));
    // A runtime that relays the terminal passes its size on a moment later than what is written.
    const hasSize = (size: string) =>
      until(() => {
        program.write(Buffer.from("hello\n"));
        return text.includes(size);
      });
    await hasSize("23 81");
    program.resize(100, 40);
    await hasSize("40 100");
    expect(text).toContain("end-hello");
    program.close();
    await program.exited;
  });

  test("a start removes what an agent that died left running", async () => {
    const spec = newSpec(pool, { command: ["sleep", "1000"] });
    const lost = await start(spec);
    made.pop();
    const { init } = await start(spec);
    expect(driver.isRunning(lost.init)).toBe(false);
    expect(driver.isRunning(init)).toBe(true);
  });
});
