import { expect, test } from "bun:test";
import type { Logger } from "pino";
import { RefusedReports } from "../../../../actors/hosting/host/refused-reports.ts";
import { measureRefusedReports } from "../../../../actors/platform/metrics.ts";
import { Registry } from "../../../../system/prometheus.ts";

test("refused reports are counted by host and reason, and each host has one line in the log at a time", async () => {
  const lines: unknown[] = [];
  const refused = new RefusedReports({ warn: (line: unknown) => lines.push(line) } as unknown as Logger);
  for (let n = 0; n < 500; n++) {
    refused.add("node-1", "failed", `container.${n}: constraint`);
    refused.add("node-1", "over_limit", `container.${n}`);
  }
  refused.add("node-2", "not_allowed", "container.a");
  expect(lines).toEqual([
    { serverName: "node-1", count: 1, reason: "failed: container.0: constraint" },
    { serverName: "node-2", count: 1, reason: "not_allowed: container.a" },
  ]);
  const registry = new Registry();
  measureRefusedReports(registry, () => refused.counts());
  const text = await registry.metrics();
  for (const [server, reason, count] of [
    ["node-1", "failed", 500],
    ["node-1", "over_limit", 500],
    ["node-2", "not_allowed", 1],
  ])
    expect(text).toContain(
      `berth_host_reports_refused_total{server_name="${server}",reason="${reason}"} ${count}\n`,
    );
});
