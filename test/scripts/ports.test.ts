import { afterEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { freePort, startOnFreePort } from "../../scripts/ports.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const listen = (port: number) =>
  new Promise<Server>((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      servers.push(server);
      resolve(server);
    });
  });

test("servers that start at the same moment get a port each", async () => {
  const from = await freePort();
  const started = await Promise.all(Array.from({ length: 4 }, () => startOnFreePort(from, listen)));
  expect(new Set(started.map(({ port }) => port)).size).toBe(4);
});

test("a port that is taken between the look and the start is passed over", async () => {
  const from = await freePort();
  const tried: number[] = [];
  const { port } = await startOnFreePort(from, async (candidate) => {
    tried.push(candidate);
    if (tried.length === 1) await listen(candidate);
    return listen(candidate);
  });
  expect(tried[0]).toBe(from);
  expect(port).toBeGreaterThan(from);
});

test("a server that fails for another reason is not tried on other ports", async () => {
  const from = await freePort();
  let tries = 0;
  const start = async () => {
    tries += 1;
    throw new Error("no data folder");
  };
  await expect(startOnFreePort(from, start)).rejects.toThrow("no data folder");
  expect(tries).toBe(1);
});

test("nobody gets a port that another was given and does not listen on yet", async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
  expect(new Set(ports).size).toBe(300);

  const script = `import { freePort } from "${import.meta.dir}/../../scripts/ports.ts";
    const ports = []; for (let i = 0; i < 300; i++) ports.push(await freePort()); console.log(JSON.stringify(ports)); process.exit();`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const others = (await new Response(child.stdout).json()) as number[];
  expect(others.filter((port) => ports.includes(port))).toEqual([]);
});
