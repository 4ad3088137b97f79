import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { TerminalOpened } from "../../schemas/hosting/desired.ts";
import { openingKey } from "../../schemas/subjects.ts";
import { Backoff } from "../../system/backoff.ts";

/** Interval of reports for one user in one container: further openings are a count in the next report. */
const REPORT_EVERY_MS = 60_000;
/** Pairs of user and container with a pending report. Above this, openings are only logged by the agent. */
const WINDOWS_MAX = 1_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Time for the last reports while the agent stops. */
const LAST_MS_MAX = 1_000;

type Put = (key: string, value: string) => Promise<void>;

interface Window {
  /** Not reported yet. */
  pending: TerminalOpened | undefined;
  isBusy: boolean;
}

/**
 * Reports opened terminals to the control plane: the first at once, those that a user opens in the same container within a minute
 * together, each report until it is stored.
 */
export class TerminalAuditLog {
  readonly #windows = new Map<string, Window>();
  #put: Put | undefined;
  #isClosed = false;

  constructor(
    private readonly log: Logger,
    private readonly everyMs = REPORT_EVERY_MS,
  ) {}

  record(containerId: string, userId: string, terminalId: number): void {
    const of = `${containerId} ${userId}`;
    const window = this.#windows.get(of) ?? { pending: undefined, isBusy: false };
    if (!this.#windows.has(of) && this.#windows.size >= WINDOWS_MAX) {
      this.log.warn(
        { container: containerId, user: userId },
        "an opened terminal is not reported: too many reports are pending",
      );
      return;
    }
    this.#windows.set(of, window);
    window.pending = {
      container_id: containerId,
      user_id: userId,
      terminal_id: terminalId,
      count: (window.pending?.count ?? 0) + 1,
      opened_at: window.pending?.opened_at ?? new Date().toISOString(),
    };
    void this.#report(of, window);
  }

  /** Begins to send, first the waiting reports. @param put resolves when the value is stored */
  connect(put: Put): void {
    this.#put = put;
    for (const [of, window] of this.#windows) void this.#report(of, window);
  }

  /** Sends the remaining reports, within a second. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#windows.values()].flatMap(({ pending: gathered }) => gathered ?? []);
    this.#windows.clear();
    const told = left.map((opening) => this.#put?.(keyOf(opening), JSON.stringify(opening)));
    await Promise.race([Promise.allSettled(told), Bun.sleep(LAST_MS_MAX)]);
  }

  async #report(of: string, window: Window): Promise<void> {
    if (window.isBusy || this.#put === undefined) return;
    window.isBusy = true;
    while (window.pending !== undefined && !this.#isClosed) {
      const opening = window.pending;
      window.pending = undefined;
      await this.#store(opening);
      await Bun.sleep(this.everyMs);
    }
    this.#windows.delete(of);
  }

  async #store(opening: TerminalOpened): Promise<void> {
    const key = keyOf(opening);
    const backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
    for (;;) {
      try {
        await this.#put?.(key, JSON.stringify(opening));
        return;
      } catch (error) {
        if (this.#isClosed) return;
        if (backoff.failures === 0) this.log.warn({ key, error: String(error) }, "a report waits");
        await Bun.sleep(backoff.next());
      }
    }
  }
}

const keyOf = ({ container_id }: TerminalOpened): string =>
  openingKey(container_id, randomBytes(12).toString("hex"));
