import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../../agents/agent-process.ts";
import { testSubnet } from "../../agents/containers/specs.ts";
import { lacks } from "../../agents/requirements.ts";
import { SANDBOX_ENV } from "../../gateway/routes/billing/top-up/processors.ts";
import { inStock } from "../../gateway/routes/market/stock.ts";
import { freePort, temporaryFolder } from "../../harness/servers.ts";
import { type Stack, startStack } from "../../harness/stack.ts";
import { until } from "../../harness/until.ts";
import { inTerminal as startInTerminal } from "./in-terminal.ts";
import { testInterrupts } from "./interrupts.ts";
import { commandLine } from "./run.ts";

/** A customer's whole way by commands alone, with a real host: sign-up, money, a server, a container, and into it. */

const isolated = !lacks("root", "nft", "ip", "oci");
const SERVER = "cli-1";

let stack: Stack;
let options: AgentOptions;
let agent: Agent;
let cli: ReturnType<typeof commandLine>;
let env: Record<string, string>;
beforeAll(async () => {
  const edgePort = await freePort();
  stack = await startStack({ servers: [SERVER], env: { ...SANDBOX_ENV, BERTH_EDGE_PORT: String(edgePort) } });
  await inStock(stack, SERVER);
  options = {
    natsUrl: stack.agentUrl(SERVER),
    server: SERVER,
    data: temporaryFolder(),
    driver: isolated ? "oci" : "process",
    subnet: testSubnet(isolated ? 10 : 127),
    atEnd: "stop",
    edgePort,
  };
  agent = startAgent(options);
  await agent.ready();
  cli = commandLine(stack);
  env = { BERTH_CA: join(options.data, "edge", "tls", "ca.pem") };
});
afterAll(async () => {
  await agent?.stop();
  if (options !== undefined) await cleanUp(options);
  await stack?.stop();
});

const ok = (line: string, given: Parameters<typeof cli.ok>[1] = {}) => cli.ok(line, { ...given, env });

test("from a sign-up to a container that runs behind a firewall rule and a name", async () => {
  await ok("signup -u ada --email ada@example.org --password-stdin", { input: "a long password" });
  const paying = ok("--json wallet top-up 50 --timeout 60");
  const { url } = await until(async () => {
    const { data } = (await ok("api GET wallet/payments/cardpay/intents")).json;
    return data.intents[0]?.redirect_url ? { url: data.intents[0].redirect_url } : undefined;
  });
  await fetch(url, { method: "POST", body: new URLSearchParams({ action: "pay" }), redirect: "manual" });
  expect((await paying).json).toMatchObject({ status: "completed", credited_amount: 50 });
  await ok(`servers rent ${SERVER} --days 7 --yes --max-charge 7`);
  await ok("projects create shop");
  const made = await ok(`containers create web --server ${SERVER} --project shop --wait`);
  expect(made.out).toStartWith("web is running: ");
  const rule = await ok("firewall add web --port 8080 --wait-applied");
  expect(rule.out).toContain(isolated ? "The rules are in force." : "does not enforce");
  expect((await ok("alias add web --name shop --port 8080")).out).toContain(`https://shop.${SERVER}.`);
  const types = (await ok("--json events --limit 1000")).json.map(
    (one: { event_type: string }) => one.event_type,
  );
  expect(types).toContain("proxy_alias.created");
  await ok(`servers extend ${SERVER} --days 30 --yes`);
  const [extension] = (await ok("--json transactions list --limit 1")).json;
  const invoice = (await ok(`--json invoices create ${extension.id}`)).json;
  await ok(`invoices pdf ${invoice.id} -o ${join(cli.folder, "invoice.pdf")}`);
  expect(existsSync(join(cli.folder, "invoice.pdf"))).toBe(true);
});

test("where the host's authority is not trusted, the command says what to do", async () => {
  const file = join(cli.folder, "other-authority.pem");
  writeFileSync(file, rootCertificates[0] ?? "");
  const { status, err } = await cli.run("cp web:/etc/hostname /dev/null", { env: { BERTH_CA: file } });
  expect([status, err]).toEqual([1, expect.stringContaining("--ca FILE")]);
});

