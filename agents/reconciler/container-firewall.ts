import type { DesiredFirewall } from "../../schemas/hosting/desired.ts";
import type { ContainerSpec } from "../containers/driver.ts";
import { Backoff } from "../system/backoff.ts";
import type { Surroundings } from "./context.ts";
import type { ContainerRecord } from "./store.ts";

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;
const REASON_MAX = 500;

/** The firewall of one container: what is wanted, what is on record, and whether the kernel agrees. */
export class ContainerFirewall {
  #wanted: DesiredFirewall | null = null;
  /** Whether the kernel is known to hold what is on record. A new agent does not know. */
  #certain = false;
  /** The last try did not bring the kernel to what is on record: packets are held to something else, or to nothing. */
  #astray = false;
  /** Why the last try failed. */
  #error: string | null = null;
  /** Why the newest rules that came cannot be made out. */
  #complaint: string | null = null;
  #retryMs: number | null = null;
  /** What the kernel's table is to be like, for the rules that were last asked about. */
  #meant: { readonly desired: DesiredFirewall; readonly fingerprint: Promise<string> } | null = null;
  readonly #backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);

  constructor(
    private readonly id: string,
    private readonly around: Surroundings,
  ) {}

  /** When to try again, in milliseconds; null when nothing failed. */
  get retryMs(): number | null {
    return this.#retryMs;
  }

  /** Says what is on record to the one who applies rules, before any are applied. */
  announce({ firewall }: ContainerRecord, spec: ContainerSpec): void {
    const link = this.around.driver.link(spec);
    if (link && firewall) this.around.filter?.know(firewall.desired, link);
  }

  /** Takes what the control plane wants; false when it is not newer than what is known. */
  want(desired: DesiredFirewall, record: ContainerRecord | null): boolean {
    const known = this.#wanted ?? record?.firewall?.desired;
    if (known && desired.revision <= known.revision) return false;
    this.#wanted = desired;
    this.#backoff.reset();
    return true;
  }

  /** Reports rules that nobody can make out. Those in force stay. */
  complain(reason: string, record: ContainerRecord | null): void {
    this.#complaint = reason.slice(0, REASON_MAX);
    this.#report(record);
  }

  /**
   * Whether the kernel's table is not what the rules on record make; remembers it for the next `converge`.
   *
   * @param fingerprint of the table; null when there is none
   */
  async differs(record: ContainerRecord, spec: ContainerSpec, fingerprint: string | null): Promise<boolean> {
    if (!this.around.filter || !this.#certain) return false;
    try {
      if ((await this.#expected(record, spec)) === fingerprint || !this.#certain) return false;
    } catch (error) {
      this.around.log.error(
        { container: this.id, error: String(error) },
        "it cannot be told whether its firewall is in force",
      );
      return false;
    }
    // It may have been changed by `converge` meanwhile, which looks again before it does anything.
    this.#certain = false;
    return true;
  }

  /** Why the container would be more open than its owner wants if it ran now; null when it would not. */
  problem(record: ContainerRecord): string | null {
    if (!this.around.filter) return null;
    const closed = record.firewall?.desired.attached ?? false;
    if (this.#certain && (closed || !this.#wanted?.attached)) return null;
    return this.#reason ?? "it is not in force yet";
  }

  /**
   * Puts the newest rules in force that the kernel takes, and reports. Never throws: what failed is in the report,
   * and in `retryMs`.
   *
   * @returns the record with the rules in force, as it was saved
   */
  async converge(record: ContainerRecord, spec: ContainerSpec): Promise<ContainerRecord> {
    let now = record;
    this.#retryMs = null;
    try {
      if (!this.#certain) now = await this.#restore(now, spec);
      this.#astray = false;
      // What is wanted may change while the kernel works: as long as it is newer, it is next.
      for (let wanted = this.#wanted; wanted !== null; wanted = this.#wanted) {
        now = await this.#putInForce(now, wanted, spec);
        if (this.#wanted === wanted) this.#wanted = null;
        this.#error = null;
        this.#complaint = null;
        this.#report(now);
      }
      this.#error = null;
      this.#backoff.reset();
    } catch (error) {
      this.#error = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX);
      this.#astray = !this.#certain;
      this.#retryMs = this.#backoff.next();
      this.around.log.error(
        { container: this.id, error: this.#error },
        "firewall rules could not be applied",
      );
    }
    this.#report(now);
    return now;
  }

  /** Removes its table: the container is gone, or stopped with its agent. */
  async remove(): Promise<void> {
    await this.around.filter?.detach(this.id);
    this.#wanted = null;
  }

  /** Brings the kernel to what is on record, whatever happened to its table meanwhile. */
  async #restore(record: ContainerRecord, spec: ContainerSpec): Promise<ContainerRecord> {
    const { filter, log } = this.around;
    if (!filter) return record;
    const applied = record.firewall;
    // When it cannot be told what the table should be like, it is made anew.
    const [present, expected] = await Promise.all([
      filter.inspect(this.id).then((table) => table?.fingerprint ?? null),
      this.#expected(record, spec).catch(() => undefined),
    ]);
    if (present === expected) {
      this.#certain = true;
      return record;
    }
    log.warn({ container: this.id }, "the kernel's rules are not those on record: putting them back");
    const restored = applied
      ? await this.#putInForce(record, applied.desired, spec)
      : await filter.detach(this.id).then(() => record);
    this.#certain = true;
    return restored;
  }

  async #putInForce(
    record: ContainerRecord,
    desired: DesiredFirewall,
    spec: ContainerSpec,
  ): Promise<ContainerRecord> {
    await this.#toKernel(desired, spec);
    // On record before it is reported: what was promised holds after a power cut too.
    const now = { ...record, firewall: { desired } };
    await this.around.store.save(now);
    return now;
  }

  async #toKernel(desired: DesiredFirewall, spec: ContainerSpec): Promise<void> {
    const { filter, driver } = this.around;
    const link = driver.link(spec);
    if (!filter || !link) return;
    if (!desired.attached) await filter.detach(this.id);
    else if (this.#certain) await filter.apply(desired, link);
    else await filter.restore(desired, link);
  }

  /** The fingerprint that the kernel's table should have; null when there should be none. */
  async #expected({ firewall }: ContainerRecord, spec: ContainerSpec): Promise<string | null> {
    const { filter, driver } = this.around;
    const link = driver.link(spec);
    if (!filter || !link || !firewall?.desired.attached) return null;
    const { desired } = firewall;
    if (this.#meant?.desired !== desired) {
      const fingerprint = filter.expect(desired, link);
      this.#meant = { desired, fingerprint };
      // Not kept when it failed: the next one asks again.
      fingerprint.catch(() => {
        this.#meant = null;
      });
    }
    return this.#meant.fingerprint;
  }

  get #reason(): string | null {
    return this.#error ?? this.#complaint;
  }

  #report(record: ContainerRecord | null): void {
    const revision = record?.firewall?.desired.revision;
    if (revision === undefined && this.#reason === null) return;
    this.around.reportFirewall(this.id, {
      revision: revision ?? 0,
      enforced: this.around.filter !== null && !this.#astray,
      error: this.#reason,
    });
  }
}
