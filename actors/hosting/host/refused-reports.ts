import type { Logger } from "pino";
import { DroppedMessages } from "../../../schemas/received.ts";

/**
 * Why a report was refused. `failed`: its record could not be changed; `not_allowed`: its host may not report this;
 * `over_limit`: there were too many.
 */
export type Refusal = "failed" | "not_allowed" | "over_limit";

/** Counts refused reports by host and reason. The log has one line a minute for each host, without a stack. */
export class RefusedReports {
  readonly #counts = new Map<string, Map<Refusal, number>>();
  readonly #log: DroppedMessages;

  constructor(log: Logger) {
    this.#log = new DroppedMessages(({ kind: serverName, count, reason }) =>
      log.warn({ serverName, count, reason }, "reports of a host did nothing"),
    );
  }

  /** @param detail for the log: which record, and what was wrong */
  add(serverName: string, refusal: Refusal, detail: string): void {
    const counts = this.#counts.get(serverName) ?? new Map<Refusal, number>();
    this.#counts.set(serverName, counts.set(refusal, (counts.get(refusal) ?? 0) + 1));
    this.#log.add(serverName, `${refusal}: ${detail}`);
  }

  /** The counts since the start. */
  *counts(): Iterable<{ serverName: string; refusal: Refusal; count: number }> {
    for (const [serverName, counts] of this.#counts)
      for (const [refusal, count] of counts) yield { serverName, refusal, count };
  }
}
