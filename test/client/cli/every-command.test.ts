import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { idOf } from "../../../actors/hosting/certificate/rules.ts";
import { OPERATOR_COMMANDS } from "../../../scripts/operator-commands.ts";
import { callback, opened, SANDBOX_ENV } from "../../gateway/routes/billing/top-up/processors.ts";
import { type Host, startHost, tenant } from "../../gateway/routes/hosting/container/hosting.ts";
import { inStock } from "../../gateway/routes/market/stock.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../harness/embedded-stack.ts";
import { until } from "../../harness/until.ts";
import { type Act, ELSEWHERE, everyCommand, type Row, TABLE } from "./every-command.ts";
import { commandLine, type Ran } from "./run.ts";

/** What holds for every command: JSON with the fields of the API, ids alone, and the exit status of each kind of failure. */

/** A mail server where none listens: what is asked for waits. */
const MAIL_ENV = {
  BERTH_SMTP_URL: "smtp://127.0.0.1:9",
  BERTH_MAIL_FROM: "berth@berth.example",
  BERTH_PUBLIC_URL: "https://berth.example",
};
const SERVERS = ["every-json", "every-quiet"] as const;
const ID = /^[0-9a-f]{24}$/;

let stack: EmbeddedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ env: { ...SANDBOX_ENV, ...MAIL_ENV }, servers: [...SERVERS] });
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack?.stop());

const commands = everyCommand();

/** The command that a line is of. */
const commandOf = (line: string): string =>
  [...commands.keys()]
    .filter((name) => `${line} `.startsWith(`${name} `))
    .toSorted((one, other) => other.length - one.length)[0] ?? line;

test("every command is in the table, or has a test with a host", () => {
  const tabled = TABLE.flatMap((row) => (row.length === 2 ? [] : [commandOf(row[1])]));
  const ofApi = [...commands.keys()].filter((name) => !Object.hasOwn(OPERATOR_COMMANDS, name));
  expect([...new Set([...tabled, ...Object.keys(ELSEWHERE)])].sort()).toEqual(ofApi.sort());
  for (const [file, text] of Object.values(ELSEWHERE))
    expect(readFileSync(join(import.meta.dir, file), "utf8")).toContain(text);
});

test("a wrong option and a missing argument are wrong usage, whatever the command", async () => {
  const { run } = commandLine(stack, admin);
  for (const [name, command] of commands) {
    const wrong = await run(`${name} --no-such-option`, { operators: true });
    expect([name, wrong.status]).toEqual([name, 2]);
    const needs = command.registeredArguments.some(({ required }) => required);
    if (needs) expect([name, (await run(name, { operators: true })).status]).toEqual([name, 2]);
  }
});

test("nobody who is not signed in gets further than a word about it, whatever the command", async () => {
  const { run } = commandLine(stack);
  for (const row of TABLE) {
    if (row.length === 2 || row[0] === "n") continue;
    const [, line, , { input } = {}] = row;
    const options = input === undefined ? {} : { input: input.replace("{SERVER}", "node") };
    const { status, out } = await run(line, options);
    expect([line, status, out]).toEqual([line, 3, ""]);
  }
});

/** What these list is recorded a moment after the command that caused it has its reply. */
const RECORDED_LATER = /^(events|inbox list|webhooks deliveries)\b/;

