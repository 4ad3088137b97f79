import { afterEach, describe, expect, test } from "bun:test";
import { readLog } from "../../../../agents/containers/logs/read-log.ts";
import { until } from "../../../harness/until.ts";
import { type LoneAgent, startLoneAgent } from "../../lone-agent.ts";
import { lacks } from "../../requirements.ts";

/** The log that conmon really writes; `logs/log.test.ts` has the rest. */

describe.skipIf(lacks("root", "nft", "ip", "oci"))("the log of an isolated container", () => {
  let agent: LoneAgent;
  afterEach(() => agent.stop());

  test("goes over into another file without the loss of a line, and both streams are in it", async () => {
    const lines = 60_000;
    const line = `seq -f '%.0f ${"x".repeat(70)}' ${lines}; echo last >&2; exec sleep 1000`;
    agent = await startLoneAgent(["sh", "-c", line]);
    const page = (after: string | null, tail: number | null, stream: "stdout" | "stderr" | null = null) =>
      readLog(agent.folder, {
        ...{ container_id: agent.id, after, tail, since_ms: null, stream },
        ...{ limit: 1_000, wait_ms: 0 },
      });
    // The streams are two pipes, so what was written last may come before the end of the other.
    await until(async () => (await page(null, 1, "stderr")).lines[0]?.text === "last", { everyMs: 50 });
    await until(async () => (await page(null, 1, "stdout")).lines[0]?.text.startsWith(`${lines} `), {
      everyMs: 50,
    });
    let expected = 1;
    // A line that the other stream interrupts comes in pieces.
    let begun = "";
    let files = new Set<string>();
    for (let after = "0.0", more = true; more; ) {
      const { lines: found, position, has_more, dropped } = await page(after, null);
      expect(dropped).toBe(false);
      for (const { text, partial } of found.filter(({ stream }) => stream === "stdout")) {
        begun += text;
        if (partial) continue;
        expect(Number.parseInt(begun, 10)).toBe(expected++);
        begun = "";
      }
      files = files.add(position.split(".")[0] ?? "");
      [after, more] = [position, has_more];
    }
    expect(expected).toBe(lines + 1);
    expect(files.size).toBeGreaterThan(1);
  });
});
