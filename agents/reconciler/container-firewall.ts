import type { DesiredFirewall } from "../../schemas/hosting/desired.ts";
import { Backoff } from "../../system/backoff.ts";
import { workFor } from "../../system/tracing/for-origin.ts";
import type { ContainerSpec } from "../containers/driver.ts";
import type { Context } from "./context.ts";
import { toReportText } from "./report-text.ts";
import type { ContainerRecord } from "./store.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** The firewall of one container: its desired rules, its recorded rules, and whether the kernel agrees. */
export class ContainerFirewall {
  #pending: DesiredFirewall | null = null;
  /** Whether the kernel is known to have the recorded rules. A new agent does not know. */
  #isInSync = false;
  /** Whether the last attempt failed to apply the recorded rules: the kernel has other rules, or none. */
  #hasDrifted = false;
  /** Why the last attempt failed. */
  #error: string | null = null;
  /** Why the newest rules cannot be read. */
  #specError: string | null = null;
  #retryMs: number | null = null;
  /** The expected fingerprint of the kernel's table, for the rules of the last call. */
  #lastExpected: { readonly desired: DesiredFirewall; readonly fingerprint: Promise<string> } | null = null;
  readonly #backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);

  constructor(
    private readonly id: string,
    private readonly context: Context,
  ) {}

  /** When to try again, in milliseconds; null when nothing failed. */
  get retryMs(): number | null {
    return this.#retryMs;
  }

  /** Seeds the packet filter's cache with the recorded rules, before any are applied. */
  seedCache({ firewall }: ContainerRecord, spec: ContainerSpec): void {
    const endpoint = this.context.driver.vethEndpoint(spec);
    if (endpoint && firewall) this.context.filter?.seedCache(firewall.desired, endpoint);
  }

  /** Sets the desired rules. False when they are not newer than the known ones. */
  setDesired(desired: DesiredFirewall, record: ContainerRecord | null): boolean {
    const known = this.#pending ?? record?.firewall?.desired;
    if (known && desired.revision <= known.revision) return false;
    this.#pending = desired;
    this.#backoff.reset();
    return true;
  }

  /** Reports rules that cannot be read. The applied rules stay in force. */
  reportInvalidSpec(reason: string, record: ContainerRecord | null): void {
    this.#specError = toReportText(reason);
    this.#report(record);
  }

