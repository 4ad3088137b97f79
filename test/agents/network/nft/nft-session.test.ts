import { afterEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { CommandError, run } from "../../../../agents/exec/command.ts";
import { PacketFilter } from "../../../../agents/network/nft/apply.ts";
import { compileTable } from "../../../../agents/network/nft/compile.ts";
import { Nft } from "../../../../agents/network/nft/nft.ts";
import { NftSession, type NftSessionOptions } from "../../../../agents/network/nft/nft-session.ts";
import type { FirewallRule } from "../../../../schemas/hosting/firewall.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { firewall, newId, newTable, rule } from "./rules.ts";

/** What the next change meets, where `FAILING` stands in for nft. */
type Fault = "ends before" | "ends after" | "hangs" | "warns" | "answers in pieces";

/** Loads the text by a process of its own, and fails as a file in its folder says. It notes its starts in another. */
const FAILING = `
  echo $$ >> starts
  while read -r line; do
    case "$line" in include*)
      fault=$(cat fault 2>/dev/null)
      rm -f fault
      [ "$fault" = "ends before" ] && exit 1
      [ "$fault" = hangs ] && exec sleep infinity
      [ "$fault" = warns ] && echo 'Warning: this is deprecated' >&2
      nft -f change.nft
      [ "$fault" = "ends after" ] && exit 1
      continue
    esac
    printf 'Error: syntax error, unex' >&2
    [ "$fault" = "answers in pieces" ] && sleep 0.05
    printf 'pected newline\\n%s\\n' "$line" >&2
    [ "$fault" = "answers in pieces" ] && sleep 0.05
    printf '     ^\\n' >&2
  done`;

const sessions: NftSession[] = [];
const tables: string[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  for (const table of tables.splice(0))
    await new Nft().load(`add table inet ${table}\ndelete table inet ${table}`);
});

function startSession(options: NftSessionOptions = {}) {
  const folder = temporaryFolder();
  const session = new NftSession(folder, options);
  sessions.push(session);
  const starts = () => {
    const file = join(folder, "starts");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };
  const ready = () => until(() => session.load("# nothing\n"));
  const fail = (fault: Fault) => writeFileSync(join(folder, "fault"), fault);
  return { session, folder, starts, ready, fail };
}
const startFailing = (options: NftSessionOptions = {}) =>
  startSession({ command: ["sh", "-c", FAILING], ...options });
const isRunning = (pid: string | undefined) => existsSync(`/proc/${pid}`);

async function emptyTable() {
  const table = newTable();
  tables.push(table);
  await new Nft().load(`add table inet ${table}\nadd chain inet ${table} c`);
  return { table, listing: () => new Nft().listTable(table) };
}
const rulesOf = (table: string, ...lines: string[]) =>
  `flush chain inet ${table} c\nadd chain inet ${table} c {\n${lines.map((line) => `  ${line};\n`).join("")}}\n`;

