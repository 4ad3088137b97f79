import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { keptService } from "../pty-host/hosted-service.ts";
import { startService } from "../service.ts";

const running: ReturnType<typeof Bun.spawn>[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
});

/** A program on a terminal of its own, as in another terminal emulator. */
async function onTerminal(argv: string[]) {
  let said = "";
  const child = Bun.spawn(argv, {
    env: { PATH: process.env.PATH ?? "", TERM: "xterm" },
    terminal: {
      cols: 80,
      rows: 24,
      data(_, bytes) {
        said += new TextDecoder().decode(bytes);
      },
    },
  });
  running.push(child);
  await until(() => said.includes("ready"));
  return child;
}

/** A shell, and a program that numbers the lines which it reads. */
async function shellAndChild() {
  const outer = await onTerminal(["bash", "--norc", "-c", "echo ready; exec bash --norc -i"]);
  outer.terminal?.write("cat -n\n");
  const inner = await until(
    () => Number(readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, "utf8")) || null,
  );
  return { outer, inner };
}

async function refusal(query: Record<string, string>): Promise<string> {
  await using service = startService();
  const response = await service.page(query);
  expect(service.terminal.sessions.all).toHaveLength(0);
  return `${response.status} ${((await response.json()) as { message: string }).message}`;
}

describe.skipIf(lacks("root", "reptyr"))("a running process", () => {
  test("is taken to a terminal: it reads there and writes there", async () => {
    await using service = startService();
    const { inner } = await shellAndChild();
    const client = await service.open({ terminal_id: "7", pid: String(inner) });
    client.type("hello\n");
    await client.shows(/\n +1 +hello/);
  });

  test("that leads its terminal is taken with the whole of it", async () => {
    await using service = startService();
    const shell = await onTerminal(["bash", "--norc", "-c", "echo ready; exec bash --norc -i"]);
    const client = await service.open({ pid: String(shell.pid) });
    client.type("echo here $$ $((1+1))\n");
    await client.shows(`here ${shell.pid} 2`);
  });

  test("of a session that is shown already leads to that session", async () => {
    await using service = startService();
    const before = await service.open("terminal_id=7");
    before.type("sleep 1000 & echo job $!.\n");
    await before.shows(/job \d+\./);
    const pid = /job (\d+)\./.exec(before.text)?.[1] ?? "";
    const after = await service.open({ terminal_id: "8", pid });
    await after.shows(`job ${pid}.`);
    expect(after.message("attached")?.id).toBe(7);
    expect(service.terminal.sessions.all).toHaveLength(1);
  });

  test("that was taken leads to the session that shows it, asked for by any number or none, and is not harmed", async () => {
    await using service = startService();
    const { outer, inner } = await shellAndChild();
    for (const pid of [String(inner), String(outer.pid)]) {
      const session = pid === String(inner) ? 910 : 911;
      const queries = [
        { terminal_id: `${session}` },
        { terminal_id: `${session}` },
        { terminal_id: "912" },
        {},
      ];
      for (const query of queries) {
        const client = await service.open({ ...query, pid });
        expect(client.message("attached")?.id).toBe(session);
      }
    }
    expect(service.terminal.sessions.all.map(({ id }) => id)).toEqual([910, 911]);
    const client = await service.open("terminal_id=910");
    client.type("alive\n");
    await client.shows(/ +1\s+alive/);
  });

  test("that was taken leads to its session also when the service was killed meanwhile", async () => {
    await using service = await keptService();
    const { inner } = await shellAndChild();
    await service.open(`terminal_id=910&pid=${inner}`);
    await service.stop("SIGKILL");
    await service.start();
    const client = await service.open(`pid=${inner}`);
    expect(client.message("attached")?.id).toBe(910);
    client.type("alive\n");
    await client.shows(/ +1\s+alive/);
  });

  test("that two ask for at once is taken once", async () => {
    await using service = startService();
    const shell = await onTerminal(["bash", "--norc", "-c", "echo ready; exec bash --norc -i"]);
    const queries = [{ terminal_id: "21" }, { terminal_id: "22" }, {}];
    const clients = await Promise.all(
      queries.map((query) => service.open({ ...query, pid: String(shell.pid) })),
    );
    expect(new Set(clients.map((client) => client.message("attached")?.id)).size).toBe(1);
    clients[0]?.type("echo here $$ $((1+1))\n");
    await clients[0]?.shows(`here ${shell.pid} 2`);
  });

  test("that cannot be attached to leaves the session of that number as it was", async () => {
    await using service = startService();
    const client = await service.open("terminal_id=7");
    const lone = Bun.spawn(["sleep", "1000"], { stdio: ["ignore", "ignore", "ignore"] });
    running.push(lone);
    const response = await service.page({ terminal_id: "7", pid: String(lone.pid) });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toStartWith(
      "pid: cannot be attached to",
    );
    client.type("echo alive $((1+1))\n");
    await client.shows("alive 2");
    expect(lone.exitCode).toBeNull();
  });

  test("is refused when it is another user's, the service's own, or not there, in one way", async () => {
    const foreign = Bun.spawn(["setpriv", "--reuid=65534", "--clear-groups", "sleep", "1000"], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    running.push(foreign);
    await until(async () => (await Bun.file(`/proc/${foreign.pid}/status`).text()).includes("Uid:\t65534"));
    expect(await refusal({ pid: String(foreign.pid) })).toBe("400 pid: is no process of yours");
    expect(await refusal({ pid: "4194304" })).toBe("400 pid: is no process of yours");
    expect(await refusal({ pid: String(process.pid), user: "nobody" })).toBe(
      "400 pid: is no process of yours",
    );
    expect(await refusal({ pid: String(process.pid) })).toBe("400 pid: is a process of this service");
    expect(await refusal({ pid: "1" })).toBe("400 pid: is a process of this service");
  });
});
