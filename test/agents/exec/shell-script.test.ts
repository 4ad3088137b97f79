import { expect, test } from "bun:test";
import { join } from "node:path";
import { readShellScript } from "../../../agents/exec/shell-script.ts";
import { temporaryFolder } from "../../harness/servers.ts";

test("a script for `sh -c` has no comments, so that ps stays readable, and does the same", async () => {
  const file = join(temporaryFolder(), "script.sh");
  await Bun.write(
    file,
    '#!/bin/sh\n# Says what it got.\n\nif [ -n "$1" ]; then\n  # Only then.\n  echo "#$1"\nfi\n',
  );
  const script = readShellScript(file);
  expect(script).toBe('if [ -n "$1" ]; then\n  echo "#$1"\nfi');
  expect(Bun.spawnSync(["sh", "-c", script, "script", "x"]).stdout.toString()).toBe("#x\n");
});
