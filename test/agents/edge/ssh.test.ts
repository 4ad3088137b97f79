import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacks } from "../requirements.ts";
import { makeUser, startSshd } from "../terminal/ssh/sshd.ts";
import { type EdgeUnderTest, startEdge } from "./edge-under-test.ts";

describe.skipIf(lacks("root", "sshd", "openssl"))("a name of ssh", () => {
  let edge: EdgeUnderTest;
  let user: ReturnType<typeof makeUser>;
  let sshd: Awaited<ReturnType<typeof startSshd>>;
  beforeAll(async () => {
    edge = await startEdge();
    user = makeUser();
    sshd = await startSshd(user);
  });
  afterAll(async () => {
    await edge?.[Symbol.asyncDispose]();
    await sshd?.stop();
    user?.remove();
  });

  /** As docs/edge.md says, with this machine's address in the place of the name's. */
  const ssh = (name: string, ...command: string[]) => {
    const proxy = `openssl s_client -quiet -verify_quiet -connect 127.0.0.1:${edge.edge.httpsPort} -servername %h`;
    const options = [
      `ProxyCommand=${proxy}`,
      "BatchMode=yes",
      "StrictHostKeyChecking=no",
      "UserKnownHostsFile=/dev/null",
    ];
    return Bun.spawn(
      [
        "ssh",
        "-F",
        "/dev/null",
        "-q",
        "-i",
        user.keyFile,
        ...options.flatMap((one) => ["-o", one]),
        `${user.name}@${name}`,
        ...command,
      ],
      { stdio: ["pipe", "pipe", "pipe"] },
    );
  };

  test("leads to its port by the ProxyCommand of the documentation, with megabytes in both directions", async () => {
    const name = edge.expose("box", sshd.port, { program: "ssh" });
    const child = ssh(name, "cat; echo by $(id -un)");
    const sent = Buffer.alloc(4_000_000, "through ssh ");
    child.stdin.write(sent);
    await child.stdin.end();
    const received = Buffer.from(await new Response(child.stdout).arrayBuffer());
    expect(await child.exited).toBe(0);
    expect(received.subarray(0, sent.length).equals(sent)).toBe(true);
    expect(received.subarray(sent.length).toString()).toBe(`by ${user.name}\n`);
  });

  test("ends what is open when it is disabled, and leads nowhere then", async () => {
    const name = edge.expose("brief", sshd.port, { program: "ssh" });
    const child = ssh(name, "echo begun; sleep 1000");
    const reader = child.stdout.getReader();
    let heard = "";
    while (!heard.endsWith("\n")) {
      const { value, done } = await reader.read();
      if (done) break;
      heard += Buffer.from(value).toString();
    }
    expect(heard).toBe("begun\n");
    edge.expose("brief", sshd.port, { program: "ssh", enabled: false });
    expect(await child.exited).not.toBe(0);
    expect(await ssh(name, "true").exited).not.toBe(0);
  });

  test("tells a browser what it is for", async () => {
    const name = edge.expose("told", sshd.port, { program: "ssh" });
    const client = await edge.raw();
    client.send(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
    const response = await client.response();
    expect(response.status).toBe(421);
    expect(response.body.toString()).toContain("ProxyCommand");
  });
});
