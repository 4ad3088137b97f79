import type { CommitMonitor } from "./commit-monitor.ts";

/** After this time the kernel's rules are compared again, in case a change was not announced. */
const BACKSTOP_MS = 60_000;

/** What of the kernel's rules was compared last: while nobody has changed any rules, they need not be read again. */
export class ComparedRules {
  #changes: number | undefined;
  #expected = "";
  #untilMs = 0;

  constructor(private readonly backstopMs = BACKSTOP_MS) {}

  /**
   * Whether the kernel's rules are as expected.
   *
   * @param monitor of changes; without one, or while it does not run, the rules are compared each time
   * @param expected stands for what they are compared with
   * @param compare reads and compares them
   */
  async isInSync(
    monitor: CommitMonitor | undefined,
    expected: string,
    compare: () => Promise<boolean>,
  ): Promise<boolean> {
    // From before the comparison, which may not see what changes in the meantime.
    const changes = monitor?.changes;
    const isKnown =
      changes !== undefined &&
      changes === this.#changes &&
      expected === this.#expected &&
      performance.now() < this.#untilMs;
    if (isKnown) return true;
    const untilMs = performance.now() + this.backstopMs;
    this.#changes = undefined;
    if (!(await compare())) return false;
    this.#changes = changes;
    this.#expected = expected;
    this.#untilMs = untilMs;
    return true;
  }
}
