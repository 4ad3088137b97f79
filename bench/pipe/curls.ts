import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../test/harness/until.ts";
import type { Measurement } from "../benchmark.ts";
import { cpuSeconds } from "../cpu.ts";
import { type Contender, descriptors } from "./contenders.ts";

/** A file of zeros that takes no place on the disk: what is measured is the way, not the disk. */
export function sparseFile(bytes: number): { readonly path: string; readonly bytes: number; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "berth-bench-"));
  const path = join(folder, "zeros");
  writeFileSync(path, "");
  truncateSync(path, bytes);
  return { path, bytes, remove: () => rmSync(folder, { recursive: true }) };
}

export type SparseFile = ReturnType<typeof sparseFile>;

/** @param stderr `ignore` where it is known to end without an answer */
export const upload = (file: SparseFile, url: string, stderr: "inherit" | "ignore" = "inherit") =>
  // Without a wait for 100 Continue, which would be measured too.
  Bun.spawn(["curl", "-sS", "-o", "/dev/null", "-H", "Expect:", "-T", file.path, url], {
    stdio: ["ignore", "ignore", stderr],
  });

let transfers = 0;

/**
 * Sends a file by curl to `n` receivers that are there already, each a curl.
 * @throws Error when a receiver did not get all of it
 */
export async function measureTransfer(one: Contender, file: SparseFile, n: number): Promise<Measurement> {
  const url = `http://127.0.0.1:${one.port}${one.path(`bench-${++transfers}`, n)}`;
  const before = descriptors(one.pid);
  const receivers = Array.from({ length: n }, () =>
    Bun.spawn(["curl", "-sS", "-o", "/dev/null", "-w", "%{size_download}", url], { stdout: "pipe" }),
  );
  await until(() => descriptors(one.pid) >= before + n);
  const cpu = cpuSeconds(one.pid);
  const startedAt = performance.now();
  const sender = upload(file, url);
  const sizes = await Promise.all(receivers.map(({ stdout }) => new Response(stdout).text()));
  const seconds = (performance.now() - startedAt) / 1_000;
  await sender.exited;
  if (sizes.some((size) => Number(size) !== file.bytes)) {
    throw new Error(`${one.name}: of ${file.bytes} bytes, receivers got ${sizes.join(", ")}`);
  }
  await until(() => descriptors(one.pid) <= before);
  return rate((file.bytes * n) / 1e6, seconds, { [one.name]: cpuSeconds(one.pid) - cpu });
}

/** @param cpu seconds, by the name of the process */
export function rate(count: number, seconds: number, cpu: Readonly<Record<string, number>>): Measurement {
  const cpuMsPerThousand = Object.fromEntries(
    Object.entries(cpu).map(([name, spent]) => [name, (spent / count) * 1e6]),
  );
  const untimed = { p50Ms: Number.NaN, p95Ms: Number.NaN, p99Ms: Number.NaN };
  return { perSecond: count / seconds, ...untimed, cpuMsPerThousand };
}
