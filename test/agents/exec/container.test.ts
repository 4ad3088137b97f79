import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import type { ExecTarget, SpawnRequest } from "../../../agents/exec/target.ts";
import type { ProcessIdentity } from "../../../system/process-identity.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { until } from "../../harness/until.ts";
import { newSpec, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { watchArguments } from "../terminal/argument-watch.ts";

describe.skipIf(lacks("root", "nft", "ip", "oci"))("programs in a container", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec: ContainerSpec = newSpec(pool, { name: "shop" });
  let init: ProcessIdentity | null = null;
  let machine: ExecTarget;

  beforeAll(async () => {
    await driver.prepare();
    await driver.create(spec);
    machine = driver.execTarget(spec, () => init);
    init = (await driver.start(spec, async () => undefined)).init;
    // As `useradd` would.
    expect(
      await output(
        "echo ada:x:1001:1001::/home/ada:/bin/bash >>/etc/passwd; install -d -o 1001 -g 1001 /home/ada",
      ),
    ).toBe("");
    await output("echo ada:x:1001: >>/etc/group; echo music:x:2000:ada >>/etc/group");
  });
  afterAll(async () => {
    if (init) await driver.stop(spec, init, 0);
    await driver.destroy(spec);
    await driver.release();
  });

  const output = async (line: string, user: string | null = null) => {
    const { code, stdout } = await machine.run({ user, argv: ["/bin/sh", "-c", line] });
    return code === 0 ? stdout.trim() : `code ${code}`;
  };
  /** A program on a terminal, and all that it showed. */
  async function spawn(request: Partial<Omit<SpawnRequest, "terminal">>) {
    const decoder = new TextDecoder();
    let shown = "";
    const child = await machine.spawn({
      user: null,
      argv: ["/bin/sh"],
      env: {},
      ...request,
      terminal: {
        cols: 91,
        rows: 31,
        data: (bytes) => {
          shown += decoder.decode(bytes, { stream: true });
        },
        closed: () => undefined,
        drained: () => undefined,
      },
    });
    return {
      ...child,
      type: (text: string) => child.write(Buffer.from(text)),
      shows: (what: string | RegExp) =>
        until(() => (typeof what === "string" ? shown.includes(what) : what.test(shown))),
    };
  }

  test("run in its namespaces and its root, with what its init has left of power", async () => {
    const status = await output("cat /proc/self/status");
    const inits = await output("cat /proc/1/status");
    for (const set of ["CapBnd", "CapInh", "CapAmb"]) {
      const value = new RegExp(`^${set}:.*$`, "m");
      expect(value.exec(status)?.[0]).toBe(value.exec(inits)?.[0]);
    }
    expect(await output("uname -n; readlink /proc/self/root; pwd; ls /dev | wc -l; echo $HOME")).toMatch(
      /^shop\n\/\n\/root\n[0-9]+\n\/root$/,
    );
    for (const kind of ["pid", "mnt", "uts", "ipc", "net"]) {
      expect(
        await output(
          `[ "$(readlink /proc/self/ns/${kind})" = "$(readlink /proc/1/ns/${kind})" ] && echo same`,
        ),
      ).toBe("same");
    }
    expect(await output("ulimit -f")).toBe(await output("ulimit -f"));
    expect(await output("cat /proc/self/limits | grep 'file size'")).toBe(
      await output("grep 'file size' /proc/1/limits"),
    );
  });

  const limited = existsSync("/sys/fs/cgroup/pids") || existsSync("/sys/fs/cgroup/cgroup.controllers");
  test.skipIf(!limited)("count in the container's limits", async () => {
    // As the container has it: its own group is the first.
    const [mine, inits] = [await output("cat /proc/self/cgroup"), await output("cat /proc/1/cgroup")];
    expect(mine).toEqual(inits);
    expect(mine).toMatch(/(pids|^0:).*:\/$/m);
    expect(readFileSync(`/proc/${init?.pid}/cgroup`, "utf8")).toContain(`:/berth/${spec.id}\n`);
  });

  test("run as the user that is asked for, with that user's groups, home and shell", async () => {
    expect(
      await output(
        "id -un; id -Gn; pwd; echo $HOME $USER $LOGNAME $SHELL; grep CapEff /proc/self/status",
        "ada",
      ),
    ).toBe("ada\nada music\n/home/ada\n/home/ada ada ada /bin/bash\nCapEff:\t0000000000000000");
    expect(machine.run({ user: "nobody-of-that-name", argv: ["true"] })).rejects.toThrow("is not in its");
    for (const name of ["0:0", "../x", "-x", ""]) {
      expect(machine.run({ user: name, argv: ["true"] })).rejects.toThrow("not a user's name");
    }
  });

  test("see of the agent's environment nothing, and no file of the host that it had open", async () => {
    process.env.BERTH_TEST_SECRET = "of the agent";
    expect(await output("tr '\\0' '\\n' </proc/self/environ; env")).not.toContain("BERTH_TEST_SECRET");
    expect((await output("ls /proc/self/fd")).split("\n").length).toBeLessThan(5);
    delete process.env.BERTH_TEST_SECRET;
  });

  test("have their variables, which nobody reads from the arguments of a process, on the host or in the container", async () => {
    const secret = `hidden-${crypto.randomUUID()}`;
    using watch = await watchArguments(secret);
    const env = { PASSPHRASE: secret, TWO: `it's\n"$(id)" ${secret}` };
    const said = 'printf "<%s>" "$PASSPHRASE" "$TWO"; env | grep -c BERTH_';
    const expected = `<${secret}><it's\n"$(id)" ${secret}>0\n`;
    const run = await machine.run({ user: "ada", argv: ["/bin/sh", "-c", said], env });
    expect(run.stdout).toBe(expected);
    const streamed = machine.stream({ user: null, argv: ["/bin/sh", "-c", said], env }, null);
    expect(await new Response(streamed.stdout).text()).toBe(expected);
    const shell = await spawn({ user: "ada", env: { ...env, TERM: "xterm" } });
    shell.type('[ "$PASSPHRASE" ] && echo has it"$(printf %s "$PASSPHRASE" | wc -c)"\n');
    await shell.shows(`has it${secret.length}`);
    expect(await watch.seen()).toEqual([]);
    shell.close();
    await shell.exited;
  });

  test("follow variables of a loader or shell only in the container, as the user who is asked for", async () => {
    // Whatever is loaded with these writes a file, into the folder of that name where it sees one.
    const folder = `/tmp/berth-loaded-${crypto.randomUUID()}`;
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    try {
      await output(`mkdir -m 777 ${folder}`);
      const env = { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: `${folder}/by`, LD_PRELOAD: "/none/such.so" };
      const shell = await spawn({ user: "ada", env: { ...env, BASH_ENV: "/none", ENV: "/none" } });
      shell.type("echo $LD_PRELOAD $BASH_ENV\n");
      await shell.shows("/none/such.so /none");
      shell.type("exit\n");
      await shell.exited;
      await machine.run({ user: "ada", argv: ["true"], env });
      expect(readdirSync(folder)).toEqual([]);
      expect(await output(`stat -c %U ${folder}/by.* | sort -u`)).toBe("ada");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("on a terminal have one of the container's own, in the size of whoever looks", async () => {
    const shell = await spawn({
      user: "ada",
      argv: ["/bin/sh"],
      env: { TERM: "xterm", GREETING: 'it\'s "me" $HOME' },
    });
    shell.type('tty; stty size; echo "<$GREETING>" $SHELL; id -un; echo x >/dev/tty\n');
    await shell.shows(/\/dev\/pts\/\d/);
    await shell.shows("31 91");
    await shell.shows(`<it's "me" $HOME> /bin/bash`);
    shell.resize(50, 20);
    shell.type("while [ \"$(stty size)\" != '20 50' ]; do sleep 0.05; done; echo resi''zed\n");
    await shell.shows("resized");
    expect(await output(`readlink /proc/${shell.pid}/cwd; stat -c %U /proc/${shell.pid}`, "ada")).toBe(
      "/home/ada\nada",
    );
    shell.type("exit 7\n");
    expect(await shell.exited).toEqual({ code: 7, signal: null });
  });

  test("are interrupted by Ctrl-C, and the shell above them is not", async () => {
    const shell = await spawn({});
    shell.type("echo re''ady; sleep 1000\n");
    await shell.shows("ready");
    await until(async () =>
      (await output("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '")).includes("sleep 1000"),
    );
    shell.type("\x03");
    shell.type("echo st''ill here\n");
    await shell.shows("still here");
    shell.close();
    await shell.exited;
  });

  test("end when their terminal is closed, or when they are killed", async () => {
    const alive = async () =>
      (await output("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '")).includes("sleep 2000");
    for (const how of ["close", "kill"] as const) {
      const child = await spawn({ argv: ["sleep", "2000"] });
      // The child is there before its program is.
      await until(alive);
      child[how]();
      await child.exited;
      await until(async () => !(await alive()));
    }
  });

  test("end when their terminal is closed also when they do not hear of it, a little later", async () => {
    const child = await spawn({
      argv: ["sh", "-c", "trap '' HUP; echo de''af; while :; do sleep 0.5; done", "deaf-one"],
    });
    const alive = async () =>
      (await output("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '")).includes("deaf-one");
    await child.shows("deaf");
    child.close();
    await child.exited;
    await until(async () => !(await alive()));
  });

  test("take what they are sent and give it back, and are stopped in the middle", async () => {
    const text = "line\n".repeat(100_000);
    const copied = machine.stream({ user: "ada", argv: ["cat"] }, new Blob([text]).stream());
    expect(await new Response(copied.stdout).text()).toBe(text);
    expect(await copied.exited).toBe(0);
    const endless = machine.stream({ user: null, argv: ["sleep", "3000"] }, null);
    await until(async () =>
      (await output("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '")).includes("sleep 3000"),
    );
    endless.kill();
    await endless.exited;
    await until(
      async () =>
        !(await output("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '")).includes("sleep 3000"),
    );
  });

  test("are refused while it does not run, and go on working after its restart", async () => {
    const before = init;
    init = null;
    expect(machine.run({ user: null, argv: ["true"] })).rejects.toThrow("does not run");
    init = before;
    if (init) await driver.stop(spec, init, 0);
    expect(machine.run({ user: null, argv: ["true"] })).rejects.toThrow("does not run");
    init = (await driver.start(spec, async () => undefined)).init;
    expect(await output("id -un", "ada")).toBe("ada");
    expect(readFileSync(join(spec.folder, "root/etc/passwd"), "utf8")).toContain("ada");
  });
});
