import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostExecTarget } from "../../../../agents/exec/host.ts";
import type { ExecTarget } from "../../../../agents/exec/target.ts";
import { VIEWERS_MAX } from "../../../../agents/terminal/server/socket.ts";
import { REPLY_BYTES_MAX } from "../../../../agents/terminal/session/session.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

test("what is typed reaches the shell, and its answer the screen", async () => {
  await using service = startService();
  const client = await service.open();
  client.type("echo $((6*7)) is the answer\n");
  await client.shows("42 is the answer");
});

test("the same number joins the running session; another one is a session of its own", async () => {
  await using service = startService();
  const first = await service.open("terminal_id=7");
  first.type("mark=here; clear; echo first is $mark\n");
  await first.shows("first is here");
  const second = await service.open("terminal_id=7");
  await second.shows("first is here");
  second.type("echo second too is $mark\n");
  await first.shows("second too is here");
  const other = await service.open("terminal_id=8");
  other.type("echo elsewhere: [$mark]\n");
  await other.shows("elsewhere: []");
  expect(service.terminal.sessions.all.map(({ id }) => id).sort()).toEqual([7, 8]);
});

test("two requests for a new number at once get one session", async () => {
  await using service = startService();
  await Promise.all(Array.from({ length: 8 }, () => service.boot("terminal_id=9")));
  expect(service.terminal.sessions.all).toHaveLength(1);
});

test("a session lives on without clients, and whoever comes back finds it as it is now", async () => {
  await using service = startService();
  const before = await service.open("terminal_id=7");
  const left = join(temporaryFolder(), "left");
  before.type(`until [ -e ${left} ]; do sleep 0.01; done; echo do''ne while away\n`);
  before.close();
  await until(() => before.closed !== null);
  writeFileSync(left, "");
  const session = service.terminal.sessions.get(7);
  await until(() => session?.text().includes("\ndone while away"));
  const after = await service.open("terminal_id=7");
  await after.shows("\ndone while away");
});

test("a connection that broke is taken up again with the token that it was given", async () => {
  await using service = startService();
  const before = await service.open("terminal_id=7");
  before.type("echo still $((40+2))\n");
  await before.shows("still 42");
  const resume = before.message("attached")?.resume ?? "";
  before.socket.close();
  const after = service.connect(resume);
  await after.shows("still 42");
  const again = service.connect(resume);
  await until(() => again.closed !== null);
  expect(again.closed?.code).toBe(4401);
});

test("reset ends what runs and starts again under the same number", async () => {
  await using service = startService();
  const before = await service.open("terminal_id=7");
  before.type("mark=old; echo mark is $mark\n");
  await before.shows("mark is old");
  const after = await service.open("terminal_id=7&reset=true&shell=sh");
  await until(() => before.exit !== null);
  expect(before.exit).toMatchObject({ reason: "it was set up again" });
  after.type("echo now: [$mark] $0\n");
  await after.shows(/now: \[\] .*sh/);
});

test("a reset that cannot be followed leaves the session as it was", async () => {
  await using service = startService();
  const client = await service.open("terminal_id=7");
  const response = await service.page("terminal_id=7&reset&shell=nosuchshell");
  expect(response.status).toBe(400);
  client.type("echo alive and $((1+1))\n");
  await client.shows("alive and 2");
  expect(client.exit).toBeNull();
});

test("all output comes before the close, however quickly the program ends, and then its status", async () => {
  await using service = startService();
  for (const status of [0, 3]) {
    const cmd = btoa(`seq 1 3000; echo the very last line; exit ${status}`);
    const client = await service.open({ shell: "bash", cmd });
    await until(() => client.closed !== null);
    // An interactive bash says "exit" or "logout" when it goes.
    expect(client.text).toMatch(/\n3000\nthe very last line(\n(exit|logout))?$/);
    expect(client.exit).toMatchObject({ code: status, signal: null });
    expect(client.closed?.code).toBe(4000);
  }
});

test("a page that connects after its program has ended still sees what it wrote, and how it ended", async () => {
  await using service = startService();
  const { token, id } = await service.boot({ cmd: btoa("echo gone already; exit 5") });
  await until(() => service.terminal.sessions.get(id) === undefined);
  const client = service.connect(token);
  await until(() => client.closed !== null);
  expect(client.text).toContain("gone already");
  expect(client.exit).toMatchObject({ code: 5 });
});

test("a session that a signal ended says which", async () => {
  await using service = startService();
  const client = await service.open();
  client.type("kill -KILL $$\n");
  await until(() => client.exit);
  expect(client.exit).toMatchObject({ code: null, signal: "SIGKILL" });
});

test("who attaches in the middle of output misses nothing and gets nothing twice", async () => {
  await using service = startService();
  const first = await service.open("terminal_id=7", { cols: 80, rows: 24 });
  first.type(
    "for i in $(seq 1 4000); do echo line-$i-ü漢; [ $((i % 50)) = 0 ] && sleep 0.01; done; echo fin''ished\n",
  );
  const others = [];
  for (let n = 0; n < 6; n++) others.push(await service.open("terminal_id=7"));
  for (const client of [first, ...others]) {
    await client.shows("finished");
    const lines = client.text.split("\n").filter((line) => /^line-\d+-ü漢$/.test(line));
    expect(lines.length).toBeGreaterThan(900);
    const numbers = lines.map((line) => Number(line.split("-")[1]));
    expect(numbers).toEqual(numbers.map((_, at) => 4000 - numbers.length + 1 + at));
    expect(client.text).not.toContain("\ufffd");
  }
});

