import { describe, expect, test } from "bun:test";
import { resolveTarget } from "../../../../actors/activity/webhook/target.ts";
import { parseNetworks } from "../../../../system/networks.ts";

const NONE = parseNetworks("");
const known = (addresses: readonly string[]) => async () => addresses;

test("the request goes to the address that was checked, under the name that the certificate must have", async () => {
  let asked = 0;
  const target = await resolveTarget("https://hooks.example:8443/a?b=c", NONE, async () => {
    asked += 1;
    // A name that leads elsewhere at the next question.
    return asked === 1 ? ["1.1.1.1"] : ["127.0.0.1"];
  });
  expect(target).toEqual({
    url: "https://1.1.1.1:8443/a?b=c",
    host: "hooks.example:8443",
    serverName: "hooks.example",
  });
  expect(asked).toBe(1);
});

test("an IPv6 address stands in brackets", async () => {
  const target = await resolveTarget("https://hooks.example/", NONE, known(["2606:4700::1111"]));
  expect(target.url).toBe("https://[2606:4700::1111]/");
});

describe("a private network is refused", () => {
  test.each([
    ["127.0.0.1"],
    ["10.0.0.1"],
    ["169.254.169.254"],
    ["100.64.0.1"],
    ["::1"],
    ["fd00::1"],
    ["::ffff:10.0.0.1"],
    ["::ffff:0:7f00:1"],
    ["64:ff9b::a00:1"],
    ["64:ff9b:1::a00:1"],
    ["0.0.0.0"],
  ])("%s", async (address) => {
    const refused = resolveTarget("https://hooks.example/", NONE, known([address]));
    expect(refused).rejects.toThrow("hooks.example is unknown, or has an address of a private network");
    // Among others as well: which of them is called must not be chance.
    const mixed = resolveTarget("https://hooks.example/", NONE, known(["1.1.1.1", address]));
    expect(mixed).rejects.toThrow("private network");
  });

  test.each([
    ["https://0x7f.1/"],
    ["https://2130706433/"],
    ["https://0177.0.0.1/"],
    ["https://[::ffff:7f00:1]/"],
  ])("however its address is written: %s", (url) => {
    expect(resolveTarget(url, NONE, known(["1.1.1.1"]))).rejects.toThrow("private network");
  });
});

test("an operator allows networks, which are reached without TLS too", async () => {
  const allowed = parseNetworks("10.0.0.0/8, ::1");
  const target = await resolveTarget("http://build.internal/hook", allowed, known(["10.2.3.4"]));
  expect(target.url).toBe("http://10.2.3.4/hook");
  expect(resolveTarget("http://hooks.example/", allowed, known(["1.1.1.1"]))).rejects.toThrow("by https");
  expect(
    resolveTarget("http://build.internal/", allowed, known(["10.2.3.4", "192.168.0.1"])),
  ).rejects.toThrow("private network");
});

test("a list of networks that holds something else names it", () => {
  for (const text of ["10.0.0.0/33", "host", "10.0.0.0/8/8", "::/129"])
    expect(() => parseNetworks(text)).toThrow(`"${text}" is no network`);
});
