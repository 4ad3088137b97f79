import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Exit } from "../../../../agents/exec/target.ts";
import { PtyHostClient } from "../../../../agents/terminal/pty-host/client.ts";
import { PtyHostConnection } from "../../../../agents/terminal/pty-host/connection.ts";
import { PtyHost } from "../../../../agents/terminal/pty-host/pty-host.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";

/** A PTY host in this process; programs of a test end by themselves. */
function ptyHostHere(folder: string, name = "1.sock") {
  const state = { isIdle: false };
  const ptyHost = new PtyHost({
    watchdog: { watch: () => undefined, forget: () => undefined },
    idleMs: 50,
    onIdle: () => {
      state.isIdle = true;
    },
  });
  const listener = Bun.listen({ unix: join(folder, name), socket: ptyHost.handler as never });
  return {
    state,
    [Symbol.dispose]: () => listener.stop(true),
  };
}

/** A terminal that remembers what it heard. */
function listening() {
  const heard = { text: "", taken: 0 };
  return {
    heard,
    terminal: {
      ...{ cols: 80, rows: 24 },
      data: (bytes: Uint8Array) => {
        heard.text += Buffer.from(bytes).toString();
      },
      closed: () => undefined,
      drained: () => undefined,
      taken: (bytes: number) => {
        heard.taken = bytes;
      },
    },
  };
}

const HERE = { cwd: "/", env: { PATH: process.env.PATH ?? "" } };

test("ends when it holds nothing and nobody is connected, and not before", async () => {
  const folder = temporaryFolder();
  using ptyHost = ptyHostHere(folder);
  const client = new PtyHostClient(folder, () => undefined);
  const { terminal, heard } = listening();
  const pty = await client.start(
    "me",
    new Uint8Array(),
    ["sh", "-c", "echo ready; read x; exit 4"],
    HERE,
    terminal,
  );
  await until(() => heard.text.includes("ready"));
  pty?.leave();
  client.close();
  // It holds a program: another agent finds it, and its end.
  const next = new PtyHostClient(folder, () => undefined);
  const [held] = await next.list();
  expect(held).toMatchObject({ owner: "me", pid: pty?.pid });
  expect(ptyHost.state.isIdle).toBe(false);
  const found = await next.find(held ?? { key: 0, owner: "", pid: 0 });
  const again = found.start(listening().terminal);
  again.write(Buffer.from("\n"));
  expect(await again.exited).toMatchObject({ code: 4 });
  again.close();
  await until(async () => (await next.list()).length === 0);
  next.close();
  await until(() => ptyHost.state.isIdle);
});

test.skipIf(lacks("root", "unshare"))(
  "a container's root changes no device node of the host by the terminal that it is given",
  async () => {
    const nodes = () =>
      readdirSync("/dev/pts").map((name) => {
        const { mode, uid } = statSync(join("/dev/pts", name));
        return `${name} ${mode.toString(8)} ${uid}`;
      });
    const folder = temporaryFolder();
    const client = new PtyHostClient(folder, () => undefined, { isForContainers: true });
    const { terminal, heard } = listening();
    const attack = "chmod 0777 $(tty) && chown 1234 $(tty) && stat -c 'changed: %a %u' $(tty); read x";
    await client.start("me", new Uint8Array(), ["sh", "-c", attack], HERE, terminal);
    await until(() => heard.text.includes("changed: 777 1234"));
    expect(nodes().filter((node) => node.endsWith(" 20777 1234"))).toEqual([]);
    await client.endAll();
    client.close();
  },
);

test("what was written meanwhile comes in order behind the record, with its sizes in their places", async () => {
  const folder = temporaryFolder();
  using _ = ptyHostHere(folder);
  const client = new PtyHostClient(folder, () => undefined);
  const { terminal, heard } = listening();
  const script = "stty -echo; for n in 1 2 3 4; do echo part$n; read x; done";
  const pty = await client.start("me", Buffer.from("first"), ["sh", "-c", script], HERE, terminal);
  await until(() => heard.text.includes("part1"));
  pty?.store(Buffer.from("second"));
  pty?.write(Buffer.from("\n"));
  await until(() => heard.text.includes("part2"));
  pty?.resize(100, 30);
  pty?.write(Buffer.from("\n"));
  await until(() => heard.text.includes("part3"));
  pty?.leave();
  client.close();

  const next = new PtyHostClient(folder, () => undefined);
  const [held] = await next.list();
  const found = await next.find(held ?? { key: 0, owner: "", pid: 0 });
  expect(Buffer.from(found.record).toString()).toBe("second");
  let story = "";
  const again = found.start({
    ...terminal,
    data: (bytes) => {
      story += Buffer.from(bytes).toString().replaceAll("\r\n", " ");
    },
    resized: (cols, rows) => {
      story += `${cols}x${rows} `;
    },
    live: () => {
      story += "(live) ";
    },
  });
  await found.shown;
  expect(story).toBe("part2 (live) 100x30 part3 ");
  again.write(Buffer.from("\n"));
  await until(() => story.endsWith("part4 "));
  again.write(Buffer.from("\n"));
  await again.exited;
  next.close();
});

test("a program that cannot be started is an error of that program alone", async () => {
  const folder = temporaryFolder();
  using _ = ptyHostHere(folder);
  const client = new PtyHostClient(folder, () => undefined);
  const start = (argv: string[]) => client.start("me", new Uint8Array(), argv, HERE, listening().terminal);
  await expect(start(["/nonexistent"])).rejects.toThrow("ENOENT");
  const exits: Exit[] = [];
  void (await start(["true"]))?.exited.then((exit) => exits.push(exit));
  await until(() => exits.length === 1);
  client.close();
});

test("who does not keep to the protocol is sent away, and harms nobody", async () => {
  const folder = temporaryFolder();
  using _ = ptyHostHere(folder);
  const client = new PtyHostClient(folder, () => undefined);
  const { terminal, heard } = listening();
  const pty = await client.start("me", new Uint8Array(), ["cat"], HERE, terminal);
  for (const nonsense of ["\xff\xff\xff\xff\x01", "\x00\x00\x00\x00\x03", "\x01\x00\x00\x00\x01{"]) {
    const link = await PtyHostConnection.open(folder);
    link.writeBuffer.send(Buffer.from(nonsense, "latin1"));
    await until(() => link.isClosed);
  }
  pty?.write(Buffer.from("still\n"));
  await until(() => heard.text.includes("still\r\nstill"));
  pty?.close();
  await pty?.exited;
  client.close();
});

test("a PTY host of another version is left alone, and said", async () => {
  const folder = temporaryFolder();
  using other = ptyHostHere(folder, "0.sock");
  const link = await Bun.connect({ unix: join(folder, "0.sock"), socket: { data: () => undefined } });
  const said: string[] = [];
  const client = new PtyHostClient(folder, (message) => said.push(message));
  expect(await client.list()).toEqual([]);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("0.sock");
  expect(other.state.isIdle).toBe(false);
  link.end();
});
