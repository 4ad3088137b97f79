import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { trustedProxies } from "../../../system/trusted-proxies.ts";
import { until } from "../../harness/until.ts";
import { type EdgeUnderTest, startEdge } from "./edge-under-test.ts";
import { type RawTarget, rawTarget } from "./raw-target.ts";

/** An edge behind a proxy that it trusts, and one that trusts nobody. Both are asked from 127.0.0.1. */

let behind: EdgeUnderTest;
let alone: EdgeUnderTest;
let target: RawTarget;
beforeAll(async () => {
  [behind, alone] = await Promise.all([
    startEdge({ proxies: trustedProxies("127.0.0.1, 10.0.0.0/8"), limits: { connectionsPerAddressMax: 1 } }),
    startEdge(),
  ]);
  target = rawTarget();
});
afterAll(async () => {
  await behind[Symbol.asyncDispose]();
  await alone[Symbol.asyncDispose]();
  target.stop();
});

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const get = (host: string, path: string, forwardedFor?: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${forwardedFor === undefined ? "" : `X-Forwarded-For: ${forwardedFor}\r\n`}\r\n`;

test("each request of one connection has the client that the proxy names, for the program and in the log", async () => {
  const host = behind.expose("many", target.port);
  const proxy = await behind.raw();
  for (const [given, client] of [
    ["203.0.113.9", "203.0.113.9"],
    ["6.6.6.6, 198.51.100.7, 10.0.0.3", "198.51.100.7"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["unknown", "127.0.0.1"],
    [undefined, "127.0.0.1"],
  ] as const) {
    proxy.send(get(host, "/", given));
    const seen = await target.next();
    expect(seen.head.split("\r\n").filter((line) => line.startsWith("X-Forwarded-For"))).toEqual([
      `X-Forwarded-For: ${client}`,
    ]);
    seen.answer(OK);
    expect((await proxy.next()).status).toBe(200);
  }
  const logged = await until(() => {
    const text = readFileSync(join(behind.folder, "logs/many.log"), "utf8");
    return text.trim().split("\n").length === 5 && text;
  });
  expect(logged).toContain("203.0.113.9");
  expect(logged).not.toContain("6.6.6.6");
});

test("nobody else's word counts", async () => {
  const host = alone.expose("one", target.port);
  const client = await alone.raw();
  client.send(get(host, "/", "203.0.113.9"));
  const seen = await target.next();
  expect(seen.head).toContain("\r\nX-Forwarded-For: 127.0.0.1\r\n");
  seen.answer(OK);
  await client.response();
});

test("a trusted proxy learns which names are served; what it passes on for others does not", async () => {
  const host = behind.expose("known", target.port);
  alone.expose("known", target.port);
  const serves = async (edge: EdgeUnderTest, domain: string, forwardedFor?: string) => {
    const client = await edge.raw();
    client.send(get("127.0.0.1", `/.well-known/berth/serves?domain=${domain}`, forwardedFor));
    return (await client.response()).status;
  };
  expect(await serves(behind, host)).toBe(200);
  expect(await serves(behind, host.toUpperCase())).toBe(200);
  expect(await serves(behind, `un${host}`)).toBe(404);
  expect(await serves(behind, "")).toBe(404);
  expect(await serves(behind, "%E0%A4%A")).toBe(404);
  expect(await serves(behind, host, "203.0.113.9")).toBe(404);
  expect(await serves(alone, host)).toBe(404);
});
