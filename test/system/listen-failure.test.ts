import { expect, test } from "bun:test";
import { listenFailure } from "../../system/listen-failure.ts";
import { freePort } from "../harness/servers.ts";

const failureOf = (port: number): unknown => {
  try {
    return void Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() });
  } catch (error) {
    return error;
  }
};

test("of a port that is taken says who knows by whom, and what to give instead", async () => {
  const port = await freePort();
  const holder = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() });
  const { message } = listenFailure("BERTH_PORT", [port], failureOf(port));
  await holder.stop(true);
  expect(message).toBe(
    `port ${port} (BERTH_PORT): another program listens there, \`ss -ltnp\` names it: give another port`,
  );
});

test("of a port that belongs to root says how all programs may use it", () => {
  const denied = Object.assign(new Error("permission denied 0.0.0.0:443"), { code: "EACCES" });
  const { message } = listenFailure("BERTH_EDGE_PORT, BERTH_EDGE_HTTP_PORT", [443, 80], denied);
  expect(message).toStartWith("port 443 or 80 (BERTH_EDGE_PORT, BERTH_EDGE_HTTP_PORT): ports below 1024");
  expect(message).toContain("net.ipv4.ip_unprivileged_port_start=80");
  // Above them the reason is another one, such as a rule of the system.
  expect(listenFailure("BERTH_PORT", [3_000], denied).message).toEndWith("permission denied 0.0.0.0:443");
});

test("of anything else says what the system says", () => {
  const odd = Object.assign(new Error("Failed to listen at 192.0.2.1"), { code: "EADDRNOTAVAIL" });
  expect(listenFailure("BERTH_PORT", [1], odd).message).toBe(
    "port 1 (BERTH_PORT): Failed to listen at 192.0.2.1",
  );
});
