import { beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { maintainLog, prepareLog } from "../../../../agents/containers/logs/log-files.ts";
import { readLog, readLogWhenMade } from "../../../../agents/containers/logs/read-log.ts";
import type { HostLogsRequest } from "../../../../schemas/hosting/container-log.ts";
import { temporaryFolder } from "../../../harness/servers.ts";

/** A container's log on its host, with this test as the writer: it does what conmon does. */

let folder: string;
let seconds: number;
beforeEach(() => {
  folder = temporaryFolder();
  seconds = 0;
  prepareLog(folder);
});

/** Each line a second after the one before. */
function write(text: string, stream = "stdout", tag = "F"): void {
  const time = `2026-01-31T10:00:${String(seconds++).padStart(2, "0")}.123456789+01:00`;
  appendFileSync(join(folder, "log"), `${time} ${stream} ${tag} ${text}\n`);
}
/** What a full log does to the next line. */
function beginFile(): void {
  writeFileSync(join(folder, "log.tmp"), "");
  renameSync(join(folder, "log.tmp"), join(folder, "log"));
}
const read = (fields: Partial<HostLogsRequest> = {}) =>
  readLog(folder, {
    container_id: "0".repeat(24),
    after: null,
    tail: 100,
    since_ms: null,
    stream: null,
    limit: 1_000,
    wait_ms: 0,
    ...fields,
  });
const texts = async (fields: Partial<HostLogsRequest> = {}) =>
  (await read(fields)).lines.map(({ text }) => text);

describe("lines", () => {
  test("have their time and stream, in the order in which they were written", async () => {
    write("one");
    write("two: ümlaut", "stderr");
    const { lines, dropped } = await read();
    expect(lines.map(({ position: _, ...line }) => line)).toEqual([
      { time: "2026-01-31T09:00:00.123Z", stream: "stdout", text: "one", partial: false },
      { time: "2026-01-31T09:00:01.123Z", stream: "stderr", text: "two: ümlaut", partial: false },
    ]);
    expect(dropped).toBe(false);
  });

  test("are one again after the writer cut them, up to 16 KiB", async () => {
    write("a".repeat(8192), "stdout", "P");
    write("b", "stdout");
    for (let n = 0; n < 3; n++) write("c".repeat(8192), "stdout", "P");
    write("");
    const { lines } = await read();
    expect(lines.map(({ text, partial }) => [text.length, partial])).toEqual([
      [8193, false],
      [16_384, true],
      [8192, false],
    ]);
  });

  test("that have no end yet are there, and what follows them of the other stream too", async () => {
    write("Password: ", "stdout", "P");
    write("warning", "stderr");
    const { lines } = await read();
    expect(lines.map(({ text, partial }) => [text, partial])).toEqual([
      ["Password: ", true],
      ["warning", false],
    ]);
    expect(await texts({ after: lines[0]?.position ?? "" })).toEqual(["warning"]);
  });

  test("are chosen by stream, by number and by time, however long the log is", async () => {
    for (let n = 0; n < 40; n++) write(`${n} ${"x".repeat(8_000)}`, n % 4 === 0 ? "stderr" : "stdout");
    const numbers = async (fields: Partial<HostLogsRequest>) => (await texts(fields)).map(Number.parseFloat);
    expect(await numbers({ tail: 3 })).toEqual([37, 38, 39]);
    expect(await numbers({ tail: 2, stream: "stderr" })).toEqual([32, 36]);
    const since_ms = Date.parse("2026-01-31T09:00:37.000Z");
    expect(await numbers({ tail: null, since_ms })).toEqual([37, 38, 39]);
    expect(await numbers({ tail: null, since_ms, limit: 1 })).toEqual([37]);
    expect(await numbers({ tail: 1, since_ms })).toEqual([39]);
    expect(await numbers({ tail: 0 })).toEqual([]);
    expect(await numbers({ tail: 100 })).toHaveLength(40);
  });

  test("come in pages without loss or repeat, and a page is no larger than a message", async () => {
    for (let n = 0; n < 30; n++) write(`${n} ${"\u0001".repeat(8_000)}`);
    const seen: string[] = [];
    let after = "0.0";
    for (let more = true; more; ) {
      const page = await read({ after });
      expect(JSON.stringify(page).length).toBeLessThan(1_000_000);
      seen.push(...page.lines.map(({ text }) => text.split(" ")[0] ?? ""));
      after = page.position;
      more = page.has_more;
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => String(n)));
  });

  test("of no form, as another version kept them, are left out", async () => {
    appendFileSync(join(folder, "log"), `plain output\n${"x".repeat(200_000)}\n`);
    write("one");
    expect(await texts({ after: "0.0" })).toEqual(["one"]);
    expect(await texts()).toEqual(["one"]);
  });
});

