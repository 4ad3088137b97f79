import { expect, test } from "bun:test";
import { join } from "node:path";
import { claimNumber, claimPort } from "./claims.ts";
import { until } from "./until.ts";

const CLAIMING = `import { claimNumber } from ${JSON.stringify(join(import.meta.dir, "claims.ts"))};
console.log(JSON.stringify(Array.from({ length: 20 }, () => claimNumber("peer"))));
await Bun.stdin.text();`;

test("no two processes have the same number, and those of a process that was killed are free again", async () => {
  const child = Bun.spawn([process.execPath, "-e", CLAIMING], { stdin: "pipe", stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const theirs: number[] = JSON.parse(new TextDecoder().decode(value));
  const ours = Array.from({ length: 20 }, () => claimNumber("peer"));
  expect(new Set([...theirs, ...ours]).size).toBe(40);
  const port = claimPort("peer", theirs[0] as number);
  const listen = () => Bun.listen({ hostname: "127.0.0.1", port, exclusive: true, socket: { data() {} } });
  expect(listen).toThrow();
  child.kill("SIGKILL");
  await child.exited;
  (await until(listen)).stop();
});