const inTerminal = (...argv: string[]) => startInTerminal({ url: stack.url, folder: cli.folder, env }, argv);

describe("a shell", () => {
  test("types into the container, follows the window's size, and ends with the shell's status", async () => {
    const shell = inTerminal("shell", "web");
    await shell.shows(/[$#] /);
    shell.type("stty size; echo $((6*7))-there\r");
    await shell.shows("30 90");
    await shell.shows("42-there");
    shell.resize(100, 40);
    shell.type("sleep 0.2; stty size\r");
    await shell.shows("40 100");
    shell.type("exit 7\r");
    expect(await shell.exited).toBe(7);
  });

  test("a command in its place ends with the command's status, and ~. leaves a session to come back to", async () => {
    const command = inTerminal("shell", "web", "--", "sh", "-c", "echo 'two  words'; exit 3");
    await command.shows("two  words");
    expect(await command.exited).toBe(3);
    const unknown = inTerminal("shell", "web", "--session", "4711");
    await unknown.shows("SESSION_NOT_FOUND");
    expect(await unknown.exited).toBe(1);
    const left = inTerminal("shell", "web");
    await left.shows(/[$#] /);
    left.type("MARK=kept\r~.");
    const number = (await left.shows(/--session \d+/)).split(" ").at(-1) ?? "";
    expect(await left.exited).toBe(0);
    const back = inTerminal("shell", "web", "--session", number);
    await back.shows("MARK=kept");
    back.type("echo $MARK-still; exit\r");
    await back.shows("kept-still");
    expect(await back.exited).toBe(0);
  });
});

test("a file is copied into the container and out of it, and what is there is replaced where that is asked for alone", async () => {
  const [source, back] = [join(cli.folder, "source.bin"), join(cli.folder, "back.bin")];
  const content = crypto.getRandomValues(new Uint8Array(50_000));
  writeFileSync(source, content);
  const path = `${isolated ? "/root" : temporaryFolder()}/copied-${crypto.randomUUID()}.bin`;
  await ok(`cp ${source} web:${path}`);
  await ok(`cp web:${path} ${back}`);
  expect(readFileSync(back)).toEqual(Buffer.from(content));
  expect((await ok(`--json cp web:${path} ${back}`)).json).toMatchObject({
    to: back,
    files: 1,
    bytes: 50_000,
  });
  expect((await ok(`cp web:/proc/version ${join(cli.folder, "version")}`)).err).toContain("Received ");
  const again = await cli.run(`cp ${source} web:${path}`, { env });
  expect([again.status, again.err]).toEqual([1, expect.stringContaining("FILE_EXISTS")]);
  expect((await cli.run(`cp ${source} ${back}`)).status).toBe(2);
  writeFileSync(source, "another");
  await ok(`cp --replace ${source} web:${path}`);
  await ok(`cp web:${path} ${back}`);
  expect(readFileSync(back, "utf8")).toBe("another");
  expect((await cli.run(`cp --replace ${cli.folder} web:${path}`)).status).toBe(2);
});

test("a folder is copied whole, both ways, and replaces nothing", async () => {
  const [from, back] = [join(cli.folder, "site"), join(cli.folder, "back")];
  mkdirSync(join(from, "pages"), { recursive: true });
  writeFileSync(join(from, "pages", "index.html"), "hello", { mode: 0o755 });
  symlinkSync("pages/index.html", join(from, "first"));
  const base = isolated ? "/root" : temporaryFolder();
  // In sizes of the files, and not of what carries them.
  expect((await ok(`cp ${from} web:${base}`)).err).toBe("Sent 5 B.\n");
  expect((await ok(`cp web:${base}/site ${back}`)).err).toBe("Received 5 B.\n");
  expect(readFileSync(join(back, "pages", "index.html"), "utf8")).toBe("hello");
  expect(statSync(join(back, "pages", "index.html")).mode & 0o111).toBe(0o111);
  expect(readlinkSync(join(back, "first"))).toBe("pages/index.html");
  const again = await cli.run(`cp ${from} web:${base}`, { env });
  expect([again.status, again.err]).toEqual([1, `berth: ${base}/site is there already\n`]);
  await ok(`cp ${from}/. web:${base}/site/more`);
  await ok(`cp web:${base}/site/more/. ${join(cli.folder, "contents")}`);
  expect(readdirSync(join(cli.folder, "contents")).sort()).toEqual(["first", "pages"]);
  expect((await cli.run(`cp web:${base}/nowhere ${back}`, { env })).err).toContain("FILE_NOT_FOUND");
  expect((await ok('exec web -- sh -c "ls -A /tmp | grep berth-copy || true"')).out).toBe("");
  expect(readdirSync(cli.folder).filter((name) => name.startsWith(".berth-copy"))).toEqual([]);
});

test("what one side sends through the pipe, the other receives", async () => {
  const file = join(cli.folder, "piped.txt");
  const sending = ok("pipe send web some/path", { input: "through the pipe" });
  await ok(`pipe recv web some/path ${file}`);
  expect((await sending).err).toBe("Sent 16 B.\n");
  expect(readFileSync(file, "utf8")).toBe("through the pipe");
  const [sent, received] = await Promise.all([
    ok("--json pipe send web some/path", { input: "again" }),
    ok(`--json pipe recv web some/path ${file}`),
  ]);
  expect([sent.json, received.json]).toMatchObject([{ bytes: 5 }, { bytes: 5, file }]);
});

test("ports are reached from here by many connections at once, and none is left open at the end", async () => {
  const port = await freePort();
  const echo = `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => ${port}, Listen => 9, ReuseAddr => 1); while ($c = $s->accept) { if (!fork) { syswrite($c, $b) while sysread($c, $b, 65536); exit } close $c }'`;
  const listens = `until perl -MIO::Socket::INET -e 'exit !IO::Socket::INET->new("127.0.0.1:${port}")'; do sleep 0.1; done`;
  await ok("exec web -i -- sh", { input: `${echo} >/dev/null 2>&1 &\n${listens}` });
  const stop = new AbortController();
  let said = "";
  const onOut = (text: string) => {
    said = text;
  };
  const forwarding = cli.run(`--json port-forward web 0:${port} 0:1`, { env, signal: stop.signal, onOut });
  await until(() => said.split("}").length === 3);
  const [here, nobody] = [...said.matchAll(/"here": (\d+)/g)].map(([, number]) => Number(number));
  const sizes = [1, 100_000, 3_000_000];
  const echoed = await Promise.all(sizes.map((size) => echoOf(here ?? 0, new Uint8Array(size).fill(7))));
  expect(echoed).toEqual(sizes);
  await expect(echoOf(nobody ?? 0, new Uint8Array(1))).rejects.toThrow();
  const left = connect(here ?? 0, "127.0.0.1");
  const closed = new Promise((resolve) => left.once("close", resolve));
  left.on("error", () => undefined);
  await until(() => left.readyState === "open");
  stop.abort();
  expect((await forwarding).status).toBe(0);
  await closed;
  await expect(echoOf(here ?? 0, new Uint8Array(1))).rejects.toThrow();
  const taken = await cli.run(`port-forward web ${new URL(stack.url).port}:80`, { env });
  expect([taken.status, taken.err]).toEqual([1, expect.stringContaining("is in use here")]);
});

/** Sends bytes and ends, and counts what comes back until the other side ends. */
function echoOf(port: number, bytes: Uint8Array): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let count = 0;
  socket.on("data", (piece) => {
    count += piece.length;
  });
  socket.on("end", () => resolve(count));
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("closed")));
  socket.end(bytes);
  return promise;
}

test("a project is made from a file, changed by it, left alone where nothing differs, and deleted", async () => {
  const file = join(cli.folder, "compose.yaml");
  const compose = (mode: string, command: string) => `
name: stack
x-berth: { server: ${SERVER} }
services:
  app:
    depends_on: [db]
    environment: { MODE: ${mode}, HOME_OF: "\${WHERE:-nowhere}" }
    ports: ["8080:80"]
    labels: [tier=front]
    deploy: { resources: { limits: { memory: 64M } } }
    x-berth:
      firewall: { ingress: [{ action: allow, protocol: tcp, destination_port: 80 }] }
      alias: [{ name: stack-app, port: 80 }]
  db:
    command: ${command}
    entrypoint: sleep
    stop_grace_period: 1s
    volumes: ["data:/srv"]
    x-berth: { secrets: [DB_PASSWORD] }
volumes:
  data: { x-berth: { size: 16M } }
`;
  const given = { env: { ...env, DB_PASSWORD: "hunter2" } };
  writeFileSync(file, compose("one", "infinity"));
  const asked = await cli.run(`up -f ${file}`, given);
  expect([asked.status, asked.err]).toEqual([2, expect.stringContaining("Give --yes")]);
  expect(asked.err).not.toContain("hunter2");
  const made = await cli.ok(`up -f ${file} --yes --wait`, given);
  expect(
    made.err
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" of ")[0]),
  ).toEqual([
    "+ project stack",
    `+ share data with 16.0 MiB on ${SERVER}`,
    "+ container db",
    "+ container app",
    "+ rule",
    "+ alias stack-app to http port 80",
  ]);
  expect((await cli.ok(`up -f ${file} --yes`, given)).out).toBe("Nothing to change.\n");
  expect(
    (await ok("exec db -- sh -c 'touch /srv/kept; printenv DB_PASSWORD'".replaceAll("'", '"'))).out,
  ).toBe("hunter2\n");
  writeFileSync(file, compose("two", "100000"));
  const changed = await cli.ok(`up -f ${file} --yes --wait`, given);
  expect(changed.err.trimEnd().split("\n")).toEqual([
    "~ container db: args",
    "~ container db is restarted: args",
    "~ container app: env",
    "~ container app is restarted: env",
  ]);
  expect(await until(async () => (await cli.run("exec app -- printenv MODE", given)).out || undefined)).toBe(
    "two\n",
  );
  expect((await ok("exec db -- ls /srv/kept")).out).toBe("/srv/kept\n");
  const next = { env: { ...env, DB_PASSWORD: "swordfish" } };
  const resent = await cli.ok(`up -f ${file} --yes --wait`, next);
  expect(resent.err).toBe("~ container db: env\n~ container db is restarted: env\n");
  const password = async () => (await cli.run("exec db -- printenv DB_PASSWORD", next)).out || undefined;
  expect(await until(password)).toBe("swordfish\n");
  expect((await cli.ok(`up -f ${file} --yes`, next)).out).toBe("Nothing to change.\n");
  const down = await cli.ok(`down -f ${file} --yes --volumes`, given);
  expect(down.out).toBe("Deleted 2 containers and 1 share.\n");
  expect(down.err.trimEnd().split("\n").at(-1)).toBe("- project stack");
  expect((await ok("projects list")).out).not.toContain("stack");
  expect((await cli.ok(`up -f ${file} --dry-run`, given)).err).toContain("+ container app");
});

