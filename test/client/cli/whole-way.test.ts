import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../../agents/agent-process.ts";
import { testSubnet } from "../../agents/containers/specs.ts";
import { lacks } from "../../agents/requirements.ts";
import { SANDBOX_ENV } from "../../gateway/routes/billing/top-up/processors.ts";
import { inStock } from "../../gateway/routes/market/stock.ts";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import { freePort, temporaryFolder } from "../../harness/servers.ts";
import { type Stack, startStack } from "../../harness/stack.ts";
import { until } from "../../harness/until.ts";
import { commandLine } from "./run.ts";

/** A customer's whole way by commands alone, with a real host: sign-up, money, a server, a container, and into it. */

const isolated = !lacks("root", "nft", "ip", "oci");
const SERVER = "cli-1";
const ROOT = join(import.meta.dir, "../../..");

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

/** `berth` in a process and a terminal of its own, as a person has it. */
function inTerminal(...argv: string[]) {
  let screen = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/berth.ts"), ...argv], {
    env: {
      ...CLEAN_ENVIRONMENT,
      ...env,
      BERTH_URL: stack.url,
      BERTH_CONFIG_DIR: cli.folder,
      BERTH_KEYRING: "off",
      TERM: "xterm-256color",
    },
    terminal: {
      cols: 90,
      rows: 30,
      data: (_terminal, bytes) => {
        screen += decoder.decode(bytes, { stream: true });
      },
    },
  });
  return {
    exited: child.exited,
    type: (text: string) => child.terminal?.write(text),
    resize: (cols: number, rows: number) => child.terminal?.resize(cols, rows),
    /** Waits for a text, and returns what matched. */
    shows: async (text: string | RegExp): Promise<string> => {
      const found = () => (typeof text === "string" ? screen.includes(text) && text : text.exec(screen)?.[0]);
      const shown = await until(found, { timeoutMs: 20_000 }).catch(() => undefined);
      if (!shown) throw new Error(`${text} did not appear in:\n${screen}`);
      return shown;
    },
  };
}

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

test("a file is copied into the container and out of it, and what is there is not replaced", async () => {
  const [source, back] = [join(cli.folder, "source.bin"), join(cli.folder, "back.bin")];
  const content = crypto.getRandomValues(new Uint8Array(50_000));
  writeFileSync(source, content);
  const path = `${isolated ? "/root" : temporaryFolder()}/copied-${crypto.randomUUID()}.bin`;
  await ok(`cp ${source} web:${path}`);
  await ok(`cp web:${path} ${back}`);
  expect(readFileSync(back)).toEqual(Buffer.from(content));
  const again = await cli.run(`cp ${source} web:${path}`, { env });
  expect([again.status, again.err]).toEqual([1, expect.stringContaining("FILE_EXISTS")]);
  expect((await cli.run(`cp ${source} ${back}`)).status).toBe(2);
});

test("what one side sends through the pipe, the other receives", async () => {
  const file = join(cli.folder, "piped.txt");
  const sending = ok("pipe send web some/path", { input: "through the pipe" });
  await ok(`pipe recv web some/path ${file}`);
  expect((await sending).err).toBe("Sent 16 B.\n");
  expect(readFileSync(file, "utf8")).toBe("through the pipe");
});

test("a command in the container has its input, its output and its status here", async () => {
  const ran = await cli.run(`exec web -i -e A=b -- sh -c "cat; echo $A >&2; exit 5"`, {
    env,
    input: "given",
  });
  expect([ran.status, ran.out, ran.err]).toEqual([5, "given", "b\n"]);
  const late = await cli.run("exec web --timeout 1 -- sleep 60", { env });
  expect([late.status, late.err]).toEqual([1, "berth: the command was ended after 1 s\n"]);
});

test.skipIf(!isolated)("a log is printed, and followed as it grows", async () => {
  const say = (text: string) => ok(`exec web -- sh -c "echo ${text} >/proc/1/fd/1"`);
  await say("first");
  expect((await until(async () => (await ok("logs web")).out || undefined)).endsWith("first\n")).toBe(true);
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

test("at the end everything is deleted, and logout ends the session", async () => {
  await ok("containers delete web --yes --wait");
  await ok("logout");
  expect((await cli.run("whoami")).status).toBe(3);
});
