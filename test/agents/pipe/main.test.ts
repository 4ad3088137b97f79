import { expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { startPipeProcess, startPipeProcessIn } from "./pipe-process.ts";
import { curl } from "./pipe-server.ts";
import { RawClient } from "./raw-client.ts";

const MAIN = join(import.meta.dir, "../../../agents/pipe/main.ts");

async function run(...args: readonly string[]) {
  const process_ = Bun.spawn([process.execPath, MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors] = await Promise.all([
    new Response(process_.stdout).text(),
    new Response(process_.stderr).text(),
  ]);
  return { code: await process_.exited, output, errors };
}

test("bun run pipe is a whole server, and ends when it is told to", async () => {
  const pipe = await startPipeProcess();
  const sender = curl("-T", MAIN, pipe.url("a"));
  expect((await curl(pipe.url("a")).done()).text).toBe(await Bun.file(MAIN).text());
  expect((await sender.done()).text).toEndWith("[INFO] Transfer complete.\n");
  expect(await pipe.stop()).toBe(0);
});

test("it tells how it is on a port of its own", async () => {
  const metrics = await freePort();
  const pipe = await startPipeProcessIn({ BERTH_METRICS_PORT: String(metrics) });
  const at = (path: string) => fetch(`http://127.0.0.1:${metrics}${path}`);
  expect((await at("/health/live")).status).toBe(200);
  expect((await at("/health/ready")).status).toBe(200);
  const sender = curl("-T", MAIN, pipe.url("counted"));
  await until(async () => (await (await at("/metrics")).text()).includes("pipe_peers 1"));
  sender.kill();
});

test("--sender-idle bounds a sender's silence in a transfer", async () => {
  const pipe = await startPipeProcess("--sender-idle", "1");
  const receiver = curl("-f", pipe.url("silent"));
  const sender = await RawClient.connect(pipe.port);
  sender.send("POST /api/v1/pipe/silent HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
  expect((await sender.response()).body.toString()).toEndWith("[ERROR] Transfer failed\n");
  // 22: a status that is an error, since no byte has come.
  expect((await receiver.done()).code).toBe(22);
});

test("a port that is taken is one clear line", async () => {
  const pipe = await startPipeProcess();
  const { code, errors } = await run("--port", String(pipe.port));
  expect(code).toBe(1);
  expect(errors).toBe(
    `pipe: port ${pipe.port} (--port): another program listens there, \`ss -ltnp\` names it: give another port\n`,
  );
});

test.each(["--port 70000", "--port x", "--per-address 0", "--sender-idle 0", "--nonsense", "word"])(
  "%s is refused with the usage",
  async (line) => {
    const { code, errors } = await run(...line.split(" "));
    expect(code).toBe(1);
    expect(errors).toStartWith("pipe: ");
    expect(errors).toContain("--host ADDRESS");
  },
);

test("--help is the usage", async () => {
  const { code, output } = await run("--help");
  expect([code, output]).toEqual([0, expect.stringContaining("bun run pipe [options]")]);
});
