import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownAccount } from "../../../agents/exec/account.ts";
import { readSettings } from "../../../agents/terminal/settings.ts";
import { SettingError } from "../../../system/setting-error.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { endProcess, ptyHostOf } from "./pty-host/hosted-service.ts";
import { TestClient } from "./service.ts";

const MAIN = join(import.meta.dir, "../../../agents/terminal/main.ts");

/** The program as a person starts it, on a free port. */
async function start(options: string[] = [], env: Record<string, string> = {}) {
  const known = join(temporaryFolder(), "known");
  const child = Bun.spawn([process.execPath, MAIN, "--port", "0", "--known-hosts", known, ...options], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  sharedWatchdog().watch(child.pid, "TERM");
  const reader = child.stdout.getReader();
  let said = "";
  while (!said.includes('"msg":"ready"')) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it ended: ${said}`);
    said += new TextDecoder().decode(value);
  }
  const url = new URL(/"url":"([^"]+)"/.exec(said)?.[1] ?? "");
  return {
    origin: url.origin,
    port: url.port,
    child,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      await reader.cancel();
      sharedWatchdog().forget(child.pid);
    },
  };
}

const tokenIn = (html: string) => /"token":"([^"]+)"/.exec(html)?.[1] ?? "";

test("alone, it serves a terminal on the loopback, and ends its sessions when it is stopped", async () => {
  await using terminal = await start(["--", "bash", "--norc"], {
    SERVICE_MARK: "marked",
    OTHER_SECRET: "hunter2",
  });
  const html = await (await fetch(`${terminal.origin}/?terminal_id=7`)).text();
  const client = await TestClient.attach(terminal.origin, tokenIn(html));
  client.type("echo here [$SERVICE_MARK] [$OTHER_SECRET] $$.\n");
  await client.shows(/here \[marked\] \[\] \d+\./);
  const shell = /\] (\d+)\./.exec(client.text)?.[1] ?? "";
  terminal.child.kill();
  await terminal.child.exited;
  await until(() => client.closed !== null);
  expect(client.exit).toMatchObject({ reason: "the service stops" });
  expect(await Bun.file(`/proc/${shell}/status`).exists()).toBe(false);
});

test("it tells how it is on a port of its own", async () => {
  const metrics = await freePort();
  const at = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${metrics}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const data = temporaryFolder();
  await using terminal = await start(["--data", data, "--", "sleep", "60"], {
    BERTH_METRICS_PORT: String(metrics),
  });
  // It keeps the session for a terminal that is started again.
  await using _ptyHost = { [Symbol.asyncDispose]: () => endProcess(ptyHostOf(data), "SIGTERM") };
  expect(await at("/health/live")).toEqual({ status: 200, text: "live\n" });
  expect(await at("/health/ready")).toEqual({ status: 200, text: "ready\n" });
  const html = await (await fetch(`${terminal.origin}/`)).text();
  await TestClient.attach(terminal.origin, tokenIn(html));
  await until(async () => /^terminal_viewers 1$/m.test((await at("/metrics")).text));
  expect((await at("/metrics")).text).toMatch(/^terminal_sessions 1$/m);
  expect((await at("/metrics")).text).toMatch(/^terminal_sessions_started_total 1$/m);
  // Users of the terminal do not meet its figures.
  expect((await fetch(`${terminal.origin}/metrics`)).status).toBe(404);
});

test("users and shells are those of accounts, whatever the environment says", async () => {
  // Without the profile of whoever runs the tests.
  const HOME = temporaryFolder();
  const names = { USER: "nobody", LOGNAME: "nobody", SHELL: "/bin/false", HOME };
  await using terminal = await start([], names);
  const open = async (query: string) => {
    const response = await fetch(`${terminal.origin}/${query}`);
    return TestClient.attach(terminal.origin, tokenIn(await response.text()));
  };
  const { name, shell } = ownAccount();
  const mine = await open("");
  mine.type('echo "$USER $LOGNAME $SHELL, $(id -un), $(basename "$0")."\n');
  await mine.shows(`${name} ${name} ${shell}, ${name}, `);
  if (lacks("root")) return;
  const theirs = await open("?user=nobody");
  theirs.type('echo "$USER $SHELL, $(id -un)."\n');
  await theirs.shows("nobody /bin/sh, nobody.");
});

test.skipIf(lacks("root", "unshare", "setpriv"))(
  "another user's shell is that of the account, and not the one of the switch of user",
  () => {
    const folder = temporaryFolder();
    const passwd = join(folder, "passwd");
    writeFileSync(
      passwd,
      "root:x:0:0:root:/root:/bin/bash\na:x:4242:4242::/:/bin/cat\nb:x:4243:4243::/:/usr/sbin/nologin\n",
    );
    const check = join(import.meta.dir, "../../../agents/terminal/process/check.sh");
    const shellOf = (uid: number, named = "") => {
      const asUser = `setpriv --reuid ${uid} --clear-groups sh -c "$2" sh "$3" "" ""`;
      const script = `mount --bind "$1" /etc/passwd && ${asUser}`;
      const argv = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        script,
        "sh",
        passwd,
        readFileSync(check, "utf8"),
        named,
      ];
      return Bun.spawnSync(argv, { env: { ...process.env, SHELL: "/bin/sh" } }).stdout.toString();
    };
    expect(shellOf(4242)).toBe("/bin/cat\n/bin/cat\n");
    expect(shellOf(4242, "ls")).toMatch(/\/ls\n\/bin\/cat\n$/);
    expect(shellOf(4243)).toBe("/bin/sh\n/bin/sh\n");
  },
);

test("a name that somebody made point to this machine is not its own", async () => {
  await using terminal = await start(["--allow-host", "term.example:80"]);
  const status = async (host: string) => {
    const { stdout } = Bun.spawnSync([
      "curl",
      "-s",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      "-H",
      `Host: ${host}`,
      `${terminal.origin}/`,
    ]);
    return stdout.toString();
  };
  expect(await status("evil.example")).toBe("403");
  expect(await status(`evil.example:${terminal.port}`)).toBe("403");
  expect(await status(`localhost.evil.example:${terminal.port}`)).toBe("403");
  // Names of this machine to a browser, but with signs that a content security policy would take for its own.
  expect(await status(`a;sandbox.localhost:${terminal.port}`)).toBe("403");
  expect(await status(`a,b.localhost:${terminal.port}`)).toBe("403");
  for (const host of [
    `localhost:${terminal.port}`,
    `a.localhost:${terminal.port}`,
    `127.0.0.1:${terminal.port}`,
    "term.example:80",
  ]) {
    expect(await status(host)).toBe("200");
  }
});

test("with a token, nobody enters without it; the address's becomes a cookie and leaves the address", async () => {
  const token = "0123456789abcdef-token";
  await using terminal = await start([], { BERTH_TERMINAL_TOKEN: token });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${terminal.origin}${path}`, { headers, redirect: "manual" });
  expect((await get("/")).status).toBe(401);
  expect((await get("/?access_token=wrong")).status).toBe(401);
  expect((await get("/api/v1/terminal/sessions", { authorization: "Bearer wrong" })).status).toBe(401);
  expect((await get("/", { authorization: `Bearer ${token}` })).status).toBe(200);
  const exchanged = await get(`/?terminal_id=7&access_token=${token}`);
  expect(exchanged.status).toBe(302);
  expect(exchanged.headers.get("location")).toBe("/?terminal_id=7");
  const cookie = exchanged.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await get("/?terminal_id=7", { cookie: cookie.split(";")[0] ?? "" })).status).toBe(200);
  expect((await get("/api/v1/terminal/openapi.json")).status).toBe(200);
});

test.each([
  [["--port", "70000"], {}, "--port takes a whole number from 0 to 65535"],
  [["--port"], {}, "Option '--port <value>' argument missing"],
  [["--nonsense"], {}, "Unknown option '--nonsense'"],
  [["--hostname", "0.0.0.0"], {}, "others could connect, so set BERTH_TERMINAL_TOKEN"],
  [[], { BERTH_TERMINAL_TOKEN: "short" }, "shorter than 16 characters"],
  [[], { BERTH_METRICS_PORT: "many" }, "BERTH_METRICS_PORT takes a whole number"],
])("a setting that it cannot start with is named: %p", (argv, env, reason) => {
  expect(() => readSettings(argv, env as Record<string, string>)).toThrow(SettingError);
  expect(() => readSettings(argv, env as Record<string, string>)).toThrow(reason);
});

test("what follows -- is the command of sessions", () => {
  expect(readSettings(["--url-arg", "--", "bash", "--norc"], {})).toMatchObject({
    port: 8091,
    hostname: "127.0.0.1",
    urlArg: true,
    startupCommand: ["bash", "--norc"],
  });
});
