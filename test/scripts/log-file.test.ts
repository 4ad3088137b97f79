import { expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LogFile } from "../../scripts/log-file.ts";
import { LOG_BYTES_MAX } from "../../scripts/servers/server.ts";
import { temporaryFolder } from "../harness/servers.ts";

/** The logs of the processes that `npm start` runs. */

const isRoot = process.getuid?.() === 0;

test("a log is rotated when it is full, and one older file is kept", () => {
  const path = join(temporaryFolder(), "a.log");
  const log = new LogFile(path);
  log.write(new Uint8Array(LOG_BYTES_MAX + 1).fill(0x61));
  log.write(Buffer.from("second\n"));
  expect([statSync(`${path}.1`).size, readFileSync(path, "utf8")]).toEqual([LOG_BYTES_MAX + 1, "second\n"]);
  log.close();
  log.write(Buffer.from("late\n"));
  expect(readFileSync(path, "utf8")).toBe("second\n");
});

test.skipIf(!isRoot)("a full disk costs lines of a log, and not the process that writes them", () => {
  const disk = temporaryFolder();
  Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
  try {
    const log = new LogFile(join(disk, "a.log"));
    log.write(Buffer.from("before\n"));
    const filler = join(disk, "filler");
    expect(() => writeFileSync(filler, new Uint8Array(100_000))).toThrow("ENOSPC");
    const lost = Buffer.alloc(50_000, "lost\n");
    log.write(lost);
    log.write(lost);
    rmSync(filler);
    log.write(Buffer.from("after\n"));
    log.close();
    const said = readFileSync(join(disk, "a.log"), "utf8");
    expect(said).toStartWith("before\n");
    expect(said).toMatch(/\(\d+ bytes are missing here: the disk was full\)\nafter\n$/);
  } finally {
    Bun.spawnSync(["umount", disk]);
  }
});
