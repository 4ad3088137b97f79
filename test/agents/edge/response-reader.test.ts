import { expect, test } from "bun:test";
import { ResponseReader } from "../../../agents/edge/response-reader.ts";
import { Refusal } from "../../../agents/http1/refusal.ts";

const WHOLE = Buffer.from("HTTP/1.1 200 All right\r\nX-App:  1 \r\nContent-Length: 4\r\n\r\nbody");

test("a response's header is read alike wherever its bytes were cut, and what follows is left", () => {
  for (let cut = 1; cut < WHOLE.length; cut++) {
    const reader = new ResponseReader();
    reader.push(WHOLE.subarray(0, cut), 1);
    const early = reader.next("GET");
    const isWhole = cut >= WHOLE.length - "body".length;
    expect(early !== undefined).toBe(isWhole);
    const rests = [early === undefined ? Buffer.alloc(0) : reader.rest()];
    reader.push(WHOLE.subarray(cut), 2);
    const head = early ?? reader.next("GET");
    expect([head?.status, head?.reason, head?.headers.get("x-app"), head?.framing]).toEqual([
      200,
      "All right",
      "1",
      { kind: "length", bytes: 4 },
    ]);
    expect(Buffer.concat([...rests, reader.rest()]).toString()).toBe("body");
  }
});

test("interim headers and the final one are read from one piece", () => {
  const reader = new ResponseReader();
  reader.push(
    Buffer.concat([Buffer.from("HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 100\r\n\r\n"), WHOLE]),
    1,
  );
  const seen = [1, 2, 3].map(() => reader.next("GET"));
  expect(seen.map((head) => [head?.status, head?.reason])).toEqual([
    [103, "Early"],
    [100, ""],
    [200, "All right"],
  ]);
  expect(reader.rest().toString()).toBe("body");
});

test.each([
  "HTTP/1.1 200 OK\r",
  "HTTP/1.1 20 OK",
  "HTTP/1.1  200 OK",
  "HTTP/1.2 200 OK",
  "HTTP/1.1 2000 OK",
  "HTTP/1.1 200\tOK",
  "HTTP/1.1 200 O\0K",
  "http/1.1 200 OK",
  "HTTP/1.1 099 OK",
])("a status line %j is no HTTP", (line) => {
  const reader = new ResponseReader();
  reader.push(Buffer.from(`${line}\r\nContent-Length: 0\r\n\r\n`, "latin1"), 1);
  expect(() => reader.next("GET")).toThrow(Refusal);
});
