import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KnownHosts } from "../../../../agents/terminal/ssh/known-hosts.ts";
import { freePort, temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";
import { makeUser, startDialogue, startRelay, startSocks, startSshd } from "./sshd.ts";

const missing = lacks("root", "sshd");
const user = missing ? null : makeUser();
const sshd = user === null ? null : await startSshd(user, ["KbdInteractiveAuthentication no"]);
const dialogue =
  user === null
    ? null
    : await startSshd(user, [
        "KbdInteractiveAuthentication yes",
        "PasswordAuthentication no",
        "PubkeyAuthentication no",
      ]);
afterAll(async () => {
  await sshd?.stop();
  await dialogue?.stop();
  user?.remove();
});

const { name = "", password = "", keyFile = "" } = user ?? {};
const target = (more: Record<string, string> = {}) => ({
  ssh_host: "127.0.0.1",
  ssh_port: String(sshd?.port),
  ssh_user: name,
  ...more,
});
const keyOf = (file: string) => Buffer.from(readFileSync(file)).toString("base64");

async function answer(query: Record<string, string>, options: Parameters<typeof startService>[0] = {}) {
  await using service = startService(options);
  const response = await service.page(query);
  expect(service.terminal.sessions.all).toHaveLength(0);
  return { status: response.status, ...((await response.json()) as { message: string; code: string }) };
}

describe.skipIf(missing)("an SSH session", () => {
  test("by password: typing, sizes, variables and the exit status go all the way", async () => {
    await using service = startService();
    const query = target({ terminal_id: "7", ssh_password: password, env: "MARK=carried" });
    const client = await service.open(query, { cols: 91, rows: 33 });
    client.type("echo $(id -un) $MARK on $SSH_CONNECTION; stty size\n");
    await client.shows(`${name} carried on 127.0.0.1`);
    await client.shows("33 91");
    client.send({ type: "size", cols: 70, rows: 20 });
    await until(() => client.size === "70x20");
    client.type("clear; stty size; exit 6\n");
    await until(() => client.exit);
    expect(client.text).toContain("20 70");
    expect(client.exit).toMatchObject({ code: 6 });
  });

  test("by key, and by a key that the password opens", async () => {
    await using service = startService();
    for (const given of [
      { ssh_key: keyOf(keyFile) },
      { ssh_key: keyOf(`${keyFile}-locked`), ssh_password: "open sesame" },
    ]) {
      const client = await service.open(target(given));
      client.type("echo in as $(id -un)\n");
      await client.shows(`in as ${name}`);
    }
  });

  test("by a key whose passphrase is missing is refused by name, and no host is asked", async () => {
    const query = target({ ssh_key: keyOf(`${keyFile}-locked`), ssh_port: String(await freePort()) });
    expect(await answer(query)).toMatchObject({
      status: 400,
      code: "VALIDATION_ERROR",
      message: "ssh_key: has a passphrase: give it as ssh_password",
    });
  });

  test("by a dialogue of several questions says what it is about once", async () => {
    const { server, port } = await startDialogue("Two things to know.", ["One: ", "Two: "]);
    try {
      await using service = startService();
      const client = await service.open(target({ ssh_port: String(port) }));
      await client.shows("One:");
      client.type("1\r");
      await client.shows("Two:");
      expect(client.text.split("Two things to know.")).toHaveLength(2);
    } finally {
      server.close();
    }
  });

  test("by a dialogue: with the password that is given, and asked on the terminal without one", async () => {
    await using service = startService();
    const there = target({ ssh_port: String(dialogue?.port) });
    const given = await service.open({ ...there, ssh_password: password });
    given.type("echo in as $(id -un)\n");
    await given.shows(`in as ${name}`);
    const asked = await service.open(there);
    await asked.shows("Password:");
    asked.type(`${password}\r`);
    asked.type("echo in as $(id -un)\n");
    await asked.shows(`in as ${name}`);
    expect(asked.text).not.toContain(password);
  });

  test("without password or key the password is asked for, three times at most, and never shown", async () => {
    await using service = startService();
    const client = await service.open(target());
    await client.shows(`${name}@127.0.0.1's password:`);
    client.type("wrong\r");
    await until(() => client.text.split("password:").length === 3);
    client.type(`${password}\r`);
    client.type("echo in as $(id -un)\n");
    await client.shows(`in as ${name}`);
    expect(client.text).not.toMatch(new RegExp(`wrong|${password}`));
    const hopeless = await service.open(target());
    for (let n = 0; n < 3; n++) {
      await until(() => hopeless.text.split("password:").length === n + 2);
      hopeless.type("wrong\r");
    }
    await until(() => hopeless.exit);
  });

  test("says which parameters mean nothing there, greets, and says how it connects, when that is asked for", async () => {
    await using service = startService();
    const asked = { shell: "bash", cwd: "/tmp", env_inject: "0", env: "A=secretvalue", terminal_id: "7" };
    const client = await service.open(target({ ...asked, ssh_password: password, welcome: "", debug: "" }));
    await client.shows("berth: over SSH these parameters mean nothing: shell, cwd, env_inject");
    await client.shows(/berth: ssh to 127\.0\.0\.1 port \d+ as [\w-]+, with a password/);
    await client.shows("environment, as far as the host takes it: A");
    await client.shows("Welcome to terminal 7.");
    for (const secret of [password, "secretvalue"]) expect(client.text).not.toContain(secret);
    const plain = await service.open(target({ ssh_password: password }));
    plain.type("echo plain\n");
    await plain.shows(/\nplain/);
    expect(plain.text).not.toMatch(/berth:|Welcome to terminal/);
  });

  test("runs its command once, and then the shell", async () => {
    await using service = startService();
    const client = await service.open(target({ ssh_password: password, cmd: btoa("echo first $((20+1))") }));
    await client.shows("first 21");
    client.type("echo then $((1+1))\n");
    await client.shows("then 2");
  });

  test("takes megabytes both ways whole", async () => {
    await using service = startService();
    const client = await service.open(target({ ssh_password: password }));
    client.type(
      "stty raw -echo; echo rea''dy; head -c 2000000 | cksum; stty sane; seq 1 200000; echo fin''ished\n",
    );
    await client.shows("ready");
    const paste = "0123456789".repeat(200_000);
    client.type(paste);
    await client.shows("200000\nfinished");
    const session = service.terminal.sessions.all[0];
    expect(session?.text()).toContain("200000\nfinished");
  });

  test("every failure has one answer, which tells nothing of what is behind this service", async () => {
    const message = (host: string) =>
      `No SSH connection to ${host}: it cannot be reached from here, or it does not accept these credentials.`;
    const closed = String(await freePort());
    const http = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("no ssh") });
    for (const query of [
      target({ ssh_password: "wrong" }),
      target({ ssh_user: "nosuchuser", ssh_password: "wrong" }),
      target({ ssh_port: closed, ssh_password: password }),
      target({ ssh_port: String(http.port), ssh_password: password }),
      target({ ssh_host: "no-such-host.invalid", ssh_password: password }),
      target({ ssh_host: "169.254.169.254", ssh_password: password }),
    ]) {
      const found = await answer(query);
      expect(found).toMatchObject({ status: 502, code: "SSH_UNAVAILABLE", message: message(query.ssh_host) });
    }
    await http.stop(true);
  });

  test("a host that hangs, at whatever point, is waited for a while in all, and has the same answer", async () => {
    const ssh = { knownHosts: new KnownHosts(null), reachOwn: true, answerMsMax: 1_000 };
    // It says nothing; it never comes to its version; as a proxy, it says nothing.
    const silent = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { data: () => undefined } });
    const drips = new Set<Timer>();
    const endless = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: {
        open: (socket) => void drips.add(setInterval(() => socket.write("not yet\r\n"), 20)),
        data: () => undefined,
      },
    });
    for (const query of [
      target({ ssh_port: String(silent.port), ssh_password: password }),
      target({ ssh_port: String(endless.port), ssh_password: password }),
      target({ ssh_password: password, socks5_host: "127.0.0.1", socks5_port: String(silent.port) }),
    ]) {
      expect(await answer(query, { ssh })).toMatchObject({ status: 502, code: "SSH_UNAVAILABLE" });
    }
    for (const drip of drips) clearInterval(drip);
    silent.stop(true);
    endless.stop(true);
  });

  test("that ends before there is a shell says why: no answer, broken off, given up, not accepted", async () => {
    const known = new KnownHosts(null);
    const asking = async (
      change: (relay: Awaited<ReturnType<typeof startRelay>>) => string,
      answerMsMax?: number,
    ) => {
      if (sshd === null) throw new Error("no sshd");
      await using service = startService({
        ssh: { knownHosts: known, reachOwn: true, ...(answerMsMax === undefined ? {} : { answerMsMax }) },
      });
      using relay = await startRelay(sshd.port);
      const client = await service.open(target({ ssh_port: String(relay.port) }));
      await client.shows("password:");
      client.type(change(relay));
      await until(() => client.exit);
      return client.text.split("\n").filter((line) => /connection/.test(line));
    };
    expect(
      await asking((relay) => {
        relay.freeze();
        return "right or wrong\r";
      }, 5_000),
    ).toEqual(["No SSH connection: the host did not answer in time."]);
    expect(
      await asking((relay) => {
        relay.breakOff();
        return "";
      }),
    ).toEqual(["The SSH connection broke off."]);
    expect(await asking(() => "\x03")).toEqual(["No SSH connection: it was given up."]);
    expect(await asking(() => "wrong\rwrong\rwrong\r")).toEqual([
      "No SSH connection: these credentials were not accepted.",
    ]);
  });

  test("this machine's own addresses are refused where the service does not allow them", async () => {
    const options = { ssh: { knownHosts: new KnownHosts(null), reachOwn: false } };
    for (const host of ["127.0.0.1", "localhost", "::1", "::ffff:127.0.0.1", "0.0.0.0"]) {
      const query = target({ ssh_host: host, ssh_password: password });
      expect(await answer(query, options)).toMatchObject({ status: 502, code: "SSH_UNAVAILABLE" });
    }
  });

  test("a host's key is trusted when it is first seen, and a changed one is refused", async () => {
    const ssh = { knownHosts: new KnownHosts(join(temporaryFolder(), "known")), reachOwn: true };
    const port = await freePort();
    if (user === null) throw new Error("no user");
    const query = target({ ssh_port: String(port), ssh_password: password });
    const first = await startSshd(user, [], { port });
    {
      await using service = startService({ ssh });
      const client = await service.open(query);
      await client.shows("its key is SHA256:");
      const again = await service.open(query);
      again.type("echo in again $((1+1))\n");
      await again.shows("in again 2");
      expect(again.text).not.toContain("its key is");
    }
    await first.stop();
    const other = await startSshd(user, [], { port });
    const found = await answer(query, { ssh });
    expect(found).toMatchObject({ status: 502, code: "HOST_KEY_CHANGED" });
    expect(found.message).toContain("Somebody may be listening in");
    await other.stop();
  });

  test("of an existing number goes on when another one cannot be made by reset", async () => {
    await using service = startService();
    const client = await service.open("terminal_id=7");
    const response = await service.page(target({ terminal_id: "7", reset: "1", ssh_password: "wrong" }));
    expect(response.status).toBe(502);
    client.type("echo alive $((1+1))\n");
    await client.shows("alive 2");
  });
});

