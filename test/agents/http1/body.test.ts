import { expect, test } from "bun:test";
import { BodyError, decoderFor } from "../../../agents/http1/body.ts";

/** What a decoder makes of a body that comes in these pieces. */
function decode(kind: "chunked" | number, pieces: readonly Buffer[]) {
  const decoder = decoderFor(kind === "chunked" ? { kind } : { kind: "length", bytes: kind });
  let data = "";
  let rest = "";
  for (const piece of pieces) {
    if (decoder.done) rest += piece.toString("latin1");
    else {
      const step = decoder.push(Buffer.from(piece));
      data += step.data.toString("latin1");
      rest += step.rest.toString("latin1");
    }
  }
  return { data, rest, done: decoder.done };
}

const CHUNKED =
  "5\r\nhello\r\n1;name=value\r\n \r\n00a;x\r\nbig world!\r\n000\r\nTrailer: x\r\n\r\nGET /next";
const EXPECTED = { data: "hello big world!", rest: "GET /next", done: true };

test("a chunked body is the same wherever it is cut in two", () => {
  const whole = Buffer.from(CHUNKED);
  for (let cut = 0; cut <= whole.length; cut++) {
    expect(decode("chunked", [whole.subarray(0, cut), whole.subarray(cut)])).toEqual(EXPECTED);
  }
});

test("a chunked body is the same byte by byte, and in random pieces", () => {
  const whole = Buffer.from(CHUNKED);
  expect(
    decode(
      "chunked",
      [...whole].map((byte) => Buffer.from([byte])),
    ),
  ).toEqual(EXPECTED);
  for (let round = 0; round < 500; round++) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < whole.length; ) {
      const length = 1 + Math.floor(Math.random() * 20);
      pieces.push(whole.subarray(at, at + length));
      at += length;
    }
    expect(decode("chunked", pieces)).toEqual(EXPECTED);
  }
});

test("a chunked body is not done before its last line end", () => {
  const whole = Buffer.from(CHUNKED.slice(0, CHUNKED.indexOf("GET")));
  for (let cut = 0; cut < whole.length; cut++) {
    expect(decode("chunked", [whole.subarray(0, cut)]).done).toBe(false);
  }
});

test("a body of a length ends there, and what follows is not its own", () => {
  const whole = Buffer.from("hello worldGET /next");
  for (let cut = 0; cut <= whole.length; cut++) {
    expect(decode(11, [whole.subarray(0, cut), whole.subarray(cut)])).toEqual({
      data: "hello world",
      rest: "GET /next",
      done: true,
    });
  }
});

test.each([
  "\n",
  "5\n",
  " 5\r\n",
  "0x5\r\n",
  "5 5\r\n",
  "\r\n",
  ";\r\n",
  "5\r\nhelloX\r\n",
  "5\r\nhelloX",
  "5\r\nhello\rX",
  "5\r\nhello\n",
  "g\r\n",
  "g",
  "5 5",
  "5\r5",
  "12345678901234",
  "20000000000000\r\n",
  "5;\r\n",
  "5 ;a\r\n",
  "5;a \r\n",
  "5; a\r\n",
  "5;a=\r\n",
  "5;a=b c\r\n",
  "5;a=(b)\r\n",
  "5;\x01",
  '5;a="b\r\n',
  '5;a="b\\"\r\n',
  '5;a="b"c\r\n',
  "5;a;;b\r\n",
  "0\r\nTrailer\r\n",
  "0\r\nTrailer : x\r\n",
  "0\r\n: x\r\n",
  "0\r\n x: y\r\n",
  "0\r\nx: \x0b\r\n",
  "0\r\nx: \0\r\n",
  "0\r\ncontent-length: 3\r\n",
  "0\r\nTransfer-Encoding: chunked\r\n",
  "0\r\nHost: a\r\n",
])("a chunked body of %j is refused", (text) => {
  expect(() => decode("chunked", [Buffer.from(text)])).toThrow(BodyError);
});

test.each(["5;a", "5;a=b", "5;a;b=c;d", '5;a="b c;\\"\\\\"', '5;a="";b', '5;a="\xe9"'])(
  "a chunk that begins with %j is read",
  (begin) => {
    expect(decode("chunked", [Buffer.from(`${begin}\r\nhello\r\n0\r\n\r\n`, "latin1")])).toMatchObject({
      data: "hello",
      done: true,
    });
  },
);

test("a body with more framing than data is refused, and one of single bytes is not", () => {
  const chunk = (extension: string) => Buffer.from(`1${extension}\r\nx\r\n`);
  const many = (extension: string) => Array.from({ length: 2_000 }, () => chunk(extension));
  expect(decode("chunked", many("")).data).toHaveLength(2_000);
  expect(decode("chunked", many(";a=b")).data).toHaveLength(2_000);
  expect(() => decode("chunked", many(`;${"x".repeat(1_000)}`))).toThrow(BodyError);
});
