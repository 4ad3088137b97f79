import { expect, test } from "bun:test";
import { hostExecTarget } from "../../../../agents/exec/host.ts";
import type { ExecTarget } from "../../../../agents/exec/target.ts";
import { MESSAGES_A_SECOND_MAX } from "../../../../agents/terminal/server/socket.ts";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

/** This host, where a change of the window's size takes its time. */
const slowly = (sizes: string[], ms: number): ExecTarget => ({
  ...hostExecTarget,
  spawn: async (request) => {
    const child = await hostExecTarget.spawn(request);
    const resize = (cols: number, rows: number) => {
      sizes.push(`${cols}x${rows}`);
      Bun.sleepSync(ms);
      child.resize(cols, rows);
    };
    return { ...child, resize };
  },
});

test("of ten thousand sizes that a client sends at once a few count, and the last one does", async () => {
  const sizes: string[] = [];
  await using service = startService({ target: slowly(sizes, 0) });
  const client = await service.open("terminal_id=7", { cols: 80, rows: 24 });
  for (let n = 0; n < 10_000; n++) client.send({ type: "size", cols: 100 + (n % 2), rows: 30 });
  client.send({ type: "size", cols: 90, rows: 20 });
  await until(() => sizes.at(-1) === "90x20");
  expect(sizes.length).toBeLessThan(100);
  await until(() => client.size === "90x20");
});

test("sizes that are dear come the more seldom, so that everybody else gets their turn", async () => {
  const sizes: string[] = [];
  await using service = startService({ target: slowly(sizes, 100) });
  const client = await service.open("terminal_id=7", { cols: 80, rows: 24 });
  const before = sizes.length;
  const startedAt = performance.now();
  for (let n = 0; sizes.length < before + 4; n++) {
    client.send({ type: "size", cols: 100 + (n % 7), rows: 30 });
    await Bun.sleep(5);
  }
  const took = performance.now() - startedAt;
  // Three pauses lie between four of them.
  expect(took).toBeGreaterThan(3 * 10 * 100);
});

test("a client that sends more messages than any person causes is sent away, and the session goes on", async () => {
  await using service = startService();
  const client = await service.open("terminal_id=7");
  for (let n = 0; n < 20 * MESSAGES_A_SECOND_MAX && client.closed === null; n++) {
    client.send({ type: "ack", bytes: 0 });
    if (n % 10_000 === 0) await Bun.sleep(0);
  }
  await until(() => client.closed !== null);
  expect(client.closed).toEqual({ code: 4400, reason: "too many messages" });
  expect(service.terminal.sessions.get(7)?.isRunning).toBe(true);
});