describe.skipIf(missing || lacks("microsocks"))("through a SOCKS5 proxy", () => {
  test("with and without credentials, the proxy looking the name up", async () => {
    const proxies = [await startSocks(), await startSocks({ user: "u", password: "p w" })];
    await using service = startService();
    for (const [at, proxy] of proxies.entries()) {
      const credentials = at === 0 ? {} : { socks5_user: "u", socks5_pass: "p w" };
      const client = await service.open(
        target({
          ssh_host: "localhost",
          ssh_password: password,
          socks5_host: "127.0.0.1",
          socks5_port: String(proxy.port),
          ...credentials,
        }),
      );
      client.type("echo in as $(id -un)\n");
      await client.shows(`in as ${name}`);
      expect(await proxy.log()).toContain(`localhost:${sshd?.port}`);
    }
    for (const proxy of proxies) await proxy.stop();
  });

  test("a proxy that refuses, or is not there, is never gone around", async () => {
    const proxy = await startSocks({ user: "u", password: "right" });
    for (const socks of [
      { socks5_port: String(proxy.port), socks5_user: "u", socks5_pass: "wrong" },
      { socks5_port: String(proxy.port) },
      { socks5_port: String(await freePort()) },
    ]) {
      const query = target({ ssh_password: password, socks5_host: "127.0.0.1", ...socks });
      expect(await answer(query)).toMatchObject({ status: 502, code: "SSH_UNAVAILABLE" });
    }
    await proxy.stop();
  });
});