  /**
   * Whether the kernel's table differs from the recorded rules, which is remembered for the next `converge`; unknown while they are not
   * in force yet.
   *
   * @param fingerprint of the table; null when there is none
   */
  async compare(
    record: ContainerRecord,
    spec: ContainerSpec,
    fingerprint: string | null,
  ): Promise<"in sync" | "drifted" | "unknown"> {
    if (!this.context.filter || !this.#isInSync) return "unknown";
    try {
      const expected = await this.#expected(record, spec);
      if (!this.#isInSync) return "unknown";
      if (expected === fingerprint) return "in sync";
    } catch (error) {
      this.context.log.error(
        { container: this.id, error: String(error) },
        "its firewall's state cannot be compared with its rules",
      );
      return "unknown";
    }
    // `converge` may have changed the table meanwhile; it compares again before it changes anything.
    this.#isInSync = false;
    return "drifted";
  }

  /** Why the container would be more open than its owner wants if it ran now; null when it would not. */
  blockingReason(record: ContainerRecord): string | null {
    if (!this.context.filter) return null;
    const closed = record.firewall?.desired.attached ?? false;
    if (this.#isInSync && (closed || !this.#pending?.attached)) return null;
    return this.#reason ?? "it is not in force yet";
  }

  /**
   * Applies the newest rules that the kernel accepts, and reports. Never throws: a failure is in the report and in
   * `retryMs`.
   *
   * @returns the record with the rules in force, as it was saved
   */
  async converge(record: ContainerRecord, spec: ContainerSpec): Promise<ContainerRecord> {
    let now = record;
    this.#retryMs = null;
    try {
      if (!this.#isInSync) now = await this.#restore(now, spec);
      this.#hasDrifted = false;
      // The desired rules may change during the change in the kernel: newer ones are applied next.
      for (let wanted = this.#pending; wanted !== null; wanted = this.#pending) {
        now = await this.#applyFor(now, wanted, spec);
        if (this.#pending === wanted) this.#pending = null;
        this.#error = null;
        this.#specError = null;
        this.#report(now);
      }
      this.#error = null;
      this.#backoff.reset();
    } catch (error) {
      this.#error = toReportText(error instanceof Error ? error.message : String(error));
      this.#hasDrifted = !this.#isInSync;
      this.#retryMs = this.#backoff.next();
      this.context.log.error(
        { container: this.id, error: this.#error, request_id: this.#pending?.origin?.request_id },
        "firewall rules could not be applied",
      );
    }
    this.#report(now);
    return now;
  }

  /** Removes its table: the container is gone, or stopped with its agent. */
  async remove(): Promise<void> {
    await this.context.filter?.detach(this.id);
    this.#pending = null;
  }

  /** Restores the recorded rules in the kernel, whatever happened to its table. */
  async #restore(record: ContainerRecord, spec: ContainerSpec): Promise<ContainerRecord> {
    const { filter, log } = this.context;
    if (!filter) return record;
    const applied = record.firewall;
    // When the expected fingerprint is unknown, the table is rebuilt.
    const [present, expected] = await Promise.all([
      filter.inspect(this.id).then((table) => table?.fingerprint ?? null),
      this.#expected(record, spec).catch(() => undefined),
    ]);
    if (present === expected) {
      this.#isInSync = true;
      return record;
    }
    log.warn({ container: this.id }, "firewall drifted: restoring the rules on record");
    this.context.countFirewallRepair();
    const restored = applied
      ? await this.#apply(record, applied.desired, spec)
      : await filter.detach(this.id).then(() => record);
    this.#isInSync = true;
    return restored;
  }

  #applyFor(record: ContainerRecord, wanted: DesiredFirewall, spec: ContainerSpec): Promise<ContainerRecord> {
    const attributes = { container: this.id, revision: wanted.revision };
    return workFor({ ...this.context, origin: wanted.origin }, "apply firewall", attributes, () =>
      this.#apply(record, wanted, spec),
    );
  }

  async #apply(
    record: ContainerRecord,
    desired: DesiredFirewall,
    spec: ContainerSpec,
  ): Promise<ContainerRecord> {
    const now = { ...record, firewall: { desired } };
    const applying = this.#applyToKernel(desired, spec);
    // Written while the kernel takes the rules, and the record only once it has them.
    const preparing = this.context.store.prepare(now);
    // A record has one writer at a time: also where the kernel refuses the rules, the writing ends before anything else.
    await Promise.allSettled([applying, preparing]);
    await applying;
    // Recorded before it is reported, so that a reported revision survives a power cut.
    await (await preparing).replace();
    return now;
  }

  async #applyToKernel(desired: DesiredFirewall, spec: ContainerSpec): Promise<void> {
    const { filter, driver } = this.context;
    const endpoint = driver.vethEndpoint(spec);
    if (!filter || !endpoint) return;
    if (!desired.attached) await filter.detach(this.id);
    else if (this.#isInSync) await filter.apply(desired, endpoint);
    else await filter.restore(desired, endpoint);
  }

  /** The fingerprint that the kernel's table should have; null when there should be none. */
  async #expected({ firewall }: ContainerRecord, spec: ContainerSpec): Promise<string | null> {
    const { filter, driver } = this.context;
    const endpoint = driver.vethEndpoint(spec);
    if (!filter || !endpoint || !firewall?.desired.attached) return null;
    const { desired } = firewall;
    if (this.#lastExpected?.desired !== desired) {
      const fingerprint = filter.expect(desired, endpoint);
      this.#lastExpected = { desired, fingerprint };
      // A failure is not cached: the next call tries again.
      fingerprint.catch(() => {
        this.#lastExpected = null;
      });
    }
    return this.#lastExpected.fingerprint;
  }

  get #reason(): string | null {
    return this.#error ?? this.#specError;
  }

  #report(record: ContainerRecord | null): void {
    const revision = record?.firewall?.desired.revision;
    if (revision === undefined && this.#reason === null) return;
    this.context.reportFirewall(this.id, {
      revision: revision ?? 0,
      enforced: this.context.filter !== null && !this.#hasDrifted,
      error: this.#reason,
    });
  }
}
