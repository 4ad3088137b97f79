import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostExecTarget } from "../../../../agents/exec/host.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { argumentsWith, watchArguments } from "../argument-watch.ts";
import { machineAt, startService } from "../service.ts";

const LAUNCHER = join(import.meta.dir, "../../../../agents/terminal/process/launch.sh");

async function refusal(query: Record<string, string>): Promise<string> {
  await using service = startService();
  const response = await service.page(query);
  expect(service.terminal.sessions.all).toHaveLength(0);
  return `${response.status} ${((await response.json()) as { message: string }).message}`;
}

test("a session starts in its directory, which is made when that is asked for", async () => {
  await using service = startService();
  const folder = temporaryFolder();
  const there = await service.open({ cwd: folder });
  there.type("echo in $PWD.\n");
  await there.shows(`in ${folder}.`);
  const made = join(folder, "a b/$(touch x)/c");
  const fresh = await service.open({ cwd: made, cwd_auto_create: "true" });
  fresh.type("pwd; echo fin''ished\n");
  await fresh.shows("finished");
  expect(existsSync(made)).toBe(true);
  expect(existsSync(join(folder, "x"))).toBe(false);
  expect(await refusal({ cwd: join(folder, "none") })).toBe(
    "400 cwd: is not there; cwd_auto_create makes it",
  );
  writeFileSync(join(folder, "file"), "");
  for (const create of ["0", "1"]) {
    expect(await refusal({ cwd: join(folder, "file"), cwd_auto_create: create })).toBe(
      "400 cwd: is no directory",
    );
  }
  expect(await refusal({ cwd: join(folder, "file/x"), cwd_auto_create: "1" })).toBe(
    "400 cwd: cannot be created",
  );
});

test("a session runs the shell that is asked for; one that is not there is refused", async () => {
  await using service = startService();
  const client = await service.open({ shell: "sh", env: "ENV=" });
  client.type("echo shell $0\n");
  await client.shows(/shell (-l|sh|.*\/sh)/);
  expect(await refusal({ shell: "nosuchshell" })).toBe("400 shell: is not installed");
  for (const shell of ["/etc/passwd", "/bin"]) {
    expect(await refusal({ shell })).toBe("400 shell: is not installed");
  }
});

test("a command runs once, in the shell itself, and the shell goes on", async () => {
  await using service = startService();
  const folder = temporaryFolder();
  const cmd = btoa(`cd ${folder}; export MARK=set; echo ran >>ran`);
  const client = await service.open({ terminal_id: "7", shell: "bash", cmd });
  client.type("echo $MARK in $PWD\n");
  await client.shows(`set in ${folder}`);
  const again = await service.open({ terminal_id: "7", shell: "bash", cmd });
  again.type("wc -l <ran\n");
  await again.shows(/\n1\n/);
});

describe.skipIf(lacks("fish"))("in fish", () => {
  test("a command runs before what the shell's arguments say, whatever they are", async () => {
    await using service = startService({ urlArg: true });
    const script = join(temporaryFolder(), "script.fish");
    writeFileSync(script, "echo $MARK and $argv; cat");
    const query = new URLSearchParams([
      ["shell", "fish"],
      ["cmd", btoa("set -gx MARK set")],
      ["arg", script],
      ["arg", "given"],
    ]);
    const client = await service.open(query as never);
    await client.shows("set and given");
  });
});

test("a command runs in a shell that people type to, and the arguments are its successor's", async () => {
  await using service = startService({ urlArg: true });
  const query = new URLSearchParams([
    ["shell", "bash"],
    ["cmd", btoa("echo command in $-; set -f")],
    ["arg", "--norc"],
    ["arg", "-u"],
  ]);
  const client = await service.open(query as never);
  await client.shows(/command in \w*i/);
  client.type("echo shell in $-.\n");
  await client.shows(/shell in \w*i\w*u/);
});

test("^C ends the command, and the shell is there", async () => {
  await using service = startService();
  const client = await service.open({
    shell: "bash",
    cmd: btoa("sh -c 'echo sleep\"\"ing; exec sleep 1000'"),
  });
  await client.shows("sleeping");
  client.type("\x03");
  client.type("echo alive $((1+1))\n");
  await client.shows("alive 2");
});

