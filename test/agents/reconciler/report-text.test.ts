import { expect, test } from "bun:test";
import { pino } from "pino";
import { ContainerError, type StartedInit } from "../../../agents/containers/driver.ts";
import { DEFAULT_LIMITS } from "../../../agents/containers/limits.ts";
import { ProcessDriver } from "../../../agents/containers/process/driver.ts";
import { HostReconciler } from "../../../agents/reconciler/reconciler.ts";
import { ContainerStatus, REPORT_LENGTH_MAX } from "../../../schemas/hosting/desired.ts";
import { storableJsonOf } from "../../../schemas/received.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { newId } from "../network/nft/rules.ts";

/** What its program has said goes into the reason. */
class FailingDriver extends ProcessDriver {
  constructor(readonly said: string) {
    super(null);
  }
  override async start(): Promise<StartedInit> {
    throw new ContainerError(`its init could not be started: ${this.said}`);
  }
}

test.each([
  ["a flood", "x".repeat(100_000)],
  ["characters of two halves, cut in the middle of one", `y${"\u{1f600}".repeat(50_000)}`],
  ["the same, cut at the other half", "\u{1f600}".repeat(50_000)],
  ["zeros and control characters", `a\0b\x1b[31m\r\n${"\0".repeat(5_000)}`],
  ["what turns the text after it", "a\u202eb\u2066c\u2028d\u200f"],
  ["half a character", "\ud83d broken \ude00"],
])(
  "a container whose program says %s is reported as failed, in a report that can be stored",
  async (_, said) => {
    const reports: object[] = [];
    const server = "node-1";
    const reconciler = new HostReconciler({
      server,
      driver: new FailingDriver(said),
      filter: null,
      limits: DEFAULT_LIMITS,
      data: temporaryFolder(),
      reports: { container: (_id, status) => void reports.push(status), firewall: () => undefined },
      log: pino({ level: "silent" }),
    });
    await reconciler.start();
    const id = newId();
    reconciler.desire(`container.${id}`, {
      revision: 1,
      server_name: server,
      id,
      project_id: newId(),
      name: "web",
      state: "running",
      generation: 0,
      command: [],
    });
    await until(() => reports.length > 1);
    await reconciler.close();
    const text = JSON.stringify({ ...reports.at(-1), reported_at: new Date().toISOString() });
    const received = storableJsonOf(ContainerStatus, REPORT_LENGTH_MAX)(text);
    const status = "value" in received ? received.value : received;
    expect(status).toMatchObject({ state: "error" });
    const error = "error" in status ? (status.error ?? "") : "";
    expect(error.length).toBeLessThanOrEqual(1_000);
    expect(error).not.toMatch(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  },
);
