import { expect, test } from "bun:test";
import { OutputScheduler, WAITING_BYTES_MAX } from "../../../../agents/terminal/session/output-scheduler.ts";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

/** A screen that takes its time for everything but text. */
function setUp() {
  const seen = { parsed: "", shown: "", log: [] as string[] };
  const scheduler = new OutputScheduler({
    cells: () => 1000 * 500,
    parse(bytes, isText) {
      if (!isText) Bun.sleepSync(5);
      seen.parsed += Buffer.from(bytes).toString("latin1");
    },
    display(bytes) {
      seen.shown += Buffer.from(bytes).toString("latin1");
      expect(seen.shown).toBe(seen.parsed);
    },
    gap: () => seen.log.push("gap"),
  });
  return { scheduler, seen };
}

const dear = (length: number) => Buffer.from("\x1b[9S".repeat(length / 4));

test("what is dear is taken while others are served, in order and whole, whatever becomes of the memory it came in", async () => {
  const { scheduler, seen } = setUp();
  const first = dear(4000);
  const whole = `${first.toString("latin1")}text`;
  scheduler.output(first);
  first.fill(0);
  expect(scheduler.isBehind).toBe(true);
  const text = Buffer.from("text");
  scheduler.output(text);
  text.fill(0);
  scheduler.after(() => seen.log.push(seen.shown === whole ? "after all of it" : "too early"));
  await Bun.sleep(0);
  expect(scheduler.isBehind).toBe(true);
  await until(() => !scheduler.isBehind);
  expect(seen.log).toEqual(["after all of it"]);
});

test("text is taken at once, and what follows when nothing waits too", () => {
  const { scheduler, seen } = setUp();
  scheduler.output(Buffer.alloc(WAITING_BYTES_MAX * 2, "x"));
  scheduler.after(() => seen.log.push("then"));
  expect(scheduler.isBehind).toBe(false);
  expect([seen.shown.length, ...seen.log]).toEqual([WAITING_BYTES_MAX * 2, "then"]);
});

test("what waits is bounded: too much of it is left out, and that is said", async () => {
  const { scheduler, seen } = setUp();
  for (let n = 0; n < 100; n++) scheduler.output(dear(WAITING_BYTES_MAX / 10));
  scheduler.drop();
  await until(() => !scheduler.isBehind);
  expect(seen.log).toContain("gap");
  expect(seen.log.length).toBeLessThan(12);
});

test("the end of a flood is shown, however much of it is left out", async () => {
  const { scheduler, seen } = setUp();
  scheduler.output(dear(4_000));
  scheduler.output(dear(WAITING_BYTES_MAX - 4_000));
  scheduler.output(Buffer.concat([dear(4_000), Buffer.from("the end")]));
  scheduler.after(() => seen.log.push("after"));
  await until(() => !scheduler.isBehind);
  expect(seen.log.at(-1)).toBe("after");
  expect(seen.log).toContain("gap");
  expect(seen.shown).toEndWith("the end");
});

test("a program that clears the largest screen without end keeps nobody else from their session", async () => {
  await using service = startService();
  const hostile = await service.open("terminal_id=7", { cols: 1000, rows: 500 });
  // What it would cost to show is paid elsewhere.
  let received = 0;
  hostile.socket.onmessage = ({ data }) => {
    if (typeof data !== "string") received += (data as ArrayBuffer).byteLength;
  };
  const other = await service.open("terminal_id=8");
  hostile.type("printf '\\033[999S%.0s' $(seq 10000); echo do''ne\n");
  const session = service.terminal.sessions.get(7);
  await until(() => received > 2_000);
  other.type("echo ser''ved\n");
  await other.shows("served");
  expect(session?.text()).not.toContain("done");
  const ended = await fetch(`${service.origin}/api/v1/terminal/sessions/7`, { method: "DELETE" });
  expect(ended.status).toBe(204);
  await until(() => service.terminal.sessions.get(7) === undefined);
});
