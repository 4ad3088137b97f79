import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { Server, utils as ssh2Utils } from "ssh2";
import { freePort, sharedWatchdog, temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";

function run(program: string, args: readonly string[], input = ""): void {
  const { status, stderr } = spawnSync(program, args, { input, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

/** A user of this machine for the time of the tests, with a password and a key. */
export function makeUser() {
  const name = `berth-${randomBytes(4).toString("hex")}`;
  const password = randomBytes(9).toString("hex");
  const folder = temporaryFolder();
  const keyFile = join(folder, "key");
  run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", keyFile]);
  run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "open sesame", "-f", `${keyFile}-locked`]);
  run("useradd", ["--create-home", "--home-dir", join(folder, "home"), "--shell", "/bin/bash", name]);
  run("chpasswd", [], `${name}:${password}\n`);
  return {
    name,
    password,
    keyFile,
    authorizedKeys: [`${keyFile}.pub`, `${keyFile}-locked.pub`],
    remove: () => {
      spawnSync("userdel", ["--force", name]);
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } });
  socket.end();
  return true;
}

/** A real sshd on the loopback. `lines` are put before the rest of its settings, and so win. */
export async function startSshd(
  user: ReturnType<typeof makeUser>,
  lines: readonly string[] = [],
  at?: { port: number },
) {
  const folder = temporaryFolder();
  const port = at?.port ?? (await freePort());
  mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, "host")]);
  const keys = await Promise.all(user.authorizedKeys.map((file) => Bun.file(file).text()));
  writeFileSync(join(folder, "authorized"), keys.join(""), { mode: 0o644 });
  const config = [
    ...lines,
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${join(folder, "host")}`,
    `AuthorizedKeysFile ${join(folder, "authorized")}`,
    `PidFile ${join(folder, "pid")}`,
    "UsePAM yes",
    "StrictModes no",
    "PrintMotd no",
    "AcceptEnv MARK",
  ];
  writeFileSync(join(folder, "config"), `${config.join("\n")}\n`);
  const child = Bun.spawn(["/usr/sbin/sshd", "-D", "-e", "-f", join(folder, "config")], {
    stdio: ["ignore", "ignore", Bun.file(join(folder, "log"))],
  });
  sharedWatchdog().watch(child.pid, "TERM");
  await until(() => listens(port));
  return {
    port,
    async stop() {
      child.kill();
      await child.exited;
      sharedWatchdog().forget(child.pid);
    },
  };
}

/** Between a client and a port of this machine: passes everything on, until it stands still or breaks off. */
export async function startRelay(port: number) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect({ host: "127.0.0.1", port });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => isFrozen || to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
    },
    breakOff() {
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A real SOCKS5 server on the loopback. */
export async function startSocks(credentials?: { user: string; password: string }) {
  const port = await freePort();
  const auth = credentials === undefined ? [] : ["-u", credentials.user, "-P", credentials.password];
  const log = join(temporaryFolder(), "log");
  const child = Bun.spawn(["microsocks", "-i", "127.0.0.1", "-p", String(port), ...auth], {
    stdio: ["ignore", "ignore", Bun.file(log)],
  });
  sharedWatchdog().watch(child.pid, "TERM");
  await until(() => listens(port));
  return {
    port,
    /** What it was asked to connect to. */
    log: () => Bun.file(log).text(),
    async stop() {
      child.kill();
      await child.exited;
      sharedWatchdog().forget(child.pid);
    },
  };
}

/** An SSH server that asks, and lets nobody in: sshd says what a dialogue is about only with PAM modules of its own. */
export async function startDialogue(instruction: string, prompts: readonly string[]) {
  const { private: key } = ssh2Utils.generateKeyPairSync("ed25519");
  const server = new Server({ hostKeys: [key] }, (client) => {
    client.on("error", () => undefined);
    client.on("authentication", (context) => {
      if (context.method !== "keyboard-interactive") return context.reject(["keyboard-interactive"]);
      const asked = prompts.map((prompt) => ({ prompt, echo: true }));
      return context.prompt(asked, "", instruction, () => context.reject());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}
