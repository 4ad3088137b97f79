import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readSettings } from "../../../agents/notifier/settings.ts";
import { SettingError } from "../../../system/setting-error.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { follow } from "./event-stream.ts";
import { PREFIX } from "./service.ts";

const MAIN = join(import.meta.dir, "../../../agents/notifier/main.ts");

/** A PATH on which notify-send is a script. */
async function pathWith(script: string): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, text] of [
    ["notify-send", script],
    ["dbus-send", "exit 0"],
  ] as const) {
    await Bun.write(join(folder, name), `#!/bin/sh\n${text}\n`);
    Bun.spawnSync(["chmod", "755", join(folder, name)]);
  }
  return `${folder}:${process.env.PATH}`;
}

/** The program as a person starts it, on a free port. */
async function start(data: string, options: string[] = [], env: Record<string, string> = {}) {
  const argv = [
    process.execPath,
    MAIN,
    "--port",
    "0",
    "--data",
    data,
    "--bus",
    ":1=unix:path=/x",
    ...options,
  ];
  const child = Bun.spawn(argv, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  sharedWatchdog().watch(child.pid, "TERM");
  const reader = child.stdout.getReader();
  let said = "";
  while (!said.includes('"msg":"ready"')) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it ended: ${said}`);
    said += new TextDecoder().decode(value);
  }
  const { origin, port } = new URL(/"url":"([^"]+)"/.exec(said)?.[1] ?? "");
  return {
    origin,
    port,
    child,
    notify: (title: string) =>
      fetch(`${origin}${PREFIX}notify`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ display: "1", title, body: "" }),
      }),
    history: async () => {
      const answer = (await (await fetch(`${origin}${PREFIX}1`)).json()) as {
        notifications: { title: string; error: string | null }[];
      };
      return answer.notifications.map(({ title, error }) => [title, error]);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      await reader.cancel();
      sharedWatchdog().forget(child.pid);
    },
  };
}

test("it tells how it is on a port of its own, without a credential", async () => {
  const metrics = await freePort();
  const env = {
    PATH: await pathWith(""),
    BERTH_METRICS_PORT: String(metrics),
    BERTH_NOTIFIER_TOKEN: "0123456789abcdef-token",
  };
  await using _notifier = await start(temporaryFolder(), [], env);
  const at = (path: string) => fetch(`http://127.0.0.1:${metrics}${path}`);
  expect(await (await at("/health/live")).text()).toBe("live\n");
  expect(await (await at("/health/ready")).text()).toBe("ready\n");
  expect(await (await at("/metrics")).text()).toMatch(/^notifier_history_notifications 0$/m);
});

test("killed in the middle of a notice, it keeps its history and says that the notice may not have been shown", async () => {
  const data = temporaryFolder();
  const flag = join(temporaryFolder(), "begun");
  const script = `case "$*" in *slow*) touch ${flag}; sleep 20 ;; esac`;
  const env = { PATH: await pathWith(script) };
  {
    await using notifier = await start(data, [], env);
    expect((await notifier.notify("quick")).status).toBe(201);
    const lost = notifier.notify("slow").catch(() => null);
    await until(() => Bun.file(flag).exists());
    notifier.child.kill("SIGKILL");
    await lost;
  }
  await using again = await start(data, [], env);
  expect(await again.history()).toEqual([
    ["slow", "the server ended while this was on its way: it may not have been shown"],
    ["quick", null],
  ]);
  expect((await again.notify("after")).status).toBe(201);
});

test("told to end, it ends its streams cleanly and leaves with 0", async () => {
  await using notifier = await start(temporaryFolder());
  await using stream = await follow(`${notifier.origin}${PREFIX}stream?display=1`);
  notifier.child.kill("SIGTERM");
  expect(await notifier.child.exited).toBe(0);
  await until(() => stream.ended());
  expect(stream.ended()).toBe("cleanly");
});