test("a command with a syntax error says so, and the shell is there", async () => {
  await using service = startService();
  for (const shell of ["bash", "sh"]) {
    const client = await service.open({ shell, cmd: btoa("echo 'unfinished") });
    client.type("echo alive $((1+1))\n");
    await client.shows("alive 2");
  }
});

test("a startup script runs before the shell, only when the session is made", async () => {
  await using service = startService();
  const folder = temporaryFolder();
  const script = join(folder, "up.sh");
  writeFileSync(script, `#!/bin/sh\necho up >>${folder}/ups\necho script of $MARK\n`);
  for (const mode of [0o644, 0o755]) {
    chmodSync(script, mode);
    const query = { terminal_id: String(mode), startup_script: script, env: "MARK=it" };
    const client = await service.open(query);
    await client.shows("script of it");
    await service.open(query);
  }
  const before = await service.open({ terminal_id: "7", startup_script: script });
  await before.shows("script of");
  const again = await service.open({ terminal_id: "7", startup_script: script, reset: "true" });
  await until(() => before.exit);
  again.type("echo set up a''new\n");
  await again.shows("anew");
  expect(await Bun.file(join(folder, "ups")).text()).toBe("up\nup\nup\n");
  expect(await refusal({ startup_script: join(folder, "none.sh") })).toBe(
    "400 startup_script: is no file that this user can read",
  );
});

