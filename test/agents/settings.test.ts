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
