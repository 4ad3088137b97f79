import { describe, expect, test } from "bun:test";
import { identical, type NewRule, normalForm } from "../../../../actors/hosting/firewall/normal-form.ts";
import { ValidationError } from "../../../../schemas/errors.ts";
import { Seeded } from "../../billing/wallet/seeded.ts";

const tcp: NewRule = {
  direction: "ingress",
  action: "allow",
  protocol: "tcp",
  description: "web",
  destination_port: "80",
};
const icmp: NewRule = { direction: "ingress", action: "allow", protocol: "icmp4", description: "ping" };

/** The field that a rule is refused for. */
function refusedField(rule: NewRule): string {
  try {
    normalForm(rule);
  } catch (error) {
    if (error instanceof ValidationError) return error.field;
    throw error;
  }
  throw new Error(`${JSON.stringify(rule)} was taken`);
}

test("what is left out has its default, and nothing is added", () => {
  expect(normalForm(tcp)).toEqual({
    direction: "ingress",
    action: "allow",
    protocol: "tcp",
    description: "web",
    state: "enabled",
    destination_port: "80",
  });
  expect(normalForm({ ...tcp, state: "disabled" }).state).toBe("disabled");
});

test("a normal form is its own normal form", () => {
  const once = normalForm({ ...tcp, destination_port: "9, 80-90,85-100, 1", source: "10.9.8.7/12" });
  expect(normalForm(once as NewRule)).toEqual(once);
});

