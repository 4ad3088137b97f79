import { expect, test } from "bun:test";
import { PRIVATE_NETWORKS, readSettings } from "../../agents/settings.ts";
import { SettingError } from "../../system/setting-error.ts";

const NEEDED = { NATS_URL: "nats://a:b@127.0.0.1:4222", BERTH_SERVER_NAME: "node-1", BERTH_DATA: "/none" };

test("terminals of containers run the user's shell and take no arguments, unless the operator sets that", () => {
  expect(readSettings(NEEDED).terminal).toEqual({ urlArg: false });
  const set = { ...NEEDED, BERTH_TERMINAL_URL_ARG: "1", BERTH_TERMINAL_COMMAND: " tmux  new-session -A " };
  expect(readSettings(set).terminal).toEqual({
    urlArg: true,
    startupCommand: ["tmux", "new-session", "-A"],
  });
  const wrong = { ...NEEDED, BERTH_TERMINAL_URL_ARG: "yes" };
  expect(() => readSettings(wrong)).toThrow(
    new SettingError('BERTH_TERMINAL_URL_ARG is "yes": it can be 0 or 1'),
  );
});

test("containers do not reach private networks, unless the operator denies others, or none", () => {
  expect(readSettings(NEEDED).denied).toEqual(PRIVATE_NETWORKS);
  expect(PRIVATE_NETWORKS).toContain("192.168.0.0/16");
  const denying = (networks: string) => readSettings({ ...NEEDED, BERTH_CONTAINER_DENY: networks }).denied;
  expect(denying("10.1.0.0/16,198.51.100.7/32")).toEqual(["10.1.0.0/16", "198.51.100.7/32"]);
  expect(denying("none")).toEqual([]);
  expect(() => denying("10/8")).toThrow(SettingError);
});

test("a network of containers is given by its first address", () => {
  const of = (subnet: string) => readSettings({ ...NEEDED, BERTH_CONTAINER_SUBNET: subnet }).subnet;
  expect(of("10.77.0.0/16")).toBe("10.77.0.0/16");
  expect(of("")).toBeUndefined();
  for (const wrong of ["10.77.0.1/16", "10.77.0.0", "10.77.0.0/30", "10.77.0.0/16/8", "fd00::/64"])
    expect(() => of(wrong)).toThrow(/^BERTH_CONTAINER_SUBNET: not a subnet: /);
});

test("listeners of one agent have ports of their own", () => {
  const ports = (https: string, http: string, metrics: string) => () =>
    readSettings({
      ...NEEDED,
      BERTH_EDGE_PORT: https,
      BERTH_EDGE_HTTP_PORT: http,
      BERTH_METRICS_PORT: metrics,
    });
  expect(ports("443", "443", "0")).toThrow(
    new SettingError("BERTH_EDGE_PORT and BERTH_EDGE_HTTP_PORT are both 443: give each a port of its own"),
  );
  expect(ports("443", "80", "80")).toThrow(/^BERTH_EDGE_HTTP_PORT and BERTH_METRICS_PORT are both 80/);
  // Of port 0 each gets another one.
  expect(ports("0", "0", "0")).not.toThrow();
});
