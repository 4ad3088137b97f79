import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { DroppedMessages, jsonOf, storableJsonOf, textOf } from "../../schemas/received.ts";
import { until } from "../harness/until.ts";

describe("reading a message", () => {
  const read = jsonOf(Type.Object({ n: Type.Integer(), more: Type.Optional(Type.Boolean()) }), 100);

  test("gives the value of what is of its form", () => {
    expect(read('{"n":1,"more":true}')).toEqual({ value: { n: 1, more: true } });
  });

  test.each([
    ["", "not JSON"],
    ["{", "not JSON"],
    ["null", "not of its form"],
    ["[]", "not of its form"],
    ['{"n":"1"}', "not of its form"],
    ['{"n":{"toString":1}}', "not of its form"],
    [`{"n":1,"x":"${"x".repeat(100)}"}`, "longer than 100 characters"],
  ])("gives the reason for %s and throws nothing", (text, reason) => {
    expect(read(text)).toEqual({ reason });
  });

  test.each([
    String.raw`{"error":"a\u0000b"}`,
    String.raw`{"error":"\ud800x"}`,
    String.raw`{"error":"\uDC00"}`,
    String.raw`{"error":null,"x":{"\u0000":1}}`,
  ])("from outside refuses text that the database cannot store: %s", (text) => {
    const report = storableJsonOf(Type.Object({ error: Type.Union([Type.String(), Type.Null()]) }), 1_000);
    expect(report(text)).toEqual({ reason: "text with U+0000 or a lone surrogate" });
  });

  test("from outside takes characters that are written as escapes", () => {
    const report = storableJsonOf(Type.Object({ error: Type.String() }), 1_000);
    expect(report(String.raw`{"error":"\ud83d\ude00 \\u0000"}`)).toEqual({ value: { error: "😀 \\u0000" } });
  });

  test("survives JSON as deep as it is long", () => {
    const deep = jsonOf(Type.Unknown(), 10_000_000);
    expect(() => deep("[".repeat(5_000_000))).not.toThrow();
  });

  test("of text looks at the whole of it", () => {
    const id = textOf(/^[0-9a-f]{24}$/, 24);
    expect(id("a".repeat(24))).toEqual({ value: "a".repeat(24) });
    expect(id("a".repeat(25))).toEqual({ reason: "longer than 24 characters" });
    expect(id("g".repeat(24))).toEqual({ reason: "not of its form" });
  });
});

describe("messages that were dropped", () => {
  test("are counted one by one and said once a while, with their number", async () => {
    const said: unknown[] = [];
    const dropped = new DroppedMessages((line) => said.push(line), 100);
    for (let n = 0; n < 300; n++) dropped.add("events", "not JSON");
    dropped.add("leases", "its handler failed");
    expect(said).toEqual([
      { kind: "events", count: 1, reason: "not JSON" },
      { kind: "leases", count: 1, reason: "its handler failed" },
    ]);
    await until(() => said.length === 3);
    expect(said[2]).toEqual({ kind: "events", count: 299, reason: "not JSON" });
    expect(dropped.counts).toEqual(
      new Map([
        ["events", 300],
        ["leases", 1],
      ]),
    );
  });
});
