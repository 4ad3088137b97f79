import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { run } from "../../../agents/exec/command.ts";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { lacks } from "../requirements.ts";
import { output } from "./inside.ts";
import { newSpec, testPool } from "./specs.ts";

/** Nothing of the host's changes the times of these. */
const TIMELESS = ["null", "zero", "full", "random", "urandom"];

/** Mode and owner of each device of the host, and the times of those that keep them. */
function devices(): Record<string, string> {
  const names = readdirSync("/dev").filter((name) => !/^(pts|shm|fd|mqueue)$/.test(name));
  return Object.fromEntries(
    names.map((name) => {
      const { mode, uid, gid, ino, mtimeMs, ctimeMs } = lstatSync(join("/dev", name));
      const times = TIMELESS.includes(name) ? ` ${mtimeMs} ${ctimeMs}` : "";
      return [name, `${ino} ${mode.toString(8)} ${uid}:${gid}${times}`];
    }),
  );
}

/** The same of /proc as the kernel has it, which a file system that was mounted before may not show. */
async function kernelFiles(): Promise<string[]> {
  const list = "mount -t proc proc /proc && find /proc/[a-z]* -maxdepth 1 ! -type l -printf '%p %m %U:%G\\n'";
  return (await run(["unshare", "--mount", "--pid", "--fork", "/bin/sh", "-c", list])).split("\n").toSorted();
}

/** Whatever changes an inode: adding rights, so that a host where it succeeds goes on working. */
const ATTACK = `
for file in /dev/* /proc/[a-z]* /proc/sys/* /proc/sys/kernel/*; do
  chmod a+x "$file"; chown -h 12345:12345 "$file"; touch -h -d @1 "$file"
  setfacl -m u:12345:rwx "$file"
  case $file in /dev/*) rm -rf "$file" ;; esac
done >/dev/null 2>&1
exit 0
`;

describe.skipIf(lacks("root", "nft", "ip", "oci"))("root in a container", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec: ContainerSpec = newSpec(pool);
  let init: ProcessIdentity;
  let pid: number;
  let before: { devices: Record<string, string>; kernelFiles: string[] };

  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    init = (await driver.start(spec, async () => undefined)).init;
    pid = init.pid;
    before = { devices: devices(), kernelFiles: await kernelFiles() };
  });
  afterAll(async () => {
    // Where the attack succeeded, the rest of the machine is not to notice.
    for (const [name, line] of Object.entries(before.devices)) {
      const [, mode = "", owner = ""] = line.split(" ");
      if (devices()[name]?.split(" ").slice(1, 3).join(" ") === `${mode} ${owner}`) continue;
      await run(["chown", "-h", owner, `/dev/${name}`]);
      await run(["chmod", mode.slice(-4), `/dev/${name}`]);
    }
    const changed = (await kernelFiles()).filter((line) => !before.kernelFiles.includes(line));
    for (const line of before.kernelFiles) {
      const [path = "", mode = "", owner = ""] = line.split(" ");
      if (!changed.some((other) => other.startsWith(`${path} `))) continue;
      await run([
        "unshare",
        "--mount",
        "/bin/sh",
        "-c",
        `mount -t proc proc /proc; chown -h ${owner} ${path}; chmod ${mode} ${path}`,
      ]);
    }
    await driver.destroy(spec);
    await driver.release();
  });

  test("has devices of its own, which work", async () => {
    expect(await output(pid, "stat -c %t:%T:%a:%F /dev/null /dev/full /dev/tty | sort -u")).toBe(
      "1:3:666:character special file\n1:7:666:character special file\n5:0:666:character special file",
    );
    expect(
      await output(pid, "echo x >/dev/null && head -c 3 /dev/zero | wc -c; head -c 4 /dev/urandom | wc -c"),
    ).toBe("3\n4");
    expect(await output(pid, "echo x >/dev/full || echo full")).toBe("full");
    // What covers the kernel's files is no device of the host either.
    const own = (await output(pid, "stat -c %d /dev/null /proc/keys")).split("\n").map(Number);
    expect(own).not.toContain(lstatSync("/dev/null").dev);
  });

  test("is given no open device of the host by what starts its programs", async () => {
    const ofHost = String(lstatSync("/dev/null").dev);
    expect(await output(pid, "stat -L -c %d /proc/1/fd/0")).not.toBe(ofHost);
    const machine = driver.execTarget(spec, () => init);
    const argv = ["stat", "-L", "-c", "%d", "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2"];
    const opened = (await machine.run({ user: null, argv })).stdout.trim().split("\n");
    const streamed = await new Response(
      machine.stream({ user: null, argv }, new Blob(["x"]).stream()).stdout,
    ).text();
    expect([opened.length, streamed.trim().split("\n").length]).toEqual([3, 3]);
    expect([...opened, ...streamed.split("\n")]).not.toContain(ofHost);
  });

  test("changes no inode of the host by anything that it does to /dev and /proc", async () => {
    const argv = ["/bin/sh", "-c", ATTACK];
    expect((await driver.execTarget(spec, () => init).run({ user: null, argv, msMax: 120_000 })).code).toBe(
      0,
    );
    expect(await output(pid, "[ -e /dev/full ] || echo removed")).toBe("removed");
    expect(devices()).toEqual(before.devices);
    expect(await kernelFiles()).toEqual(before.kernelFiles);
  });
});