test("health says that it lives, metrics what it did", async () => {
  await using notifier = await start(temporaryFolder(), [], { PATH: await pathWith("exit 0") });
  await notifier.notify("t");
  const health = await fetch(`${notifier.origin}${PREFIX}health`);
  expect(await health.json()).toMatchObject({ status: "ok", service: "notifications" });
  const metrics = await fetch(`${notifier.origin}${PREFIX}metrics`);
  expect(metrics.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  const text = await metrics.text();
  expect(text).toContain('notifier_notifications_total{outcome="shown"} 1');
  expect(text).toContain('notifier_http_requests_total{method="POST",route="notify",status="201"} 1');
  expect(text).toContain("notifier_history_notifications 1");
});

test("a name that somebody made point to this machine is not its own", async () => {
  await using notifier = await start(temporaryFolder(), ["--allow-host", "desk.example:80"]);
  const status = async (host: string) => {
    const argv = [
      "curl",
      "-s",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      "-H",
      `Host: ${host}`,
      notifier.origin,
    ];
    return new Response(Bun.spawn(argv).stdout).text();
  };
  for (const host of ["evil.example", `localhost.evil.example:${notifier.port}`]) {
    expect(await status(host)).toBe("403");
  }
  for (const host of [`localhost:${notifier.port}`, `127.0.0.1:${notifier.port}`, "desk.example:80"]) {
    expect(await status(host)).toBe("200");
  }
});

test("with a token, nobody enters without it; the address's becomes a cookie and leaves the address", async () => {
  const token = "0123456789abcdef-token";
  await using notifier = await start(temporaryFolder(), [], { BERTH_NOTIFIER_TOKEN: token });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${notifier.origin}${path}`, { headers, redirect: "manual" });
  const refused = await get(`${PREFIX}1`);
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect(await refused.json()).toMatchObject({ success: false, error: "MISSING_TOKEN" });
  expect((await get(`${PREFIX}1`, { authorization: "Bearer wrong" })).status).toBe(401);
  expect((await get(`${PREFIX}1`, { authorization: `Bearer ${token}` })).status).toBe(200);
  const exchanged = await get(`/?display=2&access_token=${token}`);
  expect([exchanged.status, exchanged.headers.get("location")]).toEqual([302, "/?display=2"]);
  const cookie = exchanged.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await get("/", { cookie: cookie.split(";")[0] ?? "" })).status).toBe(200);
  expect((await get(`${PREFIX}health`)).status).toBe(200);
});

describe("what it cannot start with is one clear line", () => {
  const run = async (...argv: string[]) => {
    const child = Bun.spawn([process.execPath, MAIN, ...argv], { stdio: ["ignore", "pipe", "pipe"] });
    sharedWatchdog().watch(child.pid, "TERM");
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    sharedWatchdog().forget(child.pid);
    return { stdout, stderr, code };
  };

  test("a port that is taken, and a history that is in use", async () => {
    const data = temporaryFolder();
    await using notifier = await start(data);
    const taken = await run("--port", notifier.port, "--data", temporaryFolder());
    expect([taken.code, taken.stderr]).toEqual([
      1,
      `notifier: port ${notifier.port} (--port): another program listens there, \`ss -ltnp\` names it: give another port\n`,
    ]);
    const used = await run("--port", "0", "--data", data);
    expect([used.code, used.stderr]).toEqual([
      1,
      `notifier: ${data} is in use by another notification server\n`,
    ]);
  });

  test("a history that cannot be opened", async () => {
    const data = temporaryFolder();
    await Bun.write(join(data, "notifications.sqlite"), "this is no database".repeat(100));
    const broken = await run("--port", "0", "--data", data);
    expect([broken.code, broken.stderr]).toEqual([
      1,
      `notifier: ${data} can't be used: file is not a database\n`,
    ]);
    const file = await run("--port", "0", "--data", join(data, "notifications.sqlite"));
    expect(file.stderr).toMatch(/^notifier: \S+ can't be used: .+\n$/);
  });

  test("--help says what there is", async () => {
    const { code, stdout } = await run("--help");
    expect([code, stdout]).toEqual([0, expect.stringContaining("--port N")]);
  });

  test.each([
    [["--port", "70000"], {}, "--port takes a whole number from 0 to 65535"],
    [["--port", "x"], {}, "--port takes a whole number from 0 to 65535"],
    [["--nonsense"], {}, "--nonsense"],
    [["--hostname", "0.0.0.0"], {}, "others could connect, so set BERTH_NOTIFIER_TOKEN"],
    [[], { BERTH_NOTIFIER_TOKEN: "short" }, "shorter than 16 characters"],
    [["--bus", ":x=unix:path=/a"], {}, "is not like :1=unix:path=/run/user/1000/bus"],
    [["--bus", ":1=tcp:host=a"], {}, "is not like :1=unix:path=/run/user/1000/bus"],
    [["--allow-origin", "desk.example"], {}, "is no origin"],
  ])("%p", (argv, env, reason) => {
    expect(() => readSettings(argv, env as Record<string, string>)).toThrow(SettingError);
    expect(() => readSettings(argv, env as Record<string, string>)).toThrow(reason);
  });

  test("and options are read", () => {
    const settings = readSettings(
      ["--bus", ":1=unix:abstract=/a=b", "--bus", "2=unix:path=/c", "--data", "/d"],
      {},
    );
    expect(settings).toMatchObject({ port: 8092, hostname: "127.0.0.1", token: null, folder: "/d" });
    expect([...(settings?.buses ?? [])]).toEqual([
      [1, "unix:abstract=/a=b"],
      [2, "unix:path=/c"],
    ]);
  });
});
