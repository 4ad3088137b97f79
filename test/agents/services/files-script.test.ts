import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../harness/servers.ts";
import { lacks } from "../requirements.ts";

const SCRIPT = join(import.meta.dir, "../../../agents/services/files.sh");
const PROGRAMS = ["sh", "find", "stat", "head", "tail", "rm", "rmdir", "mkdir", "mv", "ls"];

/** A folder of BusyBox's programs alone. */
function busyBox(folder: string): string {
  const programs = join(folder, "bin");
  mkdirSync(programs);
  for (const name of PROGRAMS) symlinkSync(Bun.which("busybox") ?? "", join(programs, name));
  return programs;
}

/** Images without GNU's programs have BusyBox's: a listing of theirs was empty. */
test.skipIf(lacks("busybox"))(
  "BusyBox's programs list a folder as GNU's do, but for names with line ends",
  async () => {
    const folder = temporaryFolder();
    const [programs, listed] = [busyBox(folder), join(folder, "listed")];
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

test.skipIf(lacks("busybox"))("BusyBox's programs change files as GNU's do", async () => {
  const changes = (shell: string, path: string, folder: string) => {
    const code = (...args: string[]) => {
      const child = Bun.spawnSync([shell, SCRIPT, ...args], { env: { PATH: path }, stderr: "ignore" });
      return child.exitCode;
    };
    writeFileSync(join(folder, "file"), "");
    symlinkSync("folder", join(folder, "link"));
    return [
      code("mkdir", `${folder}/folder`),
      code("mkdir", `${folder}/folder`),
      code("move", `${folder}/file`, `${folder}/folder/moved`),
      code("move", `${folder}/link`, `${folder}/folder/moved`),
      code("move", `${folder}/link`, `${folder}/none/moved`),
      code("remove", `${folder}/folder`, "false"),
      code("remove", `${folder}/link`, "true"),
      code("remove", `${folder}/folder`, "true"),
      code("remove", `${folder}/folder`, "true"),
      ...readdirSync(folder),
    ];
  };
  const programs = busyBox(temporaryFolder());
  const gnu = changes("/bin/sh", "/usr/bin:/bin", temporaryFolder());
  expect(gnu).toEqual([0, 21, 0, 21, 26, 27, 0, 0, 24]);
  expect(changes(join(programs, "sh"), programs, temporaryFolder())).toEqual(gnu);
});

/** A share that is deleted with the folder around it is lost to every container that has it. */
test.skipIf(lacks("root", "busybox"))(
  "nothing is deleted or moved where something is mounted in a folder or at it, by GNU's programs as by BusyBox's",
  () => {
    const programs = busyBox(temporaryFolder());
    for (const [shell, path] of [
      ["/bin/sh", "/usr/bin:/bin"],
      [join(programs, "sh"), programs],
    ] as const) {
      const folder = temporaryFolder();
      mkdirSync(join(folder, "app/data/1 share"), { recursive: true });
      mkdirSync(join(folder, "app/data/1 share, not"));
      mkdirSync(join(folder, "share"));
      writeFileSync(join(folder, "share/kept"), "kept");
      symlinkSync("app/data", join(folder, "link"));
      // A mount of its own process alone, in which the script then runs.
      const mounted = (...args: string[]) => {
        const mount =
          'mount --bind "$1/share" "$1/app/data/1 share" && shift && PATH=$1 && shift && exec "$@"';
        const child = Bun.spawnSync(
          ["unshare", "-m", "sh", "-c", mount, "sh", folder, path, shell, SCRIPT, ...args],
          { stderr: "ignore" },
        );
        return [child.exitCode, child.stdout.toString()];
      };
      const refused = [29, `${folder}/app/data/1\\040share\n`];
      for (const at of ["app", "app/data", "app/data/1\\0040share", "link/1\\0040share"]) {
        for (const recursive of ["true", "false"])
          expect(mounted("remove", `${folder}/${at}`, recursive)).toEqual(refused);
        expect(mounted("move", `${folder}/${at}`, `${folder}/moved`)).toEqual(refused);
      }
      expect(readdirSync(folder).toSorted()).toEqual(["app", "link", "share"]);
      expect(readdirSync(join(folder, "share"))).toEqual(["kept"]);
      // What is in the share, beside it, or a link to a folder around it may be deleted.
      expect(mounted("remove", `${folder}/app/data/1\\0040share/kept`, "false")).toEqual([0, ""]);
      expect(mounted("remove", `${folder}/app/data/1\\0040share,\\0040not`, "true")).toEqual([0, ""]);
      expect(mounted("remove", `${folder}/link`, "true")).toEqual([0, ""]);
      expect(readdirSync(join(folder, "app/data"))).toEqual(["1 share"]);
    }
  },
);
