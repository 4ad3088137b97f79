import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import {
  countTo,
  endProcess,
  isAlive,
  keptService,
  numbersIn,
  programsOf,
  ptyHostOf,
} from "./hosted-service.ts";

/** Counts when it is told to, by a file that says how far. */
const counter = (file: string) =>
  `n=0; while [ $n -lt 400 ]; do while [ $n -ge $(cat ${file}) ]; do sleep 0.02; done; n=$((n+1)); echo n$n; done; echo all''shown\n`;

describe.skipIf(lacks("linux"))("a terminal whose service is killed", () => {
  test("goes on: the same shell, no byte lost and none twice", async () => {
    await using service = await keptService();
    const file = join(temporaryFolder(), "count");
    writeFileSync(file, "100");
    const client = await service.open();
    client.type("mark=$$\n");
    client.type(counter(file));
    await client.shows("n100");
    // It is killed while the program writes, which goes on meanwhile.
    writeFileSync(file, "250");
    await service.stop("SIGKILL");
    writeFileSync(file, "300");
    await service.start();
    const again = await service.comeBack();
    writeFileSync(file, "400");
    await again.shows("allshown");
    expect(numbersIn(again.text)).toEqual(countTo(400));
    again.type("echo [$mark] [$$].\n");
    await again.shows(/\[(\d+)\] \[\1\]\./);
  });

  test("goes on after a second and a third time, also after much output, and whether it is killed or told to end", async () => {
    await using service = await keptService();
    let client = await service.open();
    client.type("for n in $(seq 1 60000); do echo n$n; done; echo all''shown\n");
    // With the prompt that comes after it.
    await client.shows(/allshown\n[^\n]*[$#] *$/);
    const before = client.text;
    for (const signal of ["SIGKILL", "SIGTERM", "SIGKILL"] as const) {
      await service.stop(signal);
      await service.start();
      const again = await service.comeBack();
      // All of it is parsed once more, and a page that comes back meanwhile gets the rest as it is.
      await until(() => again.text === before).catch(() => expect(again.text).toBe(before));
      client = again;
    }
    client.type("echo he''re\n");
    await client.shows("here");
  });

  test.skipIf(lacks("vim"))(
    "brings back a screen that a program has drawn, at its size, and its name",
    async () => {
      await using service = await keptService();
      const size = { cols: 100, rows: 30 };
      const client = await service.open("terminal_id=7", size);
      client.type("vim -u NONE -N --cmd 'set laststatus=2 ruler'\n");
      await client.shows("~");
      client.type("ione line\rand anot\u001b");
      await client.shows(/2,8 +All/);
      await fetch(`${service.origin}/api/v1/terminal/sessions/7`, {
        method: "PATCH",
        body: '{"name":"edited"}',
        headers: { "content-length": "17" },
      });
      await until(() => client.message("name")?.name === "edited");
      const before = client.text;
      await service.stop("SIGKILL");
      await service.start();
      const { sessions } = (await (await fetch(`${service.origin}/api/v1/terminal/sessions`)).json()) as {
        sessions: object[];
      };
      expect(sessions).toMatchObject([{ id: 7, name: "edited", cols: 100, rows: 30 }]);
      const again = await service.comeBack(size);
      expect(again.text).toBe(before);
      again.type("Ao");
      await again.shows("and anoto");
    },
  );

  test("how a program ended meanwhile is shown with all that it wrote, and the number is free for a new session", async () => {
    await using service = await keptService();
    const file = join(temporaryFolder(), "go");
    const client = await service.open();
    client.type(`while ! [ -e ${file} ]; do sleep 0.02; done; echo la''st words; exit 3\n`);
    await client.shows("exit 3");
    await service.stop("SIGKILL");
    writeFileSync(file, "");
    await until(() => service.programs().length === 0);
    await service.start();
    const again = await service.comeBack();
    await until(() => again.exit);
    expect(again.exit).toMatchObject({ code: 3, signal: null });
    expect(again.text).toContain("last words");
    const next = await service.open();
    next.type("echo an''ew\n");
    await next.shows("anew");
  });

  test("comes back with fifty sessions, each with its own shell, screen and name", async () => {
    await using service = await keptService();
    const at = `${service.origin}/api/v1/terminal/sessions`;
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const id of ids) {
      const client = await service.open(`terminal_id=${id}`);
      client.type(`mark=${id}; echo first $((mark * 1000)).\n`);
      await client.shows(`first ${id * 1000}.`);
      client.close();
    }
    const body = (id: number) => JSON.stringify({ name: `number ${id}` });
    await Promise.all(
      ids.map(async (id) =>
        expect((await fetch(`${at}/${id}`, { method: "PATCH", body: body(id) })).status).toBe(200),
      ),
    );
    const programs = service.programs().sort();
    await service.stop("SIGKILL");
    await service.start();
    const { sessions } = (await (await fetch(at)).json()) as { sessions: { id: number; name: string }[] };
    expect(sessions.map(({ id, name }) => [id, name])).toEqual(ids.map((id) => [id, `number ${id}`]));
    for (const id of ids) {
      const client = await service.open(`terminal_id=${id}`);
      expect(client.text).toContain(`first ${id * 1000}.`);
      client.type("echo second $((mark * 1001)).\n");
      await client.shows(`second ${id * 1001}.`);
      client.close();
    }
    expect(service.programs().sort()).toEqual(programs);
  });

  test("killed while sessions are opened, it comes back with each of them once, or not at all", async () => {
    await using service = await keptService();
    // There is a PTY host already.
    (await service.open("terminal_id=100")).close();
    const ids = Array.from({ length: 8 }, (_, index) => index + 1);
    const at = `${service.origin}/api/v1/terminal/sessions`;
    // Each round it is killed at another point of their starts: when so many programs are there.
    for (const programs of [1, 2, 4, 6]) {
      const opening = ids.map((id) =>
        fetch(`${service.origin}/?terminal_id=${id}&reset=true`).catch(() => undefined),
      );
      const before = service.programs();
      await until(() => service.programs().filter((pid) => !before.includes(pid)).length >= programs, {
        everyMs: 1,
      });
      await service.stop("SIGKILL");
      await Promise.all(opening);
      await service.start();
      for (const id of ids) {
        const client = await service.open(`terminal_id=${id}`);
        client.type("echo he''re\n");
        await client.shows("here");
        client.close();
      }
      await until(() => service.programs().length === ids.length + 1);
      const { sessions } = (await (await fetch(at)).json()) as { sessions: { id: number }[] };
      expect(sessions.map(({ id }) => id).sort((a, b) => a - b)).toEqual([...ids, 100]);
    }
  });

  test("a session that was ended and whose program goes on for a while is not there again", async () => {
    await using service = await keptService();
    const deaf = btoa(`exec sh -c 'trap "" HUP; echo de"af"; while :; do sleep 1; done'`);
    const before = await service.open(`terminal_id=7&shell=bash&cmd=${encodeURIComponent(deaf)}`);
    await before.shows("deaf");
    const at = `${service.origin}/api/v1/terminal/sessions`;
    expect((await fetch(`${at}/7`, { method: "DELETE" })).status).toBe(204);
    await service.stop("SIGKILL");
    await service.start();
    expect(await (await fetch(at)).json()).toEqual({ sessions: [] });
    const after = await service.open();
    after.type("echo mark $((40+2))\n");
    await after.shows("mark 42");
    expect(after.text).not.toContain("deaf");
    await until(() => service.programs().length === 1);
    after.type("echo still $((40+3))\n");
    await after.shows("still 43");
  });

  test("what a program asked meanwhile is answered, and what it asked before is not answered again", async () => {
    await using service = await keptService();
    const [file, answers] = [join(temporaryFolder(), "go"), join(temporaryFolder(), "answers")];
    const client = await service.open();
    const ask = `printf '\\033[5n'; IFS= read -rsn4 a; printf '%s' "$a" | od -An -c >>${answers}`;
    client.type(
      `${ask}; while ! [ -e ${file} ]; do sleep 0.02; done; ${ask}; read -rt 0.5 more; echo [$more].\n`,
    );
    const answered = () =>
      existsSync(answers) ? readFileSync(answers, "utf8").trim().split("\n").length : 0;
    await until(() => answered() === 1);
    await service.stop("SIGKILL");
    writeFileSync(file, "");
    await service.start();
    await until(() => answered() === 2);
    const again = await service.comeBack();
    await again.shows("[].");
  });

  test("a flood while the service stands still takes bounded memory, and it then goes on with the end of it", async () => {
    await using service = await keptService();
    const client = await service.open();
    const done = join(temporaryFolder(), "done");
    // As much memory as it takes while somebody reads.
    client.type("seq 1 1000000; echo re''ady\n");
    await client.shows("ready");
    const ptyHost = ptyHostOf(service.data);
    const before = residentMiB(ptyHost);
    client.type(
      `echo wai''ting; until [ -e ${done}.go ]; do sleep 0.02; done; seq 1 6000000; echo x >${done}; echo la''st\n`,
    );
    await client.shows("waiting");
    process.kill(service.pid, "SIGSTOP");
    try {
      writeFileSync(`${done}.go`, "");
      await until(() => existsSync(done));
      await until(() => residentMiB(ptyHost) < before + 32);
    } finally {
      process.kill(service.pid, "SIGCONT");
    }
    await client.shows(/5999999\n6000000\nlast/);
    client.type("echo goes''on\n");
    await client.shows("goeson");
  });
});

describe.skipIf(lacks("linux"))("the PTY host", () => {
  test("is reached by its owner alone, also where the folder's path is longer than a socket's may be", async () => {
    const data = join(temporaryFolder(), "a".repeat(60), "b".repeat(60));
    await using service = await keptService({ data });
    const client = await service.open();
    client.type("umask; echo $((6*7))\n");
    await client.shows("42");
    expect(client.text).toContain(process.umask().toString(8).padStart(4, "0"));
    const mode = (path: string) => statSync(join(data, path)).mode & 0o777;
    expect([mode("pty-host"), mode("pty-host/1.sock")]).toEqual([0o700, 0o600]);
    await service.stop("SIGKILL");
    await service.start();
    await (await service.comeBack()).shows("42");
  });

  test("has one service at a time", async () => {
    await using service = await keptService();
    await service.open();
    const other = Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "../../../../agents/terminal/main.ts"),
        "--port",
        "0",
        "--data",
        service.data,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    expect(await new Response(other.stderr).text()).toContain(`process ${service.pid} is its agent`);
    expect(await other.exited).toBe(1);
  });

  test("killed, takes its sessions with it, which say so, and the next session has a new one", async () => {
    await using service = await keptService();
    const client = await service.open();
    client.type("sleep 1000 & echo pids $$ $!.\n");
    await client.shows(/pids \d+ \d+\./);
    const [, shell = 0] = /pids (\d+)/.exec(client.text) ?? [];
    const ptyHost = ptyHostOf(service.data);
    await endProcess(ptyHost, "SIGKILL");
    await until(() => client.exit);
    expect(client.exit).toMatchObject({
      code: null,
      signal: null,
      reason: "the process that held it was ended",
    });
    await until(() => !isAlive(Number(shell)));
    const next = await service.open();
    next.type("echo an''ew\n");
    await next.shows("anew");
    expect(ptyHostOf(service.data)).not.toBe(ptyHost);
  });

  test.skipIf(lacks("root"))(
    "killed, leaves no session of another user behind, whatever is in the foreground",
    async () => {
      await using service = await keptService();
      const client = await service.open("terminal_id=7&user=nobody");
      client.type("sh -c 'echo pid $$.; exec sleep 1000'\n");
      await client.shows(/pid \d+\./);
      const [, program = 0] = /pid (\d+)\./.exec(client.text) ?? [];
      await endProcess(ptyHostOf(service.data), "SIGKILL");
      await until(() => client.exit);
      await until(() => !isAlive(Number(program)));
    },
  );

  test("that does not answer keeps nobody from a terminal, which then ends with its service", async () => {
    await using service = await keptService();
    const client = await service.open();
    client.type("echo fir''st\n");
    await client.shows("first");
    const ptyHost = ptyHostOf(service.data);
    process.kill(ptyHost, "SIGSTOP");
    try {
      const other = await service.open("terminal_id=8");
      other.type("echo wi''thout $((6*7))\n");
      await other.shows("without 42");
    } finally {
      process.kill(ptyHost, "SIGCONT");
    }
    client.type("echo sec''ond\n");
    await client.shows("second");
    // What it was asked for before it hung comes to nothing: who asked has gone another way.
    const next = await service.open("terminal_id=9");
    next.type("echo ni''nth\n");
    await next.shows("ninth");
    expect(programsOf(ptyHost).length).toBe(2);
  });
});

