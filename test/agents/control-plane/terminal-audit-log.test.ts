import { expect, test } from "bun:test";
import { pino } from "pino";
import { TerminalAuditLog } from "../../../agents/control-plane/terminal-audit-log.ts";
import type { TerminalOpened } from "../../../schemas/hosting/desired.ts";
import { until } from "../../harness/until.ts";
import { newId } from "../network/nft/rules.ts";

const log = pino({ level: "silent" });
const [container, user] = [newId(), newId()];

/** A bucket that takes reports while it is there. */
function bucket() {
  const stored = new Map<string, TerminalOpened>();
  const state = { isAway: false, tries: 0 };
  const put = async (key: string, value: string) => {
    state.tries += 1;
    if (state.isAway) throw new Error("away");
    stored.set(key, JSON.parse(value));
  };
  return { stored, state, put, all: () => [...stored.values()] };
}

test("the first opening is told of at once, and a flood of them in one report", async () => {
  const { put, all, stored } = bucket();
  const openings = new TerminalAuditLog(log, 1_000);
  openings.connect(put);
  openings.record(container, user, 7);
  await until(() => stored.size === 1);
  expect(all()[0]).toMatchObject({ container_id: container, user_id: user, terminal_id: 7, count: 1 });
  for (let id = 1; id <= 5_000; id++) openings.record(container, user, id);
  await until(() => stored.size === 2);
  expect(all()[1]).toMatchObject({ terminal_id: 5_000, count: 5_000 });
  await openings.close();
  expect(stored.size).toBe(2);
});

test("users, and containers, are told of each by themselves", async () => {
  const { put, all, stored } = bucket();
  const openings = new TerminalAuditLog(log);
  openings.connect(put);
  for (const [where, who] of [
    [container, user],
    [container, newId()],
    [newId(), user],
  ] as const)
    openings.record(where, who, 1);
  await until(() => stored.size === 3);
  expect(new Set(all().map(({ container_id, user_id }) => container_id + user_id)).size).toBe(3);
  for (const [key, { container_id }] of stored)
    expect(key).toMatch(new RegExp(`^terminal\\.${container_id}-[0-9a-f]{24}$`));
  await openings.close();
});

test("an opening waits for the control plane, and is tried until it is stored", async () => {
  const { put, all, state } = bucket();
  const openings = new TerminalAuditLog(log);
  openings.record(container, user, 1);
  openings.record(container, user, 2);
  state.isAway = true;
  openings.connect(put);
  await until(() => state.tries >= 3);
  state.isAway = false;
  await until(() => all().length === 1);
  expect(all()[0]).toMatchObject({ terminal_id: 2, count: 2 });
  await openings.close();
});

test("what was gathered is told of when the agent ends, and an end waits for no bucket that is away", async () => {
  const { put, all, stored } = bucket();
  const openings = new TerminalAuditLog(log);
  openings.connect(put);
  openings.record(container, user, 1);
  await until(() => stored.size === 1);
  openings.record(container, user, 2);
  await openings.close();
  expect(all()[1]).toMatchObject({ terminal_id: 2, count: 1 });
  const stuck = new TerminalAuditLog(log);
  stuck.record(container, user, 1);
  stuck.connect(() => new Promise(() => undefined));
  await stuck.close();
});

test("more users than are kept track of take no more memory", async () => {
  const { put, stored } = bucket();
  const openings = new TerminalAuditLog(log);
  for (let n = 0; n < 3_000; n++) openings.record(container, newId(), 1);
  openings.connect(put);
  await until(() => stored.size >= 1_000);
  expect(stored.size).toBe(1_000);
  await openings.close();
});