/** An X server with a program that shows notices. */
const DESKTOP = `Xvfb :9 >/dev/null 2>&1 &
echo $! >/tmp/xvfb.pid
until DISPLAY=:9 xdpyinfo >/dev/null 2>&1; do sleep 0.1; done
DISPLAY=:9 dbus-run-session -- dunst >/dev/null 2>&1 &`;

test.skipIf(!isolated || lacks("Xvfb", "xdpyinfo", "dbus-daemon", "dbus-send", "dunst", "notify-send"))(
  "a notification is shown on the container's desktop",
  async () => {
    await ok("exec web -i -- sh", { input: DESKTOP });
    const notify = () => cli.run("--json notify web Hello there --display 9 --urgency low", { env });
    const shown = await until(async () => {
      const ran = await notify();
      return ran.status === 0 ? ran : undefined;
    });
    expect(shown.json).toBeObject();
    await ok('exec web -- sh -c "kill $(cat /tmp/xvfb.pid)"');
    const gone = await notify();
    expect([gone.status, gone.err]).toEqual([1, expect.stringMatching(/display/i)]);
  },
);

test("a command in the container has its input, its output and its status here", async () => {
  const ran = await cli.run(`exec web -i -e A=b -- sh -c "cat; echo $A >&2; exit 5"`, {
    env,
    input: "given",
  });
  expect([ran.status, ran.out, ran.err]).toEqual([5, "given", "b\n"]);
  expect((await ok("--json exec web -- true")).json).toMatchObject({ exit_status: 0, timed_out: false });
  const late = await cli.run("exec web --timeout 1 -- sleep 60", { env });
  expect([late.status, late.err]).toEqual([1, "berth: the command was ended after 1 s\n"]);
});