/** Runs the table. @param option for all of its commands @param check what they printed */
async function runTable(
  server: (typeof SERVERS)[number],
  option: "--json" | "--quiet",
  check: (ran: Ran, row: Row & { readonly length: 3 | 4 }, line: string) => void,
): Promise<void> {
  const { user, token } = await tenant(stack, server);
  const friend = await stack.user();
  const host = await startHost(stack, server);
  const own = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}`;
  const values = new Map<string, string>();
  const failed: string[] = [];
  const names = {
    NEW: "new",
    STOCK: "stock",
    OFFER: "offer",
    IMAGE: "img",
    ALIAS: "a",
    RENTED: "r",
    DELIVERED: "d",
  };
  for (const [key, name] of Object.entries(names)) values.set(key, own(name));
  for (const key of ["RENTED", "DELIVERED"]) await inStock(stack, values.get(key) ?? "");
  const clis = {
    c: commandLine(stack, user),
    f: commandLine(stack, friend),
    a: commandLine(stack, admin),
    n: commandLine(stack),
  };
  const known = {
    SERVER: server,
    USER: user.username,
    FRIEND: friend.username,
    FOLDER: clis.c.folder,
    ADMIN_PASSWORD: admin.password,
  };
  for (const [key, value] of Object.entries(known)) values.set(key, value);
  const filled = (text: string) => text.replace(/\{([A-Z_]+)\}/g, (all, key) => values.get(key) ?? all);
  try {
    for (const row of TABLE) {
      if (row.length === 2) {
        values.set(row[1], await ACTS[row[0]]({ host, user, token, id: values.get(row[1]) ?? "" }));
        continue;
      }
      const [who, line, , { input, as } = {}] = row;
      const options = input === undefined ? {} : { input: filled(input) };
      try {
        const runOnce = async () => {
          const result = await clis[who].ok(`${filled(line)} ${option}`, options);
          check(result, row as never, filled(line));
          return result;
        };
        const ran = RECORDED_LATER.test(line) ? await until(runOnce, { timeoutMs: 60_000 }) : await runOnce();
        if (as !== undefined) values.set(as, option === "--json" ? ran.json.id : ran.out.trim());
      } catch (error) {
        const { message, cause } = error as Error;
        failed.push(`${line}: ${cause instanceof Error ? cause.message : message}`);
      }
    }
    expect(failed).toEqual([]);
  } finally {
    await host.close();
  }
}

interface Acting {
  readonly host: Host;
  readonly user: TestUser;
  readonly token: string;
  readonly id: string;
}

/** @returns the id that the row names from now on */
const ACTS: Readonly<Record<Act, (acting: Acting) => Promise<string>>> = {
  async container({ host, token, id }) {
    await host.reportContainer(id, { revision: 1, state: "running" });
    await host.answerFirewalls(() => ({ enforced: true }));
    await until(
      async () =>
        (await stack.call("GET", `/api/v1/containers/${id}`, { token })).body.data.state === "running",
    );
    return id;
  },
  async share({ host, token, id }) {
    await host.reportShare(id, {});
    await until(
      async () =>
        (await stack.call("GET", `/api/v1/storage-shares/${id}`, { token })).body.data.state === "ready",
    );
    return id;
  },
  async snapshot({ host, token, id }) {
    const path = `/api/v1/storage-shares/${id}/snapshots`;
    const [taken] = (await stack.call("GET", path, { token })).body.data.snapshots;
    const ready = { id: taken.id, state: "ready" as const, bytes: 1, error: null };
    await host.reportShare(id, { revision: 3, snapshots: [ready] });
    await until(
      async () => (await stack.call("GET", path, { token })).body.data.snapshots[0].state === "ready",
    );
    return id;
  },
  async restored({ host, token, id }) {
    const path = `/api/v1/storage-shares/${id}`;
    const restore = (await stack.db`SELECT restore FROM storage_shares WHERE id = ${id}`)[0]?.restore;
    const [snapshot] = (await stack.call("GET", `${path}/snapshots`, { token })).body.data.snapshots;
    const ready = { id: snapshot.id, state: "ready" as const, bytes: 1, error: null };
    await host.reportShare(id, { revision: 4, snapshots: [ready], restored: restore.id });
    await until(
      async () => (await stack.call("GET", path, { token })).body.data.restoring_snapshot_id === null,
    );
    return id;
  },
  async review({ user }) {
    const { id: intent, session } = await opened(stack, user, "25");
    await callback(stack, { intent, session, cents: 2_000 });
    const path = "/api/v1/admin/payments/reviews?limit=100";
    const { reviews } = (await stack.call("GET", path, { token: admin.token })).body.data;
    return reviews.find((one: { intent_id: string }) => one.intent_id === intent).id;
  },
  async certificate() {
    const name = `${crypto.randomUUID()}.example.org`;
    const id = idOf(name);
    await stack.actors.certificate(id).want({ name, purpose: "name", user_id: null });
    await stack.actors.certificate(id).record_failure({ error: "the name leads elsewhere" });
    return id;
  },
  async charge({ token }) {
    const { body } = await stack.call("GET", "/api/v1/wallet/transactions", { token });
    return body.data.find((one: { transaction_type: string }) => one.transaction_type === "rental").id;
  },
};

test("--json is what the API says, after changes too", async () => {
  await runTable(SERVERS[0], "--json", ({ json }, [, , fields], line) => {
    const names = fields.replace(/[[\]]/g, "").split(" ").filter(Boolean);
    const isList = fields.startsWith("[");
    expect([line, Array.isArray(json)]).toEqual([line, isList]);
    if (isList && names.length > 0) expect([line, json.length > 0]).toEqual([line, true]);
    for (const record of isList ? json : [json])
      expect([line, names.filter((name) => !(name in record))]).toEqual([line, []]);
  });
});

/** What they print is no record: a request's own reply, rules or lines of a file. */
const PRINTED_AS_IT_IS = /^(api|firewall export|admin servers export) ?/;

test("--quiet prints ids alone", async () => {
  await runTable(SERVERS[1], "--quiet", ({ out, err }, [, , fields], line) => {
    if (PRINTED_AS_IT_IS.test(line)) return;
    const lines = out.split("\n").slice(0, -1);
    if (!/^context /.test(line)) expect([line, lines.filter((one) => !ID.test(one))]).toEqual([line, []]);
    if (/^\[?id\b/.test(fields) && !/^context |^(sessions end|inbox read)/.test(line))
      expect([line, lines.length > 0]).toEqual([line, true]);
    expect([line, err.split("\n").filter((one) => !/^[-+~±]/.test(one))]).toEqual([line, [""]]);
  });
});
