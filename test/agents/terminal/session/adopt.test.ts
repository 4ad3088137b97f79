import { expect, test } from "bun:test";
import { join } from "node:path";
import { PtyHostClient } from "../../../../agents/terminal/pty-host/client.ts";
import type { PtyStore } from "../../../../agents/terminal/session/adopt.ts";
import { writeRecord } from "../../../../agents/terminal/session/record.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { ptyHostOf } from "../pty-host/hosted-service.ts";
import { startService } from "../service.ts";

const OPTIONS = { cwd: "/", env: { PATH: process.env.PATH ?? "", PS1: "$ " } };
const NOBODY = {
  ...{ cols: 80, rows: 24 },
  data: () => undefined,
  closed: () => undefined,
  drained: () => undefined,
};
const recordOf = (id: number) =>
  writeRecord(
    {
      ...{ id, description: "sh", user: null, name: null, backgroundColor: "#000000", location: "here" },
      ...{ cols: 80, rows: 24, createdAt: new Date().toISOString() },
    },
    new Uint8Array(),
  );

test("a session that cannot be adopted does nothing to the others, and one whose start was not over is ended", async () => {
  const folder = temporaryFolder();
  const before = new PtyHostClient(folder, () => undefined);
  for (const record of [recordOf(1), recordOf(2), new Uint8Array(), recordOf(3)]) {
    const pty = await before.start("me", record, ["sh"], OPTIONS, NOBODY);
    pty?.leave();
  }
  before.close();

  const next = new PtyHostClient(folder, () => undefined);
  try {
    const keep = next.forOwner("me", () => "here");
    const [, second, third] = await keep.list();
    const broken: PtyStore = {
      ...keep,
      find: async (held) => {
        if (held.key === second?.key) throw new Error("it is gone");
        return keep.find(held);
      },
    };
    await using service = startService({ ptyStore: broken });
    await service.terminal.adopted;
    expect(service.terminal.sessions.open.map(({ id }) => id)).toEqual([1, 3]);
    expect(service.errors.map(String)).toEqual(["Error: it is gone"]);
    const client = await service.open("terminal_id=3");
    client.type("echo still $((40+2))\n");
    await client.shows("still 42");
    const left = (await keep.list()).filter(({ ending }) => !ending).map(({ key }) => key);
    expect(left).toContain(second?.key ?? 0);
    expect(left).not.toContain(third?.key ?? 0);
  } finally {
    await next.endAll();
  }
});

test("one whose program ended meanwhile is not there to be joined, and who comes back to it hears how it ended", async () => {
  const folder = temporaryFolder();
  const before = new PtyHostClient(folder, () => undefined);
  for (const [id, program] of [
    [1, "exit 3"],
    [2, "exec sleep 1000"],
  ] as const) {
    const pty = await before.start("me", recordOf(id), ["sh", "-c", program], OPTIONS, NOBODY);
    if (id === 1) await pty?.exited;
    pty?.leave();
  }
  before.close();

  const next = new PtyHostClient(folder, () => undefined);
  try {
    await using service = startService({ ptyStore: next.forOwner("me", () => "here") });
    await service.terminal.adopted;
    const { open } = service.terminal.sessions;
    expect(open.map(({ id }) => id)).toEqual([2]);
    expect(service.terminal.sessions.recent(1)?.exit).toMatchObject({ code: 3 });
  } finally {
    await next.endAll();
  }
});

test("those of a PTY host that hangs are adopted when it answers, and end nothing that was opened meanwhile", async () => {
  const data = temporaryFolder();
  const folder = join(data, "pty-host");
  const before = new PtyHostClient(folder, () => undefined);
  for (const id of [7, 8]) (await before.start("me", recordOf(id), ["sh"], OPTIONS, NOBODY))?.leave();
  before.close();
  const ptyHost = ptyHostOf(data);

  const next = new PtyHostClient(folder, () => undefined);
  process.kill(ptyHost, "SIGSTOP");
  try {
    await using service = startService({ ptyStore: next.forOwner("me", () => "here") });
    await service.terminal.adopted;
    const opened = await service.open("terminal_id=7");
    opened.type("echo new''er\n");
    await opened.shows("newer");
    const { sessions } = service.terminal;
    expect(sessions.open).toHaveLength(1);
    process.kill(ptyHost, "SIGCONT");
    await until(() => sessions.open.length === 3);
    const other = sessions.open.find(({ name }) => name === "was terminal 7");
    expect(sessions.open.map(({ id }) => id).sort()).toEqual([7, 8, other?.id ?? 0].sort());
    for (const id of [7, 8, other?.id]) {
      const client = await service.open(`terminal_id=${id}`);
      client.type("echo alive $((40+2))\n");
      await client.shows("alive 42");
      expect(client.text.includes("newer")).toBe(id === 7);
    }
    // One that this process has is not adopted a second time.
    await service.open("terminal_id=9");
    expect(await next.forOwner("me", () => "here").list()).toEqual([]);
  } finally {
    process.kill(ptyHost, "SIGCONT");
    await next.endAll();
    next.close();
  }
});