describe("a full log", () => {
  test("is continued in another file without loss, also while no agent runs", async () => {
    write("one");
    const { position } = await read();
    write("two");
    beginFile();
    write("three");
    const page = await read({ after: position });
    expect(page.lines.map(({ text }) => text)).toEqual(["two", "three"]);
    expect(page.dropped).toBe(false);
    expect(await texts({ tail: 2 })).toEqual(["two", "three"]);
  });

  test("whose files are gone before they are read says that lines are lost, once, before the first line after them", async () => {
    write("one");
    const { position } = await read();
    beginFile();
    write("two");
    beginFile();
    write("lost");
    beginFile();
    write("four");
    const first = await read({ after: position });
    expect([first.lines.map(({ text }) => text), first.dropped, first.has_more]).toEqual([
      ["two"],
      false,
      true,
    ]);
    const second = await read({ after: first.position });
    expect([second.lines.map(({ text }) => text), second.dropped]).toEqual([["four"], true]);
    write("five");
    const third = await read({ after: second.position });
    expect([third.lines.map(({ text }) => text), third.dropped]).toEqual([["five"], false]);
  });

  test("keeps two files beside the one that grows, and says what a reader has missed of the others", async () => {
    for (let n = 0; n < 9; n++) {
      write(`${n}`);
      beginFile();
      maintainLog(folder);
    }
    expect(readdirSync(folder).filter((name) => /^log\.\d+$/.test(name))).toHaveLength(4);
    const page = await read({ after: "1.0" });
    expect([page.lines.map(({ text }) => text), page.dropped]).toEqual([["7", "8"], true]);
    expect((await read({ after: "0.0" })).dropped).toBe(true);
  });

  test("is not continued by another run of the container", async () => {
    write("x".repeat(3 * 1024 * 1024));
    const { position } = await read({ tail: 0 });
    prepareLog(folder);
    write("again");
    expect(await texts({ after: position })).toEqual(["again"]);
  });
});

describe("a reader that waits", () => {
  test("gets a line when it is written", async () => {
    const { position } = await read({ tail: 0 });
    const waiting = read({ after: position, wait_ms: 30_000 });
    write("now");
    expect((await waiting).lines.map(({ text }) => text)).toEqual(["now"]);
  });

  test("goes on past lines of another stream, and returns when its time is over", async () => {
    const { position } = await read({ tail: 0 });
    const waiting = read({ after: position, stream: "stderr", wait_ms: 30_000 });
    write("not this");
    write("this", "stderr");
    expect((await waiting).lines.map(({ text }) => text)).toEqual(["this"]);
    expect(await read({ after: position, stream: "stderr", wait_ms: 1, tail: null })).toMatchObject({
      dropped: false,
    });
  });
});

describe("a container that is still to be made", () => {
  const request = {
    container_id: "0".repeat(24),
    after: null,
    tail: 100,
    since_ms: null,
    stream: null,
  } as const;
  const FOLLOWED = { ...request, limit: 1_000 };

  test("has its first line at whoever waits for the log", async () => {
    let made: string | null = null;
    const page = readLogWhenMade(() => made, { ...FOLLOWED, wait_ms: 10_000 });
    write("first");
    made = folder;
    expect((await page).lines.map(({ text }) => text)).toEqual(["first"]);
  });

  test("is waited for as long as the request says, and looked for a few times alone", async () => {
    let looks = 0;
    const never = () => {
      looks++;
      return null;
    };
    const began = performance.now();
    const { lines, dropped } = await readLogWhenMade(never, { ...FOLLOWED, wait_ms: 300 });
    expect([lines, dropped]).toEqual([[], false]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(290);
    expect(looks).toBeLessThanOrEqual(10);
  });
});
