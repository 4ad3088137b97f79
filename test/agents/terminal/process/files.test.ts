import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../harness/servers.ts";

const SCRIPT = join(import.meta.dir, "../../../../agents/terminal/process/files.sh");

/** Sends a file to where a session is, whose process has this environment and is in another folder. @returns the exit code */
async function put(home: string, env: Record<string, string>): Promise<number> {
  const session = Bun.spawn(["sleep", "60"], { cwd: "/", env: { ...process.env, ...env } });
  try {
    const words = [String(session.pid), "put", "sent", ".sent", "5", "", ""];
    const script = Bun.spawn(["/bin/sh", SCRIPT, ...words], {
      env: { ...process.env, HOME: home },
      stdin: new TextEncoder().encode("hellokeep\n"),
      stdout: "ignore",
    });
    return await script.exited;
  } finally {
    session.kill();
    await session.exited;
  }
}

test("a file for a session that is being started goes to where its shell will be", async () => {
  const home = temporaryFolder();
  const folder = temporaryFolder();
  mkdirSync(join(home, "within"));
  for (const [cwd, place] of [
    [folder, folder],
    ["", home],
    ["~/within", join(home, "within")],
  ] as const) {
    expect(await put(home, { BERTH_LAUNCH_CWD: cwd })).toBe(0);
    expect(readFileSync(join(place, "sent"), "utf8")).toBe("hello");
  }
  mkdirSync(join(home, "related"));
  expect(await put(home, { BERTH_LAUNCH_CWD: "related" })).toBe(0);
  expect(readFileSync(join(home, "related", "sent"), "utf8")).toBe("hello");
});
