import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../harness/servers.ts";
import { lacks } from "../requirements.ts";

const SCRIPT = join(import.meta.dir, "../../../agents/services/files.sh");
const PROGRAMS = ["sh", "find", "stat", "head", "tail"];

/** Images without GNU's programs have BusyBox's: a listing of theirs was empty. */
test.skipIf(lacks("busybox"))(
  "BusyBox's programs list a folder as GNU's do, but for names with line ends",
  async () => {
    const folder = temporaryFolder();
    const [programs, listed] = [join(folder, "bin"), join(folder, "listed")];
    mkdirSync(programs);
    for (const name of PROGRAMS) symlinkSync(Bun.which("busybox") ?? "", join(programs, name));
    mkdirSync(join(listed, "folder"), { recursive: true });
    writeFileSync(join(listed, "a file"), "12345");
    writeFileSync(join(listed, ".hidden\\x"), "");
    for (const [name, target] of [
      ["to-file", "a file"],
      ["to-folder", "folder"],
      ["to-nothing", "none"],
    ] as const)
      symlinkSync(target, join(listed, name));
    const list = async (shell: string, path: string) => {
      const child = Bun.spawn([shell, SCRIPT, "list", listed], { env: { PATH: path }, stderr: "ignore" });
      return (await child.stdout.text()).split("\0").toSorted();
    };
    const gnu = await list("/bin/sh", "/usr/bin:/bin");
    expect(gnu).toHaveLength(7);
    expect(await list(join(programs, "sh"), programs)).toEqual(gnu);
    writeFileSync(join(listed, "two\nlines"), "");
    expect(await list(join(programs, "sh"), programs)).toEqual(gnu);
  },
);
