import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { isAliasLabel } from "../../schemas/hosting/alias.ts";
import { DesiredAlias } from "../../schemas/hosting/desired.ts";
import { writeAtomically } from "../../system/atomic-file.ts";
import { Backoff } from "../../system/backoff.ts";

/** Files that are read or written at once. */
const AT_ONCE_MAX = 32;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 10_000;
const SUFFIX = ".json";

/**
 * A file for each label, `<data>/aliases/<alias>.json`: for people and programs to read, and for the start of this
 * agent without a control plane. Each file is written atomically after a change of the table.
 */
export class AliasFiles {
  readonly #folder: string;
  /** Labels whose file may differ from the table. */
  readonly #waiting = new Set<string>();
  #writing: Promise<void> | null = null;
  #closed = false;

  constructor(
    data: string,
    private readonly holder: (label: string) => DesiredAlias | undefined,
    private readonly log: Logger,
  ) {
    this.#folder = join(data, "aliases");
  }

  /** Reads the files, by the label in their name. A file that cannot be read is logged and left alone. */
  async load(): Promise<{ label: string; alias: DesiredAlias }[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(SUFFIX));
    const found: { label: string; alias: DesiredAlias }[] = [];
    for (let at = 0; at < names.length; at += AT_ONCE_MAX) {
      const read = await Promise.all(names.slice(at, at + AT_ONCE_MAX).map((name) => this.#read(name)));
      found.push(...read.filter((one) => one !== undefined));
    }
    return found;
  }

  /** Writes the files of these labels, whose targets have changed. */
  touch(labels: readonly string[]): void {
    for (const label of labels) this.#waiting.add(label);
    if (this.#waiting.size > 0 && !this.#closed) this.#writing ??= this.#write();
  }

  /** Settles when the files agree with the table. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Ends, after one attempt to write the remaining files. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settled();
  }

  async #read(name: string): Promise<{ label: string; alias: DesiredAlias } | undefined> {
    const label = name.slice(0, -SUFFIX.length);
    try {
      const alias: unknown = JSON.parse(await readFile(join(this.#folder, name), "utf8"));
      if (!Value.Check(DesiredAlias, alias) || alias.alias !== label || !isAliasLabel(label)) {
        throw new Error("it has another form");
      }
      return { label, alias };
    } catch (error) {
      this.log.error({ file: name, error: String(error) }, "an alias file cannot be read");
      return undefined;
    }
  }

  async #write(): Promise<void> {
    const backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
    // One turn later, so that simultaneous changes are written together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const labels = [...this.#waiting].slice(0, AT_ONCE_MAX);
      for (const label of labels) this.#waiting.delete(label);
      const failed = (await Promise.all(labels.map((label) => this.#sync(label)))).filter((one) => !one.done);
      if (failed.length === 0) {
        backoff.reset();
        continue;
      }
      if (backoff.failures === 0)
        this.log.error({ error: failed[0]?.error }, "alias files cannot be written");
      if (this.#closed) break;
      for (const { label } of failed) this.#waiting.add(label);
      await Bun.sleep(backoff.next());
    }
    this.#writing = null;
  }

  async #sync(label: string): Promise<{ label: string; done: boolean; error?: string }> {
    const path = join(this.#folder, label + SUFFIX);
    const alias = this.holder(label);
    try {
      if (alias === undefined) await rm(path, { force: true });
      else await writeAtomically(path, `${JSON.stringify(alias, null, 2)}\n`);
      return { label, done: true };
    } catch (error) {
      return { label, done: false, error: String(error) };
    }
  }
}
