import { describe, expect, test } from "bun:test";
import { headEnd, parseFields, parseHead } from "../../../agents/http1/head.ts";
import { HEAD_BYTES_MAX } from "../../../agents/http1/limits.ts";
import { Refusal } from "../../../agents/http1/refusal.ts";
import { Random } from "../../simulation/random.ts";

const head = (...lines: string[]) => parseHead(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"));

function statusOf(run: () => unknown): number {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
  return 200;
}

test("a request is read into its parts", () => {
  const { method, path, query, minor, headers, framing, keepsAlive } = head(
    "PUT /api/v1/pipe/a%20b?n=2&download HTTP/1.1",
    "Host: pipe.test",
    "X-Piping:  one ",
    "x-piping: two",
    "Content-Length: 12",
  );
  expect({ method, path, minor, framing, keepsAlive }).toEqual({
    method: "PUT",
    path: "/api/v1/pipe/a%20b",
    minor: 1,
    framing: { kind: "length", bytes: 12 },
    keepsAlive: true,
  });
  expect([query.get("n"), query.get("download")]).toEqual(["2", ""]);
  expect(headers.get("x-piping")).toBe("one, two");
});

test("bytes beyond ASCII stay the same bytes", () => {
  expect(head("GET / HTTP/1.1", "Host: a", "X-Piping: \xc3\xa4").headers.get("x-piping")).toBe("\xc3\xa4");
});

test("a target may name the host, too", () => {
  expect(head("GET http://other/x?n=3 HTTP/1.1", "Host: a").path).toBe("/x");
  expect(head("GET http://other HTTP/1.1", "Host: a").path).toBe("/");
  expect(head("OPTIONS * HTTP/1.1", "Host: a").path).toBe("*");
});

describe("what has more than one meaning is refused", () => {
  test.each([
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: 5", "Transfer-Encoding: chunked"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: 5", "Content-Length: 5"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: 5, 5"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: +5"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: -5"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: 0x5"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: 5 5"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length:"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Content-Length: 99999999999999999"]],
    [400, ["POST / HTTP/1.0", "Transfer-Encoding: chunked"]],
    [411, ["POST / HTTP/1.0"]],
    [501, ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked"]],
    [501, ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]],
    [501, ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: xchunked"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: \x0bchunked"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding : chunked"]],
    [400, ["POST / HTTP/1.1", "Host: a", "X: a", " folded"]],
    [400, ["POST / HTTP/1.1", "Host: a", "X: a", "\tfolded"]],
    [400, ["POST / HTTP/1.1", " Host: a"]],
    [400, ["POST / HTTP/1.1", "Host: a", "X: a\nContent-Length: 5"]],
    [400, ["POST / HTTP/1.1", "Host: a", "X: a\rY: b"]],
    [400, ["POST / HTTP/1.1", "Host: a", "X: a\0b"]],
    [400, ["POST / HTTP/1.1", "Host: a", "no colon"]],
    [400, ["POST / HTTP/1.1", "Host: a", ": no name"]],
    [400, ["POST / HTTP/1.1", "Host: a", "Host: b"]],
    [400, ["POST / HTTP/1.1"]],
    [400, ["POST  / HTTP/1.1", "Host: a"]],
    [400, ["POST / HTTP/1.1 ", "Host: a"]],
    [400, ["POST /a b HTTP/1.1", "Host: a"]],
    [400, ["PO\tST / HTTP/1.1", "Host: a"]],
    [400, ["POST relative HTTP/1.1", "Host: a"]],
    [400, ["POST /#x HTTP/1.1", "Host: a"]],
    [400, ["POST /", "Host: a"]],
    [400, ["POST / http/1.1", "Host: a"]],
    [505, ["POST / HTTP/2.0", "Host: a"]],
    [431, ["POST / HTTP/1.1", "Host: a", ...Array.from({ length: 200 }, (_, at) => `X-${at}: 1`)]],
  ] as const)("%i: %j", (status, lines) => {
    expect(statusOf(() => head(...lines))).toBe(status);
  });
});

test("control characters are taken out of what people name, and a tab is a blank", () => {
  const { headers } = head(
    "GET / HTTP/1.1",
    "Host: a",
    "X-Piping: a\x01\x7fb",
    "Content-Disposition: \x1bx",
    "X: a\tb",
  );
  expect(headers.lines.map(({ value }) => value)).toEqual(["a", "ab", "x", "a\tb"]);
  for (const name of ["X-Piping", "Content-Disposition"]) {
    for (const end of ["\0", "\r"])
      expect(() => head("GET / HTTP/1.1", "Host: a", `${name}: a${end}b`)).toThrow(Refusal);
  }
});

test("a header is as large as its bound, and no larger, whether its end has come or not", () => {
  const of = (bytes: number) => Buffer.concat([Buffer.alloc(bytes - 4, "a"), Buffer.from("\r\n\r\n")]);
  expect(headEnd(of(HEAD_BYTES_MAX), 0)).toBe(HEAD_BYTES_MAX);
  expect(statusOf(() => headEnd(of(HEAD_BYTES_MAX + 1), 0))).toBe(431);
  expect(statusOf(() => headEnd(Buffer.alloc(HEAD_BYTES_MAX + 1, "a"), 0))).toBe(431);
  expect(headEnd(Buffer.alloc(HEAD_BYTES_MAX, "a"), 0)).toBe(-1);
});

test("a header's end is found wherever its pieces were cut", () => {
  const whole = Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\nrest");
  for (let cut = 1; cut < whole.length - 4; cut++) {
    const first = headEnd(whole.subarray(0, cut), 0);
    expect(first === -1 ? headEnd(whole, cut) : first).toBe(whole.length - 4);
  }
});

describe("fields that a connection's former request had", () => {
  const FIELDS = "Host: a\r\nCookie: one=1\r\nX-Own:  b \r\nContent-Length: 3\r\n\r\n";
  const read = (line: string, fields = FIELDS, former = firstHead) =>
    parseHead(Buffer.from(`${line}\r\n${fields}`, "latin1"), former);
  const firstHead = parseHead(Buffer.from(`POST /first?a=1 HTTP/1.1\r\n${FIELDS}`, "latin1"));

  test("are the same object while every byte is the same, and only the target is read", () => {
    const next = read("POST /second?a=2 HTTP/1.1");
    expect(next.headers).toBe(firstHead.headers);
    expect([next.target, next.path, next.query.get("a")]).toEqual(["/second?a=2", "/second", "2"]);
    expect(next.framing).toEqual({ kind: "length", bytes: 3 });
    expect(read("POST /third HTTP/1.1", FIELDS, next).headers).toBe(firstHead.headers);
  });

  test("outlive the bytes that they were read from", () => {
    const bytes = Buffer.from(`POST / HTTP/1.1\r\n${FIELDS}`, "latin1");
    const former = parseHead(bytes);
    bytes.fill("z");
    expect(read("POST / HTTP/1.1", FIELDS, former).headers).toBe(former.headers);
    expect(former.headers.get("cookie")).toBe("one=1");
  });

  test("are read again when one byte differs, wherever it is", () => {
    for (let at = 0; at < FIELDS.length - 4; at++) {
      const changed = `${FIELDS.slice(0, at)}\x7f${FIELDS.slice(at + 1)}`;
      expect(statusOf(() => read("POST / HTTP/1.1", changed))).toBe(400);
    }
    const other = read("POST / HTTP/1.1", FIELDS.replace("one=1", "one=2"));
    expect(other.headers.get("cookie")).toBe("one=2");
    expect(read("POST / HTTP/1.1", `X: 1\r\n${FIELDS}`).headers.get("x")).toBe("1");
    expect(
      read("POST / HTTP/1.1", FIELDS.replace("Cookie: one=1\r\n", "")).headers.get("cookie"),
    ).toBeUndefined();
  });

  test("mean something else under another method or version, and are judged again", () => {
    const former = parseHead(Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    expect(statusOf(() => read("POST / HTTP/1.0", "Host: a\r\n\r\n", former))).toBe(411);
    expect(read("GET / HTTP/1.0", "Host: a\r\n\r\n", former).keepsAlive).toBe(false);
    const without = parseHead(Buffer.from("GET / HTTP/1.0\r\n\r\n"));
    expect(statusOf(() => read("GET / HTTP/1.1", "\r\n", without))).toBe(400);
  });

  test("do not excuse a malformed request line", () => {
    for (const line of ["POST  / HTTP/1.1", "POST / HTTP/1.1 ", "POST x HTTP/1.1", "POST / HTTP/1.1\rX: 1"]) {
      expect(statusOf(() => read(line))).toBe(400);
    }
  });
});

/** The grammar of a field line (RFC 9112 §5), as one expression: slower, and written without looking at the parser. */
const FIELD_LINE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no line may have.
  /^(?<name>[!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*(?<value>(?:[^\0-\x20\x7f](?:[^\0-\x08\x0a-\x1f\x7f]*[^\0-\x20\x7f])?)?)[\t ]*$/;

test("fields are read as their grammar has it, whatever stands in them", () => {
  const pieces = [
    "a",
    "Host",
    "accept",
    ":",
    " ",
    "\t",
    "\r\n",
    "\r",
    "\n",
    "\0",
    "\x7f",
    "\xe4",
    "(",
    "b c",
    "x: y",
  ];
  const random = new Random(1);
  let accepted = 0;
  for (let round = 0; round < 20_000; round++) {
    let text = "Host: a";
    for (let left = random.integer(8); left > 0; left--) text += pieces[random.integer(pieces.length)];
    const expected = text.split("\r\n").map((line) => FIELD_LINE.exec(line)?.groups);
    if (expected.some((groups) => groups === undefined)) {
      expect(() => parseFields(text)).toThrow(Refusal);
      continue;
    }
    accepted += 1;
    const fields = parseFields(text).lines.map(({ key, name, value }) => ({ key, name, value }));
    expect(fields).toEqual(
      expected.map((groups) => ({
        key: `${groups?.name}`.toLowerCase(),
        name: `${groups?.name}`,
        value: `${groups?.value}`,
      })),
    );
  }
  expect(accepted).toBeGreaterThan(1_000);
});
