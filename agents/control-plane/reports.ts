import type { Logger } from "pino";
import type {
  ContainerStatus,
  DesiredContainer,
  FirewallStatus,
  ShareStatus,
} from "../../schemas/hosting/desired.ts";
import { desiredKey } from "../../schemas/subjects.ts";
import { Backoff } from "../../system/backoff.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import type { Reported } from "../reconciler/context.ts";
import type { Reports } from "../reconciler/reconciler.ts";

type Status = Reported<ContainerStatus> | Reported<FirewallStatus> | Reported<ShareStatus>;

const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Deleted containers and shares whose last report is kept, to be sent again if the control plane lost it. */
const FINAL_MAX = 1_000;

const CONTAINER_KEYS = desiredKey("container", "");

interface ReportEntry {
  status: Status;
  text: string;
  /** Whether it is not stored in the bucket yet. */
  pending: boolean;
  sending: boolean;
}

/**
 * Sends this host's reports: the newest state of each key until it is stored, one message at a time for each key.
 * Unchanged states are not sent again, and a newer state replaces a waiting one.
 */
export class Reporter implements Reports {
  readonly #entries = new Map<string, ReportEntry>();
  readonly #final = new BoundedMap<string, true>(FINAL_MAX, (key) => this.#entries.delete(key));
  #put: ((key: string, value: string) => Promise<void>) | null = null;
  #closed = false;

  constructor(private readonly log: Logger) {}

  container(id: DesiredContainer["id"], status: Reported<ContainerStatus>): void {
    const key = desiredKey("container", id);
    this.#report(key, status);
    if (status.state === "deleted") {
      this.#entries.delete(desiredKey("firewall", id));
      this.#final.set(key, true);
    }
  }

  firewall(id: DesiredContainer["id"], status: Reported<FirewallStatus>): void {
    this.#report(desiredKey("firewall", id), status);
  }

  share(id: string, status: Reported<ShareStatus>): void {
    const key = desiredKey("share", id);
    this.#report(key, status);
    if (status.state === "deleted") this.#final.set(key, true);
  }

  /** Begins to send, first the waiting reports. @param put resolves when the value is stored */
  connect(put: (key: string, value: string) => Promise<void>): void {
    this.#put = put;
    for (const key of this.#entries.keys()) void this.#send(key);
  }

  /** How many containers are in each state, as last reported. */
  containerStates(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [key, { status }] of this.#entries) {
      if (!key.startsWith(CONTAINER_KEYS) || !("state" in status) || status.state === "deleted") continue;
      counts.set(status.state, (counts.get(status.state) ?? 0) + 1);
    }
    return counts;
  }

  /** Reports that the control plane has not stored yet. */
  get pending(): number {
    return [...this.#entries.values()].filter(({ pending }) => pending).length;
  }

  /** Sends all reports again, since the bucket may have been lost. */
  repeat(): void {
    for (const [key, entry] of this.#entries) {
      entry.pending = true;
      void this.#send(key);
    }
  }

  close(): void {
    this.#closed = true;
  }

  #report(key: string, status: Status): void {
    const text = JSON.stringify(status);
    const known = this.#entries.get(key);
    if (known?.text === text) return;
    if (known) Object.assign(known, { status, text, pending: true });
    else this.#entries.set(key, { status, text, pending: true, sending: false });
    void this.#send(key);
  }

  async #send(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry || entry.sending || !this.#put) return;
    entry.sending = true;
    const backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
    while (entry.pending && !this.#closed) {
      const sent = entry.text;
      entry.pending = false;
      try {
        await this.#put(key, JSON.stringify({ ...entry.status, reported_at: new Date().toISOString() }));
        backoff.reset();
      } catch (error) {
        entry.pending = true;
        // A missing bucket is normal while the control plane starts.
        if (backoff.failures === 0) this.log.warn({ key, error: String(error) }, "a report waits");
        const waitMs = backoff.next();
        if (entry.text === sent) await Bun.sleep(waitMs);
      }
    }
    entry.sending = false;
  }
}