describe("ports", () => {
  test.each([
    ["80", "80"],
    ["1", "1"],
    ["65535", "65535"],
    ["1-65535", "1-65535"],
    ["80,443", "80,443"],
    ["443, 80", "80,443"],
    [" 80 , 443 ", "80,443"],
    ["80,80,80", "80"],
    ["80-90", "80-90"],
    ["80 - 90", "80-90"],
    ["80-80", "80"],
    ["80,81", "80-81"],
    ["443, 80,81", "80-81,443"],
    ["81,80,82", "80-82"],
    ["80-90,85-95", "80-95"],
    ["80-90,91-95", "80-95"],
    ["80-90,92-95", "80-90,92-95"],
    ["85,80-90", "80-90"],
    ["80-100,85-90", "80-100"],
    ["1-10,5-6,7,8000-8100,443,80", "1-10,80,443,8000-8100"],
    ["80,443,8000-8100", "80,443,8000-8100"],
    ["65535,65534", "65534-65535"],
  ])("%j is %s", (text, normal) => {
    expect(normalForm({ ...tcp, destination_port: text }).destination_port).toBe(normal);
    // Any source is left out; a destination has to be named (see the next test).
    const source = normal === "1-65535" ? undefined : normal;
    expect(normalForm({ ...tcp, protocol: "udp", source_port: text }).source_port).toBe(source);
  });

  test("all source ports are the same as none, however they are written", () => {
    for (const source_port of ["1-65535", "1-1000,900-65535", "2-65535, 1"]) {
      expect(normalForm({ ...tcp, source_port })).toEqual(normalForm(tcp));
    }
    expect(normalForm({ ...tcp, source_port: "2-65535" }).source_port).toBe("2-65535");
    expect(normalForm({ ...tcp, destination_port: "1-65535" }).destination_port).toBe("1-65535");
  });

  test.each([
    ...[
      "",
      " ",
      ",",
      "80,",
      ",80",
      "80,,443",
      "0",
      "00",
      "65536",
      "99999",
      "100000",
      "080",
      "0x50",
      "0b1",
      "8e1",
    ],
    ...[
      "90-80",
      "80-",
      "-80",
      "-",
      "80--90",
      "80-90-100",
      "0-80",
      "80-65536",
      "080-90",
      "80-090",
      "+80",
      "-1",
    ],
    ...[
      "80.0",
      "8 0",
      "٨٠",
      "８０",
      "http",
      "any",
      "*",
      "80;443",
      "80 443",
      "80\n443x",
      "1e1000",
      "80–90",
      "{80}",
    ],
  ])("%j is refused", (text) => {
    expect(refusedField({ ...tcp, destination_port: text })).toBe("body.destination_port");
    expect(refusedField({ ...tcp, source_port: text })).toBe("body.source_port");
  });

  test.each([
    ["-1", '"-1" is no port and no range'],
    ["443, 80-", '"80-" is no port and no range'],
    ["80,,443", '"80,,443" has a place without a port'],
    ["80-70000", '"70000" is no number from 1 to 65535'],
  ])("what is wrong with %j is named", (text, message) => {
    expect(() => normalForm({ ...tcp, destination_port: text })).toThrow(message);
  });

  test("more than 32 that cannot be merged are refused, and as many as merge into 32 are taken", () => {
    const apart = (count: number) => Array.from({ length: count }, (_, i) => 2 * i + 1).join(",");
    expect(normalForm({ ...tcp, destination_port: apart(32) }).destination_port).toBe(apart(32));
    expect(refusedField({ ...tcp, destination_port: apart(33) })).toBe("body.destination_port");
    const dense = Array.from({ length: 60 }, (_, i) => i + 1).join(",");
    expect(normalForm({ ...tcp, destination_port: dense }).destination_port).toBe("1-60");
  });

  test("tcp and udp need a destination port", () => {
    const { destination_port: _, ...without } = tcp;
    expect(refusedField(without)).toBe("body.destination_port");
    expect(refusedField({ ...without, protocol: "udp", source_port: "53" })).toBe("body.destination_port");
  });

  test("any list has one normal form, which names exactly its ports", () => {
    const random = new Seeded(6);
    for (let round = 0; round < 2_000; round++) {
      const top = random.pick([20, 200, 65_535]);
      const ranges = Array.from({ length: random.integer(1, 12) }, () => {
        const from = random.integer(1, top);
        return [from, Math.min(65_535, from + random.pick([0, 0, 1, 5, 50]))] as const;
      });
      const text = ([from, to]: readonly [number, number]) => (from === to ? `${from}` : `${from}-${to}`);
      const normal =
        normalForm({ ...tcp, destination_port: ranges.map(text).join(",") }).destination_port ?? "";
      const shuffled = random.shuffled(ranges).map(text).join(", ");
      expect(normalForm({ ...tcp, destination_port: shuffled }).destination_port).toBe(normal);
      const named = normal.split(",").map((part) => part.split("-").map(Number));
      const isSorted = named.every(([from = 0], i) => i === 0 || from > (named[i - 1]?.at(-1) ?? 0) + 1);
      const ports = (list: readonly (readonly number[])[]) =>
        new Set(list.flatMap((one) => range(one[0] ?? 0, one.at(-1) ?? 0)));
      if (!isSorted || ports(ranges).symmetricDifference(ports(named)).size > 0) {
        throw new Error(`seed 6, round ${round}: ${ranges.map(text)} became ${normal}`);
      }
    }
  });
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("networks", () => {
  test.each([
    ["1.2.3.4", "1.2.3.4"],
    ["1.2.3.4/32", "1.2.3.4"],
    ["10.0.0.5/8", "10.0.0.0/8"],
    ["10.255.255.255/8", "10.0.0.0/8"],
    ["192.168.1.77/24", "192.168.1.0/24"],
    ["192.168.1.77/25", "192.168.1.0/25"],
    ["192.168.1.177/25", "192.168.1.128/25"],
    ["192.168.1.177/31", "192.168.1.176/31"],
    ["172.16.0.0/12", "172.16.0.0/12"],
    ["172.31.255.255/12", "172.16.0.0/12"],
    ["128.0.0.0/1", "128.0.0.0/1"],
    ["255.255.255.255/1", "128.0.0.0/1"],
    ["127.255.255.255/1", "0.0.0.0/1"],
    ["255.255.255.255", "255.255.255.255"],
    ["0.0.0.0", "0.0.0.0"],
    ["0.0.0.0/8", "0.0.0.0/8"],
    ["0.0.0.0/0", undefined],
    ["1.2.3.4/0", undefined],
    [" 10.0.0.5 / 8 ", "10.0.0.0/8"],
    ["\t1.2.3.4\n", "1.2.3.4"],
    [" 0.0.0.0/0", undefined],
  ])("%s is %s", (text, normal) => {
    expect(normalForm({ ...tcp, source: text }).source).toBe(normal);
    expect(normalForm({ ...tcp, direction: "egress", destination: text }).destination).toBe(normal);
    expect("source" in normalForm({ ...tcp, source: text })).toBe(normal !== undefined);
  });

  test.each([
    ...["", " ", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.0.0.1", "1.2.3.999", "010.0.0.1"],
    ...["1.2.3.04", "0x0a.0.0.1", "1e1.0.0.1", "-1.2.3.4", "1. 2.3.4", "1.2.3.4 5", "1.2.3.4/", "1.2.3.4/33"],
    ...["1.2.3.4/-1", "1.2.3.4/08", "1.2.3.4/8/8", "1.2.3.4/255.0.0.0", "/8", "::1", "::/0", "fe80::1"],
    ...[
      "::ffff:1.2.3.4",
      "localhost",
      "any",
      "*",
      "1.2.3.4-5",
      "1.2.3.4,5.6.7.8",
      "16909060",
      "١.٢.٣.٤",
      "/",
    ],
  ])("%j is refused", (text) => {
    expect(refusedField({ ...tcp, source: text })).toBe("body.source");
    expect(refusedField({ ...tcp, direction: "egress", destination: text })).toBe("body.destination");
  });

  test("a masked network holds its address and none of its bits below the mask", () => {
    const random = new Seeded(7);
    for (let round = 0; round < 2_000; round++) {
      const octets = Array.from({ length: 4 }, () => random.integer(0, 255));
      const prefix = random.integer(1, 32);
      const normal = normalForm({ ...tcp, source: `${octets.join(".")}/${prefix}` }).source ?? "";
      const bits = (of: number[]) => of.map((octet) => octet.toString(2).padStart(8, "0")).join("");
      const [host = "", length = "32"] = normal.split("/");
      const expected = bits(octets).slice(0, prefix).padEnd(32, "0");
      if (bits(host.split(".").map(Number)) !== expected || Number(length) !== prefix) {
        throw new Error(`seed 7, round ${round}: ${octets.join(".")}/${prefix} became ${normal}`);
      }
    }
  });
});

describe("icmp4", () => {
  test.each([
    [{}, {}],
    [{ icmp_type: "8" }, { icmp_type: "8" }],
    [{ icmp_type: "0" }, { icmp_type: "0" }],
    [
      { icmp_type: "255", icmp_code: "255" },
      { icmp_type: "255", icmp_code: "255" },
    ],
    [
      { icmp_type: "3", icmp_code: "0" },
      { icmp_type: "3", icmp_code: "0" },
    ],
  ])("%j is taken", (fields, normal) => {
    const {
      direction: _d,
      action: _a,
      protocol: _p,
      description: _t,
      state: _s,
      ...rest
    } = normalForm({
      ...icmp,
      ...fields,
    });
    expect(rest).toEqual(normal);
  });

  test.each([
    ["icmp_type", { icmp_type: "256" }],
    ["icmp_type", { icmp_type: "08" }],
    ["icmp_type", { icmp_type: "-1" }],
    ["icmp_type", { icmp_type: "" }],
    ["icmp_type", { icmp_type: "echo" }],
    ["icmp_code", { icmp_type: "8", icmp_code: "256" }],
    ["icmp_code", { icmp_code: "0" }],
    ["destination_port", { destination_port: "80" }],
    ["source_port", { source_port: "80" }],
  ])("%s is refused in %j", (field, fields) => {
    expect(refusedField({ ...icmp, ...fields })).toBe(`body.${field}`);
  });

  test.each(["tcp", "udp"] as const)("%s has no types and codes", (protocol) => {
    expect(refusedField({ ...tcp, protocol, icmp_type: "8" })).toBe("body.icmp_type");
    expect(refusedField({ ...tcp, protocol, icmp_code: "0" })).toBe("body.icmp_code");
  });
});

describe("two rules are identical", () => {
  const same = (a: Partial<NewRule>, b: Partial<NewRule>) =>
    identical(normalForm({ ...tcp, ...a }), normalForm({ ...tcp, ...b }));

  test.each([
    [{ destination_port: "443, 80" }, { destination_port: "80,443" }],
    [{ source: "1.2.3.4" }, { source: "1.2.3.4/32" }],
    [{ source: "10.0.0.5/8" }, { source: "10.0.0.0/8" }],
    [{ source: "0.0.0.0/0" }, {}],
    [{ state: "enabled" as const }, {}],
  ])("%j and %j", (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  test.each([
    [{ action: "drop" as const }],
    [{ protocol: "udp" as const }],
    [{ description: "Web" }],
    [{ state: "disabled" as const }],
    [{ destination_port: "81" }],
    [{ source_port: "80" }],
    [{ source: "1.2.3.4" }],
    [{ direction: "egress" as const }],
  ])("but not when they differ in %j", (fields) => {
    expect(same(fields, {})).toBe(false);
  });
});
