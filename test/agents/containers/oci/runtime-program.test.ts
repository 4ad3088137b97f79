import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainReason } from "../../../../agents/containers/oci/reason-reader.ts";
import {
  findRuntime,
  noteRuntime,
  processNameOf,
  runtimeOf,
  runtimeWords,
} from "../../../../agents/containers/oci/runtime-program.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { newSpec } from "../specs.ts";

/** A program that says what it is, as the real ones do. */
function program(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' '${text.replaceAll("\n", "' '")}'\n`);
  chmodSync(path, 0o755);
  return path;
}

const CRUN =
  "crun version 1.21\ncommit: 10269840\nspec: 1.0.0\n+SYSTEMD +SELINUX +APPARMOR +CAP +SECCOMP +EBPF +YAJL";
const RUNC = "runc version 1.1.5+ds1\ncommit: 1.1.5+ds1-1\nspec: 1.0.2-dev\nlibseccomp: 2.5.4";
const RUNSC = "runsc version release-20240807.0\nspec: 1.1.0-rc.1";

test("a runtime is known by what it says, with its version, also by a path of another name", async () => {
  for (const [text, name, version] of [
    [CRUN, "crun", "1.21"],
    [RUNC, "runc", "1.1.5+ds1"],
    [RUNSC, "runsc", "20240807.0"],
  ] as const) {
    const path = program("own-build", text);
    expect(await findRuntime(path)).toEqual({ name, path, version });
  }
});

const REFUSED: [string, () => string, string][] = [
  ["is not there", () => "no-such-runtime", "this machine has no program no-such-runtime"],
  ["cannot be run", () => "/dev/null", "/dev/null --version cannot be run"],
  ["is something else", () => program("true", "true (GNU coreutils) 9.1"), "is none of crun, runc, runsc"],
  ["is too old", () => program("crun", CRUN.replace("1.21", "1.7.2")), "is crun 1.7.2; 1.8 is needed"],
  ["is too old", () => program("runc", RUNC.replace("1.1.5+ds1", "1.0.3")), "is runc 1.0.3; 1.1 is needed"],
  [
    "has no filter",
    () => program("crun", CRUN.replace("+SECCOMP ", "")),
    "without the filter of system calls",
  ],
  [
    "has no filter",
    () => program("runc", RUNC.replace(/\nlibseccomp.*/, "")),
    "without the filter of system calls",
  ],
];
test.each(REFUSED)("a runtime that %s is refused with the reason", async (_why, setting, reason) => {
  await expect(findRuntime(setting())).rejects.toThrow(reason);
});

test("a container's runtime is noted with it; one without a note has crun", async () => {
  const spec = newSpec(null);
  expect(runtimeOf(spec).name).toBe("crun");
  expect(runtimeWords(spec, runtimeOf(spec)).slice(1)).toEqual([
    `--root=${spec.folder}/runtime`,
    "--cgroup-manager=cgroupfs",
  ]);
  const runsc = { name: "runsc", path: "/opt/a-very-long-name-of-runsc" } as const;
  await noteRuntime(spec, runsc);
  expect(runtimeOf(spec)).toEqual(runsc);
  expect(runtimeWords(spec, runsc)).toEqual([runsc.path, `--root=${spec.folder}/runtime`]);
  expect(processNameOf(runsc)).toBe("a-very-long-nam");
  writeFileSync(join(spec.folder, "oci-runtime"), "{");
  expect(runtimeOf(spec).name).toBe("crun");
});

test("of a line of a log its message is told, and other text as it is", () => {
  const line = String.raw`time="2026-01-31T09:30:00Z" level=error msg="exec: \"/nowhere\": no such file"`;
  expect(plainReason(line)).toBe('exec: "/nowhere": no such file');
  expect(plainReason("executable file `/nowhere` not found")).toBe("executable file `/nowhere` not found");
});