describe("the environment", () => {
  test("has what the address sets, literally, and wins over the service's", async () => {
    await using service = startService({ serviceEnv: { SERVICE_A: "theirs", SERVICE_B: "b" } });
    const query = new URLSearchParams([
      ["env", "ONE=$(touch /tmp/never) `id` '\";\\"],
      ["env", "SERVICE_A=mine"],
      ["env", "LD_PRELOAD="],
      ["display", "7"],
    ]);
    const client = await service.open(query as never);
    client.type('printf \'%s|\' "$ONE" "$SERVICE_A" "$SERVICE_B" "$DISPLAY" "$TERM"; env | grep -c BERTH_\n');
    await client.shows("$(touch /tmp/never) `id` '\";\\|mine|b|:7|xterm-256color|0");
    expect(existsSync("/tmp/never")).toBe(false);
  });

  test.skipIf(lacks("linux"))(
    "and the command and directory are in the arguments of no process, from the first on",
    async () => {
      const secret = `hidden-${crypto.randomUUID()}`;
      const folder = join(temporaryFolder(), secret);
      mkdirSync(folder);
      chmodSync(join(folder, ".."), 0o755);
      await using service = startService({ serviceEnv: { SERVICE_KEY: secret } });
      using watch = await watchArguments(secret);
      const cmd = btoa(`[ "$A" = "$SERVICE_KEY" ] && : ${secret} && echo sa''me, \${#A}`);
      for (const shell of ["bash", "sh", ...(lacks("root") ? [] : ["nobody"])]) {
        const query = new URLSearchParams({ cwd: folder, env: `A=${secret}`, cmd });
        if (shell === "nobody") query.set("user", shell);
        query.set("shell", shell === "nobody" ? "sh" : shell);
        const client = await service.open(query as never);
        await client.shows(`same, ${secret.length}`);
      }
      expect(await watch.seen()).toEqual([]);
    },
  );

  test("no variable of a link reaches the launcher: each is there for the shell, the script and the command", async () => {
    await using service = startService({ urlArg: true });
    const folder = temporaryFolder();
    const evil = join(folder, "evil");
    const script = join(folder, "script with a blank");
    for (const name of [evil, join(folder, "id"), join(folder, "tty"), join(folder, "export")]) {
      writeFileSync(name, `#!/bin/sh\n/bin/echo "$0" >>${folder}/ran\n`);
      chmodSync(name, 0o755);
    }
    // A line that is being written while the terminal gets another width stays broken where it was.
    const awaitSize = 'while [ "$(stty size)" != "24 200" ]; do sleep 0.01; done';
    writeFileSync(script, `${awaitSize}\nprintf "script has %s|" "$berth_script" "$PATH"; echo`);
    const names = await Bun.file(LAUNCHER).text();
    const ofLauncher = new Set(names.match(/\bberth_\w+/g));
    expect(ofLauncher.size).toBeGreaterThan(5);
    const variables = [
      ...[...ofLauncher].map((name) => [name, evil]),
      ...["cwd", "script", "debug", "BERTH_LAUNCH_CWD", "BERTH_LAUNCH_SCRIPT", "BERTH_LAUNCH_COUNT"],
      ...["BERTH_LAUNCH_0", "BERTH_LAUNCH_3", "BERTH_TERMINAL_CMD", "berth_cmd", "CDPATH"],
      ["IFS", "/e"],
      ["HOME", "/nowhere"],
      ["PATH", `${folder}:/usr/bin:/bin`],
    ].map((one) => (typeof one === "string" ? [one, evil] : one) as [string, string]);
    for (const debug of ["false", "true"]) {
      const cmd = btoa("printf 'command '; env | grep -c evil");
      // No login, since a system's own profile runs the programs that PATH leads to.
      const shell = { shell: "sh", arg: "-i" };
      const query = new URLSearchParams({ cwd: folder, startup_script: script, cmd, debug, ...shell });
      for (const [name, value] of variables) query.append("env", `${name}=${value}`);
      const client = await service.open(query as never, { cols: 200, rows: 24 });
      const evils = variables.filter(([, value]) => value === evil).length;
      await client.shows(`script has ${evil}|script has ${folder}:/usr/bin:/bin|`);
      await client.shows(`command ${evils}`);
      client.type('printf "%s|" "$PWD" "$berth_n" "$BERTH_LAUNCH_3" "$HOME" fin""ished\n');
      await client.shows(`${folder}|${evil}|${evil}|/nowhere|finished|`);
    }
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("a startup script and a directory without a slash are the user's, wherever the session starts", async () => {
    const home = temporaryFolder();
    await using service = startService({ target: machineAt(home) });
    mkdirSync(join(home, "work"));
    writeFileSync(join(home, "true"), "echo script in $PWD");
    const client = await service.open({ cwd: "work", startup_script: "true" });
    await client.shows(`script in ${home}/work`);
  });

  test("has none of the service's variables when that is turned off", async () => {
    await using service = startService({ serviceEnv: { SERVICE_A: "theirs" } });
    const client = await service.open("env_inject=false");
    client.type("env | grep -c ^SERVICE_; echo fin''ished\n");
    await client.shows(/\n0\nfinished/);
  });
});

test("arguments reach the shell as they are, where the server lets them", async () => {
  await using service = startService({ urlArg: true });
  const query = new URLSearchParams([
    ["shell", "sh"],
    ["arg", "-c"],
    ["arg", 'printf "<%s>" "$@"; exec cat'],
    ["arg", "zero"],
    ["arg", "a b; id"],
    ["arg", "-x"],
  ]);
  const client = await service.open(query as never);
  await client.shows("<a b; id><-x>");
  expect(await refusal({ arg: "-c" })).toContain("400 arg: this server takes no arguments");
});

test("welcome greets, debug says how the session starts, and neither is there by itself", async () => {
  await using service = startService();
  const client = await service.open("terminal_id=7&welcome&debug&env=A=secretvalue");
  await client.shows("Welcome to terminal 7.");
  expect(client.text).toMatch(/berth: user \w+, terminal \/dev\/pts\/\d+, environment: [\w\s]* A\n/);
  expect(client.text).not.toContain("secretvalue");
  const plain = await service.open("terminal_id=8");
  plain.type("echo plain\n");
  await plain.shows("plain");
  expect(plain.text).not.toMatch(/Welcome|berth:/);
});

test("a desktop that is not installed is refused", async () => {
  if (Bun.which("mate-session") !== null) return;
  expect(await refusal({ desktop_env: "mate", display: "1" })).toBe("400 desktop_env: is not installed");
  const programs = ["startxfce4", "xfce4-session", "icewm-session", "openbox-session"];
  if (programs.some((program) => Bun.which(program) !== null)) return;
  expect(await refusal({ desktop: "", display: "1" })).toBe(
    "400 desktop: needs a desktop, and none is installed: xfce, mate, icewm or openbox",
  );
});

test("a desktop without a display is refused, by the name of the parameter that asks for it", async () => {
  expect(await refusal({ desktop: "true" })).toBe("400 desktop: needs a display: add display=N");
  expect(await refusal({ desktop_env: "xfce", env: "DISPLAY=" })).toBe(
    "400 desktop_env: needs a display: add display=N",
  );
});

describe.skipIf(lacks("root"))("as another user", () => {
  test("a session has that user's groups, home and terminal", async () => {
    await using service = startService({ startupCommand: ["bash", "--norc"] });
    const client = await service.open({ user: "nobody" });
    client.type('echo "$(id -un) $(id -Gn) $USER $HOME"; stat -c %U "$(tty)"; echo fin\'\'ished\n');
    await client.shows("finished");
    expect(client.text).toMatch(/\nnobody nogroup nobody \/nonexistent\nnobody\n/);
  });

  test("^C, sizes and the exit status work as anywhere", async () => {
    await using service = startService();
    const client = await service.open({ user: "nobody" }, { cols: 91, rows: 33 });
    // Said by what is to be interrupted: a shell between two commands would go on to the second.
    client.type("sh -c 'echo rea\"\"dy; exec sleep 1000'\n");
    await client.shows("ready");
    client.type("\x03");
    client.type("stty size; exit 7\n");
    await until(() => client.exit);
    expect(client.text).toContain("33 91");
    expect(client.exit).toMatchObject({ code: 7 });
  });

  test("what the address says is done as that user: directories, scripts, and no more", async () => {
    await using service = startService();
    const folder = temporaryFolder();
    const open = join(folder, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    const made = join(open, "made");
    await service.open({ user: "nobody", cwd: made, cwd_auto_create: "1" });
    expect(statSync(made).uid).toBe(65534);
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o700 });
    expect(await refusal({ user: "nobody", cwd: join(closed, "x"), cwd_auto_create: "1" })).toBe(
      "400 cwd: cannot be created",
    );
    const script = join(closed, "up.sh");
    writeFileSync(script, "");
    expect(await refusal({ user: "nobody", startup_script: script })).toContain("400 startup_script");
  });

  test("variables act after the switch of user, not before it", async () => {
    await using service = startService();
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    // The loader writes a file for every program that starts with these: as root for none.
    const query = new URLSearchParams([
      ["user", "nobody"],
      ["env", "LD_DEBUG=libs"],
      ["env", `LD_DEBUG_OUTPUT=${folder}/loaded`],
    ]);
    const client = await service.open(query as never);
    client.type("echo fin''ished\n");
    await client.shows("finished");
    const files = [...new Bun.Glob("loaded.*").scanSync({ cwd: folder })];
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(statSync(join(folder, file)).uid).toBe(65534);
  });

  test("a program that does not hear that its session was ended is ended anyway, a little later", async () => {
    await using service = startService();
    const client = await service.open({ user: "nobody" });
    const mark = `deaf-${crypto.randomUUID()}`;
    client.type(`exec sh -c "trap '' HUP TERM; while :; do sleep 0.5; done" ${mark}\n`);
    const deaf = () => argumentsWith(mark);
    await until(() => deaf().length === 1);
    service.terminal.sessions.all[0]?.end("");
    await until(() => client.exit);
    await until(() => deaf().length === 0);
  });

  test("a user who does not exist is refused", async () => {
    expect(await refusal({ user: "nosuchuser" })).toBe("400 user: does not exist on this machine");
  });
});

test("a machine whose programs hang or flood is named, and not an account that is missing", async () => {
  const bound: { boundMet: "deadline" | "stdout" } = { boundMet: "deadline" };
  const target = { ...hostExecTarget, run: async () => ({ code: null, stdout: "", ...bound }) };
  await using service = startService({ target });
  const messageOf = async (query: Record<string, string>) => {
    const response = await service.page(query);
    return [response.status, ((await response.json()) as { message: string }).message];
  };
  expect(await messageOf({ user: "nobody" })).toEqual([
    400,
    "user: cannot be looked up: `id` on the machine: it did not end in time",
  ]);
  bound.boundMet = "stdout";
  expect(await messageOf({ pid: "4321" })).toEqual([
    400,
    "pid: cannot be looked at: a program of the machine: it wrote more than it may",
  ]);
  expect(service.terminal.sessions.all).toHaveLength(0);
});
