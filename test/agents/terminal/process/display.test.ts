import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { isDisplayReady } from "../../../../agents/terminal/process/display.ts";
import { sharedWatchdog, temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";

const running: ReturnType<typeof Bun.spawn>[] = [];
afterAll(async () => {
  for (const child of running) {
    child.kill();
    await child.exited;
  }
});

/** A number that no display on this machine has. */
function freeDisplay(): number {
  for (let number = 100 + (process.pid % 400); ; number++) {
    if (!existsSync(`/tmp/.X11-unix/X${number}`) && !existsSync(`/tmp/.X${number}-lock`)) return number;
  }
}

function startX(display: number) {
  const child = Bun.spawn(["Xvfb", `:${display}`, "-screen", "0", "640x480x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  sharedWatchdog().watch(child.pid, "TERM");
  running.push(child);
  return child;
}

const displayUrl = (display: number) => `https://display.example/${display}`;

describe("a display is ready when its server answers", () => {
  test("not when its socket's file is there without a server, or with one that is silent", async () => {
    const folder = temporaryFolder();
    expect(await isDisplayReady(1, folder)).toBe(false);
    await Bun.write(join(folder, "X2"), "");
    expect(await isDisplayReady(2, folder)).toBe(false);
    const hangsUp = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => hangsUp.listen(join(folder, "X3"), resolve));
    expect(await isDisplayReady(3, folder)).toBe(false);
    hangsUp.close();
  });

  test("and for that it gets the twelve bytes that open a connection", async () => {
    const folder = temporaryFolder();
    const got: number[] = [];
    const server = createServer((socket) => {
      socket.on("data", (bytes: Buffer) => {
        got.push(...bytes);
        if (got.length === 12) socket.write(Uint8Array.of(1, 0, 11, 0, 0, 0, 0, 0));
      });
    });
    await new Promise<void>((resolve) => server.listen(join(folder, "X4"), resolve));
    expect(await isDisplayReady(4, folder)).toBe(true);
    expect(got).toEqual([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    server.close();
  });
});

describe.skipIf(lacks("Xvfb"))("redirect=display", () => {
  test("ensures the session, waits for the display to answer, and leads there", async () => {
    await using service = startService({ displayUrl });
    const display = freeDisplay();
    const query = `terminal_id=7&display=:${display}&redirect=display`;
    let answered = false;
    const asking = service.page(query).then((response) => {
      answered = true;
      return response;
    });
    await until(() => service.terminal.sessions.get(7));
    expect(answered).toBe(false);
    startX(display);
    const response = await asking;
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`https://display.example/${display}`);
    // The X server starts again when its last client, the one that asked, has left.
    await until(() => isDisplayReady(display));
    const client = await service.open("terminal_id=7");
    client.type("echo on $DISPLAY.\n");
    await client.shows(`on :${display}.`);
  });

  test("waits the further seconds that are asked for", async () => {
    await using service = startService({ displayUrl, isDisplayReady: async () => true });
    const startedAt = performance.now();
    const response = await service.page("terminal_id=7&display=1&redirect=display&redirect_delay=1");
    expect(response.status).toBe(302);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000);
  });

  test("says so when the display does not answer in time; the session is there", async () => {
    await using service = startService({ displayUrl, displayMsMax: 300 });
    const response = await service.page(`terminal_id=7&display=${freeDisplay()}&redirect=display`);
    expect(response.status).toBe(504);
    expect(service.terminal.sessions.get(7)?.isRunning).toBe(true);
  });

  test("is refused where nobody knows how displays are shown, and no session is made", async () => {
    await using service = startService();
    const response = await service.page("terminal_id=7&display=1&redirect=display");
    expect(response.status).toBe(400);
    expect(service.terminal.sessions.all).toHaveLength(0);
  });
});

test("a desktop is started once on the session's display, and ends with the session", async () => {
  const folder = temporaryFolder();
  // Which desktops a machine has is its own matter: this one has a very small one.
  await Bun.write(
    join(folder, "startxfce4"),
    `#!/bin/sh\necho "desktop on $DISPLAY" >>${folder}/log\necho $$ >${folder}/pid\ntrap '' HUP\nsleep 1000\n`,
  );
  Bun.spawnSync(["chmod", "755", join(folder, "startxfce4")]);
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  try {
    await using service = startService();
    // IFS would take the names of desktops apart.
    const query = "terminal_id=7&display=9&desktop_env=xfce&env=IFS=c&env=HOME=/nowhere";
    await service.open(query);
    await service.open(query);
    await until(() => existsSync(join(folder, "log")));
    const client = await service.open(query);
    client.type("echo fin''ished\n");
    await client.shows("finished");
    expect(await Bun.file(join(folder, "log")).text()).toBe("desktop on :9\n");
    const pid = (await Bun.file(join(folder, "pid")).text()).trim();
    // What runs in it may have its own ^C, so it must not have come without one; and the shell's is not meant for it.
    const status = await Bun.file(`/proc/${pid}/status`).text();
    expect(BigInt(`0x${/SigIgn:\s*(\w+)/.exec(status)?.[1]}`) & 2n).toBe(0n);
    client.type("\x03");
    await client.shows("^C");
    client.type("echo al''ive; exit\n");
    await until(() => client.exit);
    await until(async () => !(await Bun.file(`/proc/${pid}/status`).exists()));
  } finally {
    process.env.PATH = path;
  }
});