describe.skipIf(lacks("root", "nft", "setpriv"))("a process of nft that runs already", () => {
  test("has a change in force when it is done, and the next one after it", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready } = startSession();
    await ready();
    for (let port = 1; port <= 50; port++) {
      expect(await session.load(rulesOf(table, `tcp dport ${port} drop`, "udp dport 53 accept"))).toBe(true);
      if (port % 10 !== 0) continue;
      expect(await listing()).toContain(`tcp dport ${port} drop\n`);
      expect((await listing())?.match(/dport/g)).toHaveLength(2);
    }
  });

  test("refuses what nft refuses, with its reason, and changes nothing then", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready } = startSession();
    await ready();
    await session.load(rulesOf(table, "tcp dport 80 drop"));
    const before = await listing();
    const nowhere = `${rulesOf(table, "tcp dport 81 drop")}add rule inet ${table} nowhere drop\n`;
    await expect(session.load(nowhere)).rejects.toThrow(
      /Error: Could not process rule: No such file or directory\n.*nowhere/,
    );
    await expect(session.load(`${rulesOf(table, "tcp dport 81 drop")}strange`)).rejects.toThrow(
      "syntax error",
    );
    expect(await listing()).toBe(before);
    // Nothing of a refusal is left for the next one.
    expect(await session.load(rulesOf(table, "tcp dport 82 drop"))).toBe(true);
    expect(await listing()).toContain("tcp dport 82 drop");
  });

  test("sees at once what another program has changed", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready } = startSession();
    await ready();
    for (let at = 0; at < 5; at++) {
      await session.load(rulesOf(table, "tcp dport 80 drop"));
      await new Nft().load(`delete table inet ${table}`);
      await expect(session.load(rulesOf(table, "tcp dport 80 drop"))).rejects.toThrow(CommandError);
      await new Nft().load(`add table inet ${table}\nadd chain inet ${table} c`);
    }
    await session.load(rulesOf(table, "tcp dport 80 drop"));
    expect(await listing()).toContain("tcp dport 80 drop");
  });

  test("leaves a text that is too long, and one for which it is not ready, to a process of its own", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready } = startSession();
    expect(await session.load("# nothing\n")).toBe(false);
    await ready();
    const long = `# ${"long ".repeat(16 * 1024)}\n${rulesOf(table, "tcp dport 80 drop")}`;
    expect(await session.load(long)).toBe(false);
    await new Nft(["nft"], session).load(long);
    expect(await listing()).toContain("tcp dport 80 drop");
  });

  test("is replaced after so many changes, and no change is lost", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready, starts } = startFailing({ changesMax: 5 });
    await ready();
    const nft = new Nft(["nft"], session);
    for (let port = 1; port <= 20; port++) {
      await nft.load(rulesOf(table, `tcp dport ${port} drop`));
      expect(await listing()).toContain(`tcp dport ${port} drop\n`);
    }
    await until(() => starts().length > 1);
    await until(() => !isRunning(starts()[0]));
  });

  test("ends with the agent, also with one that is killed", async () => {
    const folder = temporaryFolder();
    const program = join(import.meta.dir, "../../../../agents/network/nft/nft-session.ts");
    const script = `
      const { NftSession } = await import(${JSON.stringify(program)});
      const session = new NftSession(${JSON.stringify(folder)});
      while (!(await session.load("# nothing\\n"))) await Bun.sleep(5);
      console.log("ready");
      await new Promise(() => undefined);`;
    const agent = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    await agent.stdout.getReader().read();
    const child = (await run(["ps", "-o", "pid=,args=", "--ppid", String(agent.pid)])).trim();
    expect(child).toEndWith("nft -i");
    agent.kill("SIGKILL");
    await until(() => !isRunning(child.split(" ")[0]));
  });
});

/** A process of nft works in the folder of its session. */
const processIn = (folder: string) =>
  readdirSync("/proc").find((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    } catch {
      return false;
    }
  });
const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

describe.skipIf(lacks("root", "nft", "setpriv"))("a process of nft with a fault", () => {
  test("loses no rule and no counter, has none twice, and is counted, whenever it ends", async () => {
    const table = newTable();
    tables.push(table);
    const codes: number[] = [];
    const { session, ready, folder } = startSession({ onEnded: (exitCode) => codes.push(exitCode) });
    const filter = new PacketFilter(table, session);
    const [one, other] = [newId(), newId()];
    const at = { one: { veth: "vt1", address: "10.0.0.1" }, other: { veth: "vt2", address: "10.0.0.2" } };
    const [kept, others] = [rule({ destination_port: "80" }), rule({ destination_port: "90" })];
    await ready();
    await filter.apply(firewall(other, [others]), at.other);
    await filter.apply(firewall(one, [kept]), at.one);
    // As if packets had met the rule.
    await new Nft().load(
      `delete table inet ${table}\n${compileTable(
        table,
        [
          { desired: firewall(other, [others]), endpoint: at.other },
          { desired: firewall(one, [kept]), endpoint: at.one },
        ],
        new Map([[`r_${kept.id}`, { packets: 7, bytes: 700 }]]),
      )}`,
    );
    // The process ends before it has heard of the change, while it reads or carries it out, or after it.
    for (const [round, turns] of [0, 1, 2, 4, 8, 16].entries()) {
      await ready();
      const rules = [
        kept,
        ...Array.from({ length: round + 1 }, (_, n) => rule({ destination_port: `${100 + n}` })),
      ];
      const applied = filter.apply(firewall(one, rules), at.one);
      for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
      process.kill(Number(processIn(folder)), "SIGSEGV");
      await applied;
      await until(() => codes.length === round + 1);
      expect((await filter.inspect(one))?.fingerprint).toBe(
        await filter.expect(firewall(one, rules), at.one),
      );
      expect((await filter.inspect(other))?.fingerprint).toBe(
        await filter.expect(firewall(other, [others]), at.other),
      );
      expect((await filter.counts(one))[kept.id]).toEqual({ packets: 7, bytes: 700 });
    }
    expect(session.faults).toBe(6);
    expect(new Set(codes)).toEqual(new Set([128 + 11]));
  }, 60_000);
});

