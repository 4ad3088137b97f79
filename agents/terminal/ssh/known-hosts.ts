import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A host presents another key than before: possibly a man in the middle. */
export class HostKeyChanged extends Error {
  override readonly name = "HostKeyChanged";

  constructor(host: string, known: string, shown: string) {
    super(
      `The SSH host ${host} shows another key than before: ${shown} instead of ${known}. ` +
        "Somebody may be listening in. If the host was installed again, have its line removed from the known hosts of this terminal.",
    );
  }
}

export const fingerprint = (key: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;

/** Host keys, trusted on first use. Stored in a file, or in memory if there is none. */
export class KnownHosts {
  readonly #file: string | null;
  #known: Promise<Map<string, string>> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string | null) {
    this.#file = file;
  }

  /**
   * @returns whether the key is new
   * @throws HostKeyChanged
   */
  async check(host: string, key: Uint8Array): Promise<boolean> {
    this.#known ??= this.#read();
    const all = await this.#known;
    const shown = fingerprint(key);
    const known = all.get(host);
    if (known === shown) return false;
    if (known !== undefined) throw new HostKeyChanged(host, known, shown);
    all.set(host, shown);
    this.#writing = this.#writing.then(() => this.#write(all));
    await this.#writing;
    return true;
  }

  async #read(): Promise<Map<string, string>> {
    if (this.#file === null) return new Map();
    const text = await readFile(this.#file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    // One line per host: host and fingerprint.
    const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
    return new Map(lines.flatMap(([host = "", key = ""]) => (key === "" ? [] : [[host, key] as const])));
  }

  async #write(all: ReadonlyMap<string, string>): Promise<void> {
    if (this.#file === null) return;
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const next = `${this.#file}.next`;
    await writeFile(next, [...all].map(([host, key]) => `${host} ${key}\n`).join(""), {
      mode: 0o600,
    });
    await rename(next, this.#file);
  }
}
