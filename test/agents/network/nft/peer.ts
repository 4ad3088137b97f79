import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../../agents/exec/command.ts";
import { claimNumber } from "../../../harness/claims.ts";
import type { Ask } from "./peer-process.ts";

/** A machine on the network: a process in a network namespace of its own, with one link to this host. */
export interface Peer {
  /** Name of the host's end of the link. */
  readonly veth: string;
  readonly address: string;
  /** The host's own address on the link. */
  readonly gateway: string;
  readonly pid: number;
  ask(ask: Ask): Promise<string>;
  /** Gives it its link, for a peer that was started with `linked: false`. */
  link(): Promise<void>;
  stop(): Promise<void>;
}

/** Not 10.77.0.0/16, where a demo's containers live. */
const gateway = `10.78.${claimNumber("peer")}.1`;
let last = 1;

export async function startPeer({ linked = true } = {}): Promise<Peer> {
  last += 1;
  const address = gateway.replace(/1$/, String(last));
  const veth = `bt${randomBytes(5).toString("hex")}`;
  const child = Bun.spawn(["unshare", "--net", process.execPath, join(import.meta.dir, "peer-process.ts")], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  const line = async () => {
    while (!buffer.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the peer ended");
      buffer += value;
    }
    const [first = ""] = buffer.split("\n", 1);
    buffer = buffer.slice(first.length + 1);
    return first;
  };
  await line();

  const link = async () => {
    await run([
      "ip",
      "link",
      "add",
      veth,
      "type",
      "veth",
      "peer",
      "name",
      "eth0",
      "netns",
      String(child.pid),
    ]);
    await run(
      ["ip", "-batch", "-"],
      `addr add ${gateway}/32 dev ${veth}\nlink set ${veth} up\nroute add ${address}/32 dev ${veth}\n`,
    );
    await run(
      ["nsenter", "-t", String(child.pid), "-n", "ip", "-batch", "-"],
      [
        "link set lo up",
        `addr add ${address}/32 dev eth0`,
        "link set eth0 up",
        `route add ${gateway} dev eth0 scope link`,
        `route add default via ${gateway}`,
        "",
      ].join("\n"),
    );
  };
  if (linked) await link();

  return {
    veth,
    address,
    gateway,
    pid: child.pid,
    link,
    async ask(ask) {
      child.stdin.write(`${JSON.stringify(ask)}\n`);
      child.stdin.flush();
      return line();
    },
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
      if (existsSync(`/sys/class/net/${veth}`)) await run(["ip", "link", "del", veth]).catch(() => undefined);
    },
  };
}