describe.skipIf(lacks("root", "nft"))("a process of nft that fails", () => {
  test("is not taken for ready where it does not answer as nft does", async () => {
    const absent = startSession({ command: ["/nowhere/nft"] });
    const without = [
      "echo Error: no such thing >&2",
      "exec cat",
      "while read -r line; do echo $line >&2; done",
    ];
    for (const answers of without) {
      const { session, starts } = startSession({
        command: ["sh", "-c", `echo $$ >> starts; ${answers}`],
        loadMsMax: 100,
      });
      // The first is given up: another one is tried.
      await until(() => starts().length > 1);
      expect(isRunning(starts()[0])).toBe(false);
      expect(await session.load("# nothing\n")).toBe(false);
    }
    expect(await absent.session.load("# nothing\n")).toBe(false);
  });

  test("is not told of a change that cannot be passed on to it", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready, folder } = startFailing();
    await ready();
    rmSync(folder, { recursive: true });
    await new Nft(["nft"], session).load(rulesOf(table, "tcp dport 80 drop"));
    expect(await listing()).toContain("tcp dport 80 drop");
    expect(await session.load("# nothing\n")).toBe(false);
  });

  test("is started again when it has ended, and changes do not wait for it", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready, starts } = startFailing();
    await ready();
    process.kill(Number(starts()[0]), "SIGKILL");
    const nft = new Nft(["nft"], session);
    await until(async () => !(await session.load("# nothing\n").catch(() => true)));
    await nft.load(rulesOf(table, "tcp dport 80 drop"));
    expect(await listing()).toContain("tcp dport 80 drop");
    await ready();
    expect(starts()).toHaveLength(2);
  });

  test("fails the change in whose middle it ends, whether or not the kernel has it", async () => {
    const { table, listing } = await emptyTable();
    for (const [fault, isInForce] of [
      ["ends before", false],
      ["ends after", true],
    ] as const) {
      const { session, ready, fail } = startFailing();
      await ready();
      fail(fault);
      const text = rulesOf(table, `tcp dport 80 drop comment "${fault}"`);
      await expect(session.load(text)).rejects.toThrow("nft: ended before it had answered");
      expect((await listing())?.includes(fault)).toBe(isInForce);
    }
  });

  test("is killed when it hangs, before its change fails: the change comes into force no more", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready, starts, fail } = startFailing({ loadMsMax: 2_000 });
    await ready();
    fail("hangs");
    await expect(session.load(rulesOf(table, "tcp dport 80 drop"))).rejects.toThrow("nft: took too long");
    expect(isRunning(starts().at(-1))).toBe(false);
    expect(await listing()).not.toContain("dport");
  });

  test("may answer late and in pieces, and may warn", async () => {
    const { table, listing } = await emptyTable();
    const { session, ready, fail } = startFailing();
    await ready();
    fail("warns");
    expect(await session.load(rulesOf(table, "tcp dport 80 drop"))).toBe(true);
    expect(await listing()).toContain("tcp dport 80 drop");
    fail("answers in pieces");
    expect(await session.load(rulesOf(table, "tcp dport 81 drop"))).toBe(true);
    expect(await listing()).toContain("tcp dport 81 drop");
    fail("answers in pieces");
    await expect(session.load(`add rule inet ${table} nowhere drop`)).rejects.toThrow(
      "No such file or directory",
    );
    expect(await session.load(rulesOf(table, "tcp dport 82 drop"))).toBe(true);
  });

  test("leaves the rules of all containers in force, with their counters", async () => {
    const table = newTable();
    tables.push(table);
    const { session, ready, fail } = startFailing({ loadMsMax: 2_000 });
    await ready();
    const filter = new PacketFilter(table, session);
    const [one, other] = [newId(), newId()];
    const endpoint = (at: number) => ({ veth: `vt${at}`, address: `10.0.0.${at}` });
    const [kept, others] = [rule({ destination_port: "80" }), rule({ destination_port: "90" })];
    const isInForce = async (id: string, at: number, rules: FirewallRule[]) =>
      (await filter.inspect(id))?.fingerprint === (await filter.expect(firewall(id, rules), endpoint(at)));
    await filter.apply(firewall(other, [others]), endpoint(2));
    await filter.apply(firewall(one, [kept]), endpoint(1));
    // As if a packet had met the rule.
    await new Nft().load(
      `delete table inet ${table}\n${compileTable(
        table,
        [
          { desired: firewall(other, [others]), endpoint: endpoint(2) },
          { desired: firewall(one, [kept]), endpoint: endpoint(1) },
        ],
        new Map([[`r_${kept.id}`, { packets: 7, bytes: 700 }]]),
      )}`,
    );
    for (const fault of ["ends before", "hangs", "ends after"] as const) {
      await ready();
      fail(fault);
      const rules = [kept, rule({ destination_port: "81", description: fault })];
      await filter.apply(firewall(one, rules), endpoint(1));
      expect(await isInForce(one, 1, rules)).toBe(true);
      expect(await isInForce(other, 2, [others])).toBe(true);
      expect((await filter.counts(one))[kept.id]).toEqual({ packets: 7, bytes: 700 });
    }
  }, 30_000);
});