test.skipIf(!isolated)("a log is printed, and followed as it grows", async () => {
  const say = (text: string) => ok(`exec web -- sh -c "echo ${text} >/proc/1/fd/1"`);
  await say("first");
  expect((await until(async () => (await ok("logs web")).out || undefined)).endsWith("first\n")).toBe(true);
  expect((await ok("--json logs web")).json).toMatchObject([{ text: "first", stream: "stdout" }]);
  const stop = new AbortController();
  let seen = "";
  const onOut = (text: string) => {
    seen = text;
  };
  const following = cli.run("logs web -f --tail 1", { env, signal: stop.signal, onOut });
  await until(() => seen === "first\n");
  await say("second");
  await until(() => seen === "first\nsecond\n");
  stop.abort();
  expect((await following).status).toBe(0);
});

test("a link opens the container in a browser, and ssh gets what it needs for aliases", async () => {
  const { out } = await ok("open web --print");
  expect(new URL(out.trim()).searchParams.get("access_token")).not.toBeNull();
  await ok("alias add web --name door --program ssh --port 22");
  expect((await ok("ssh-config")).out).toContain(`Host door\n  HostName door.${SERVER}.`);
});

test("a person is asked on the terminal: a no does nothing, a name that two have is chosen, and Ctrl-C ends", async () => {
  const deleting = inTerminal("containers", "delete", "web");
  await deleting.shows("Delete the container web");
  deleting.type("n\r");
  await deleting.shows("nothing was done");
  expect(await deleting.exited).toBe(1);
  await ok("projects create other");
  await ok(`containers create web --server ${SERVER} --project other`);
  const showing = inTerminal("containers", "show", "web");
  await showing.shows("Several are named");
  showing.type("\r");
  await showing.shows(new RegExp(`server +${SERVER}`));
  expect(await showing.exited).toBe(0);
  const asked = inTerminal("containers", "delete", "web");
  await asked.shows("Several are named");
  asked.type("\u0003");
  expect(await asked.exited).toBe(130);
  const rows = (await ok("--json containers list")).json as { id: string; created_at: string }[];
  const newest = rows.toSorted((one, next) => (one.created_at < next.created_at ? 1 : -1))[0];
  await ok(`containers delete ${newest?.id} --yes --wait`);
  await ok("projects delete other --yes");
});

test("what containers use is drawn on the terminal until Ctrl-C", async () => {
  const stats = inTerminal("stats", "web");
  await stats.shows(/CONTAINER +SERVER/);
  await stats.shows(new RegExp(`web +${SERVER}`));
  stats.type("\u0003");
  expect(await stats.exited).toBe(0);
  const top = inTerminal("servers", "top", SERVER);
  await top.shows(/CPU .* of /);
  await top.shows("web");
  top.type("\u0003");
  expect(await top.exited).toBe(0);
  expect((await ok(`--json servers top ${SERVER}`)).json).toMatchObject({ server_name: SERVER });
  expect((await ok("--json stats web")).json).toMatchObject([{ name: "web" }]);
});

const base = isolated ? "/root" : temporaryFolder();
testInterrupts(() => ({ url: stack.url, folder: cli.folder, env, cli, server: SERVER, base }));

test("at the end everything is deleted, and logout ends the session", async () => {
  await ok("containers delete web --yes --wait");
  await ok("logout");
  expect((await cli.run("whoami")).status).toBe(3);
});
