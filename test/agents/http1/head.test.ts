import { describe, expect, test } from "bun:test";
import { headEnd, parseHead } from "../../../agents/http1/head.ts";
import { HEAD_BYTES_MAX } from "../../../agents/http1/limits.ts";
import { Refusal } from "../../../agents/http1/refusal.ts";

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