test.skipIf(lacks("linux"))(
  "a terminal whose PTY host hangs at its start says so in one line, and ends",
  async () => {
    await using service = await keptService();
    await service.open();
    await service.stop("SIGKILL");
    const ptyHost = ptyHostOf(service.data);
    process.kill(ptyHost, "SIGSTOP");
    try {
      const main = join(import.meta.dir, "../../../../agents/terminal/main.ts");
      const next = Bun.spawn([process.execPath, main, "--port", "0", "--data", service.data], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      expect(await new Response(next.stderr).text()).toBe(
        `terminal: --data ${service.data}: the PTY host does not answer (its process is named in ${service.data}/pty-host/log)\n`,
      );
      expect(await next.exited).toBe(1);
    } finally {
      process.kill(ptyHost, "SIGCONT");
    }
  },
);

describe.skipIf(lacks("linux"))("a page that was open at an earlier process", () => {
  test("gets a token for what it may see, and only from this origin", async () => {
    await using service = await keptService();
    await service.open();
    await service.stop("SIGKILL");
    await service.start();
    expect((await service.tokens(7, {}, { origin: "http://evil.example" })).status).toBe(403);
    expect((await service.tokens(7, {}, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await service.tokens(9)).status).toBe(404);
    expect((await fetch(`${service.origin}/api/v1/terminal/sessions/7/tokens`)).status).toBe(405);
    const answer = await service.tokens(7, { readonly: true });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });
});

const residentMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
