import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../harness/until.ts";
import { machineWith, rawClient, SCRIPT_MS_MAX, startFileService } from "./file-service.ts";

test("an empty file is an empty file, and what is not there is not found", async () => {
  await using files = await startFileService();
  writeFileSync(join(files.folder, "empty"), "");
  expect(await (await files.get("empty")).text()).toBe("");
  for (const path of ["nothing", ".", "/proc/1/mem/x"]) {
    expect({ path, status: (await files.get(path)).status }).toEqual({ path, status: 404 });
  }
  expect((await files.get("")).status).toBe(400);
});

describe("of a file that is not as long as it says", () => {
  test("what could be read is what comes", async () => {
    await using files = await startFileService();
    for (const path of [
      "/proc/version",
      "/proc/filesystems",
      "/sys/kernel/mm/transparent_hugepage/enabled",
    ]) {
      if (!existsSync(path)) continue;
      expect({ path, text: await (await files.get(path)).text() }).toEqual({
        path,
        text: readFileSync(path, "utf8"),
      });
    }
  });

  /** More than all that is between who reads a file and who takes it. */
  const long = 64 << 20;

  test("as much comes of a log that grows meanwhile as there was", async () => {
    await using files = await startFileService();
    const log = join(files.folder, "log");
    writeFileSync(log, Buffer.alloc(long, "a"));
    const reader = (await files.get("log")).body?.getReader();
    let bytes = (await reader?.read())?.value?.length ?? 0;
    appendFileSync(log, "more");
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) break;
      bytes += value?.length ?? 0;
    }
    expect(bytes).toBe(long);
  });

  test("what is cut meanwhile breaks off, and does not look whole", async () => {
    await using files = await startFileService();
    const log = join(files.folder, "log");
    writeFileSync(log, Buffer.alloc(long, "a"));
    const client = rawClient(files.service.origin);
    client.socket.once("data", () => {
      client.socket.pause();
      truncateSync(log, 1000);
      client.socket.resume();
    });
    const { host } = new URL(files.service.origin);
    client.socket.write(`GET ${files.path}?path=log HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await until(() => client.isOver);
    expect(client.answer).toStartWith("HTTP/1.1 200");
    expect(client.answer.length).toBeLessThan(long);
    expect(client.answer).not.toEndWith("\r\n0\r\n\r\n");
  });
});

describe("a machine whose programs mean harm", () => {
  test("and write for ever give as many bytes as they announced", async () => {
    await using files = await startFileService({}, { target: machineWith("echo 10; exec yes 12345678") });
    expect(await (await files.get("x")).text()).toBe("12345678\n1");
  });

  test.each([
    ["have neither a size nor an end", "echo 0; exec cat /dev/zero"],
    ["bring a byte now and then", "echo 100; while :; do printf x; sleep 0.1; done"],
    ["stop in the middle", "echo 100; echo beginning; exec sleep 1000"],
    ["end in the middle", "echo 100; echo beginning; exit 25"],
  ])("and %s break off", async (_, script) => {
    await using files = await startFileService({}, { target: machineWith(script), fileMsMax: SCRIPT_MS_MAX });
    // The end may come before the client has read the head, which it then never shows.
    const response = await files.get("x").catch(() => undefined);
    expect(response?.status ?? 200).toBe(200);
    expect((await response?.arrayBuffer().catch(() => undefined)) ?? "broke off").toBe("broke off");
  });

  test.each([
    ["say no size", "exec sleep 1000", 504, "FILE_TIMEOUT", "brought nothing of the file for 3 s"],
    ["close their output and hang", "exec >&-; exec sleep 1000", 504, "FILE_TIMEOUT", "for 3 s"],
    ["say what is no size", "exec yes ''", 502, "FILES_UNAVAILABLE", "did not say how long the file is"],
    ["say a size that is none", "echo 99999999999999999999", 502, "FILES_UNAVAILABLE", "how long"],
    ["end well without a word", "exit 0", 409, "FILES_UNAVAILABLE", "could not be taken"],
  ])("and %s are given up", async (_, script, status, code, message) => {
    await using files = await startFileService({}, { target: machineWith(script), fileMsMax: SCRIPT_MS_MAX });
    const response = await files.get("x");
    const answer = (await response.json()) as { code: string; message: string };
    expect([response.status, answer.code]).toEqual([status, code]);
    expect(answer.message).toContain(message);
  });
});