test("the terminal is as large as its smallest viewer, and grows again when that one leaves", async () => {
  await using service = startService();
  const large = await service.open("terminal_id=7", { cols: 120, rows: 40 });
  await until(() => large.size === "120x40");
  const small = await service.open("terminal_id=7", { cols: 90, rows: 20 });
  await until(() => large.size === "90x20" && small.size === "90x20");
  large.type("stty size\n");
  await large.shows("20 90");
  small.send({ type: "size", cols: 100, rows: 30 });
  await until(() => large.size === "100x30");
  small.close();
  await until(() => large.size === "120x40");
  large.type("clear; stty size\n");
  await large.shows("40 120");
});

test("sizes that no terminal has are brought to ones that it can have", async () => {
  await using service = startService();
  const client = await service.open("", { cols: 0, rows: -5 });
  await until(() => client.size === "2x2");
  client.send({ type: "size", cols: 70_000, rows: 70_000 });
  await until(() => client.size === "1000x500");
});

test("of sizes that come faster than any screen is drawn, the last one counts", async () => {
  await using service = startService();
  const client = await service.open("", { cols: 80, rows: 24 });
  const before = client.messages.length;
  for (let n = 0; n < 500; n++) client.send({ type: "size", cols: 50 + (n % 50), rows: 20 });
  client.send({ type: "size", cols: 101, rows: 31 });
  await until(() => client.size === "101x31");
  expect(client.messages.length - before).toBeLessThan(250);
  client.type("stty size\n");
  await client.shows("31 101");
});

test("a session has so many viewers at most, and room again when one leaves", async () => {
  await using service = startService();
  const viewers = [];
  for (let n = 0; n < VIEWERS_MAX; n++) viewers.push(await service.open("terminal_id=7"));
  const one = await service.open("terminal_id=7");
  expect(one.closed?.code).toBe(4429);
  expect(one.messages).toEqual([]);
  viewers[0]?.close();
  await until(() => (service.terminal.sessions.get(7)?.clients ?? 0) < VIEWERS_MAX);
  const other = await service.open("terminal_id=7");
  expect(other.snapshots).toBe(1);
});

test("a program's question is answered once, however many look on, and even when nobody does", async () => {
  await using service = startService();
  const ask =
    "stty raw -echo; printf '\\033[c'; IFS= read -r -d c -t 5 a; printf '\\033[6n'; IFS= read -r -d R -t 5 b; IFS= read -r -n 1 -t 0.3 rest; stty sane; printf 'answers %q %q rest %q.' \"$a\" \"$b\" \"$rest\"";
  const viewers = [];
  for (let n = 0; n < 3; n++) viewers.push(await service.open({ terminal_id: "7", shell: "bash" }));
  viewers[0]?.type(`${ask}\n`);
  await viewers[0]?.shows(/answers \$'\\E\[\?1;2' \$'\\E\[\d+;1' rest ''\./);
  const { id } = await service.boot({ shell: "bash", cmd: btoa(ask) });
  const alone = service.terminal.sessions.get(id);
  await until(() => /answers \$'\\E\[\?1;2'/.test(alone?.text() ?? ""));
});

test("^C in a flood brings the prompt back", async () => {
  await using service = startService();
  const client = await service.open("", { cols: 80, rows: 24 });
  client.type("PS1='ready> '; yes flood of output\n");
  await until(() => client.received > 3_000_000);
  client.type("\x03");
  await client.shows(/\^C\nready>$/);
});

test("and it does so beside a viewer that never reads", async () => {
  await using service = startService();
  const stuck = await service.open("terminal_id=7", { cols: 80, rows: 24 });
  stuck.acks = false;
  const client = await service.open("terminal_id=7", { cols: 80, rows: 24 });
  client.type("PS1='ready> '; yes flood of output\n");
  await until(() => client.received > 3_000_000);
  client.type("\x03");
  await client.shows(/\^C\nready>$/);
});

test("a program that asks without end and reads no answer is not given more than it could read", async () => {
  let written = 0;
  const machine: ExecTarget = {
    ...hostExecTarget,
    spawn: async (request) => {
      const child = await hostExecTarget.spawn(request);
      const write = (bytes: Uint8Array) => {
        written += bytes.length;
        child.write(bytes);
      };
      return { ...child, write };
    },
  };
  await using service = startService({ target: machine });
  const client = await service.open("terminal_id=7");
  client.type(
    "stty raw -echo; head -c 3000000 /dev/zero | sed 's/\\x00/\\x1b[c/g'; echo as''ked; sleep 1000\n",
  );
  await client.shows("asked");
  // The terminal has answered as long as somebody could have read it.
  expect(written).toBeGreaterThan(REPLY_BYTES_MAX);
  expect(written).toBeLessThan(3 * REPLY_BYTES_MAX);
});

test("a paste of megabytes arrives whole", async () => {
  await using service = startService();
  const client = await service.open();
  client.type("stty raw -echo; echo rea''dy; head -c 3000000 | cksum; stty sane\n");
  await client.shows("ready");
  const paste = "0123456789".repeat(300_000);
  for (let at = 0; at < paste.length; at += 500_000) client.type(paste.slice(at, at + 500_000));
  const expected = Bun.spawnSync(["cksum"], { stdin: Buffer.from(paste) })
    .stdout.toString()
    .trim();
  await client.shows(expected);
});

test("input for a program that does not read is refused at a bound, and said", async () => {
  await using service = startService();
  const client = await service.open();
  client.type("stty raw -echo; echo rea''dy; sleep 1000\n");
  await client.shows("ready");
  const piece = "x".repeat(1 << 20);
  for (let n = 0; n < 20; n++) client.type(piece);
  await until(() => client.message("notice"));
  expect(client.message("notice")?.text).toContain("does not read");
});
