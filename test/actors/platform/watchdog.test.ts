import { expect, test } from "bun:test";
import { join } from "node:path";

test("a handler that is slow is logged; one that never returns ends its process, which says which one it was", async () => {
  const victim = Bun.spawn([process.execPath, join(import.meta.dir, "watchdog-victim.ts")], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(victim.stdout).text(),
    new Response(victim.stderr).text(),
  ]);
  await victim.exited;
  expect(victim.signalCode).toBe("SIGKILL");
  expect(JSON.parse(out.trim())).toMatchObject({ handler: "toy.slow", msg: "a handler was slow" });
  expect(JSON.parse(err.trim())).toMatchObject({ level: 60, handler: "toy.forever" });
});
