import { describe, expect, test } from "bun:test";
import { chunked, curl, linesOf, startPipe } from "./pipe-server.ts";

const pipe = startPipe();

/** The response of a receiver with this query, to a sender with these lines. */
async function received(lines: readonly string[], query = "", receiverLines: readonly string[] = []) {
  const path = pipe.path();
  const sender = (await pipe.request("POST", path, ["Content-Length: 5", ...lines])).send("hello");
  await sender.sees("Waiting");
  return (await pipe.request("GET", `${path}?${query}`, receiverLines)).response();
}

describe("of a sender's header, receivers get", () => {
  test("what the spec forwards, and nothing else", async () => {
    const { headers } = await received([
      "Content-Type: text/csv; charset=utf-8; header=present",
      'Content-Disposition: attachment; filename="a.csv"',
      "X-Piping: one",
      "X-Service-Pipe: two",
      "X-Other: three",
      "Authorization: Bearer secret",
      "Cookie: secret",
    ]);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-length")).toBe("5");
    expect(headers.get("content-disposition")).toBe('attachment; filename="a.csv"');
    expect(headers.get("x-piping")).toBe("one");
    expect(headers.get("x-service-pipe")).toBe("two");
    expect(headers.get("access-control-expose-headers")).toBe("X-Piping, X-Service-Pipe");
    expect(headers.get("x-robots-tag")).toBe("none");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect([...headers.values()].join()).not.toContain("secret");
    expect(headers.has("x-other")).toBe(false);
  });

  test("no expose header when it sent no custom one", async () => {
    const { headers } = await received([]);
    expect(headers.has("access-control-expose-headers")).toBe(false);
    expect(headers.has("x-piping")).toBe(false);
    expect(headers.has("content-type")).toBe(false);
    expect(headers.has("content-disposition")).toBe(false);
  });

  test("one custom header is enough for the expose header", async () => {
    expect((await received(["X-Service-Pipe: x"])).headers.has("access-control-expose-headers")).toBe(true);
  });

  test("custom headers of 8 KiB each, whole", async () => {
    const [one, two] = ["a".repeat(8192), "b".repeat(8192)];
    const { headers } = await received([
      `X-Piping: ${one}`,
      `X-Service-Pipe: ${two}`,
      `Cookie: ${"c".repeat(8_000)}`,
    ]);
    expect(headers.get("x-piping")).toBe(one);
    expect(headers.get("x-service-pipe")).toBe(two);
  });

  test("no more than 8 KiB of a longer one, and no control characters", async () => {
    const { headers } = await received([
      `X-Piping: ${"a".repeat(10_000)}`,
      "X-Service-Pipe: a\x01\x1b[31m\tb\x7f",
    ]);
    expect(headers.get("x-piping")).toBe("a".repeat(8192));
    expect(headers.get("x-service-pipe")).toBe("a[31mb");
  });

  test("a script's type as plain text, an inline disposition of it as an attachment", async () => {
    const { headers } = await received([
      "Content-Type: text/html; charset=utf-8",
      "Content-Disposition: inline",
    ]);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("content-disposition")).toBe("inline");
    const unknown = await received([
      "Content-Type: application/x-thing",
      'Content-Disposition: inline; filename="x"',
    ]);
    expect(unknown.headers.get("content-disposition")).toBe('attachment; filename="x"');
  });

  test("the file name that the receiver asked for", async () => {
    const { headers } = await received(
      ['Content-Disposition: attachment; filename="a"'],
      "filename=..%2F%C3%A4%0D%0A.txt",
    );
    expect(headers.get("content-disposition")).toBe(
      "attachment; filename=_.txt; filename*=UTF-8''%C3%A4.txt",
    );
  });

  test("no length of a chunked body, but its end", async () => {
    const path = pipe.path();
    const sender = await pipe.request("POST", path, ["Transfer-Encoding: chunked"]);
    sender.send(chunked("hello"), "0\r\n\r\n");
    const { headers, body, isWhole } = await (await pipe.request("GET", path)).response();
    expect([headers.get("content-length"), headers.get("transfer-encoding")]).toEqual([null, "chunked"]);
    expect([body.toString(), isWhole]).toEqual(["hello", true]);
  });
});

describe("HTTP/1.0", () => {
  test("a receiver gets a length, or an end of the connection, and never chunks", async () => {
    for (const lines of [["Content-Length: 5"], ["Transfer-Encoding: chunked"]]) {
      const path = pipe.path();
      const receiver = await pipe.request("GET", path, [], 0);
      const sender = await pipe.request("POST", path, lines);
      sender.send(lines[0]?.includes("chunked") ? `${chunked("hello")}0\r\n\r\n` : "hello");
      const { headers, body, isWhole } = await receiver.response();
      expect([body.toString(), isWhole]).toEqual(["hello", true]);
      expect([headers.get("transfer-encoding"), headers.get("connection")]).toEqual([null, "close"]);
      expect(await receiver.over()).toBe("ended");
    }
  });

  test("curl sends and receives by it", async () => {
    const path = pipe.path();
    const sender = curl("-0", "--data-binary", "@/etc/hostname", pipe.url(path));
    const receiver = await curl("-0", pipe.url(path)).done();
    expect(receiver).toEqual({ text: await Bun.file("/etc/hostname").text(), code: 0 });
    expect((await sender.done()).text).toEndWith("[INFO] Transfer complete.\n");
  });
});

test("a sender that waits for 100 Continue gets it, and its lines", async () => {
  const path = pipe.path();
  const sender = await pipe.request("POST", path, ["Content-Length: 5", "Expect: 100-continue"]);
  await sender.sees("Waiting");
  expect(sender.text).toStartWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n");
  sender.send("hello");
  expect((await (await pipe.request("GET", path)).response()).body.toString()).toBe("hello");
  expect(linesOf((await sender.response()).body).at(-1)).toBe("[INFO] Transfer complete.");
});

test("a sender that waits for 100 Continue and is refused is not told to go on", async () => {
  const sender = await pipe.request("POST", "/api/v1/pipe/help", [
    "Content-Length: 5",
    "Expect: 100-continue",
  ]);
  const { status, headers } = await sender.response();
  expect([status, headers.get("connection")]).toEqual([400, "close"]);
  expect(sender.text).not.toContain("100 Continue");
});

describe("multipart", () => {
  const CONTENT = "x".repeat(1_000);

  test("curl -F: the first file, with its type and disposition, without a length", async () => {
    const path = pipe.path();
    const form = ["-F", "field=1", "-F", "f=@-;type=text/html;filename=a.html", "-F", "g=@/etc/hostname"];
    const sender = Bun.spawn(["curl", "-s", ...form, "-H", "X-Piping: meta", pipe.url(path)], {
      stdin: Buffer.from(CONTENT),
      stdout: "pipe",
    });
    const { headers, body, isWhole } = await (await pipe.request("GET", path)).response();
    expect(headers.get("content-type")).toBe("text/plain");
    expect(headers.get("content-disposition")).toBe('attachment; name="f"; filename="a.html"');
    expect(headers.get("x-piping")).toBe("meta");
    expect(headers.has("content-length")).toBe(false);
    expect([body.toString(), isWhole]).toEqual([CONTENT, true]);
    expect(await new Response(sender.stdout).text()).toEndWith("[INFO] Transfer complete.\n");
  });

  test("without a file: the sender's transfer failed, and receivers get 500", async () => {
    const path = `${pipe.path()}?n=2`;
    const receivers = await Promise.all([1, 2].map(() => pipe.request("GET", path)));
    const sender = curl("-F", "field=1", "-F", "other=2", pipe.url(path));
    for (const receiver of receivers) {
      expect((await receiver.response()).status).toBe(500);
      expect(receiver.text).toContain("the multipart body has no file part");
    }
    expect((await sender.done()).text).toEndWith(
      "[INFO] Streaming to 2 receiver(s)...\n[ERROR] Transfer failed\n",
    );
    await pipe.isFree();
  });

  test("that breaks off in its file is no clean end, although the request's own body is whole", async () => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    const begin = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nhello there';
    const rest = "\r\n--b";
    const type = "Content-Type: multipart/form-data; boundary=b";
    const sender = await pipe.request("POST", path, [type, `Content-Length: ${begin.length + rest.length}`]);
    sender.send(begin);
    await receiver.sees("hello there");
    sender.send(rest);
    expect(await receiver.over()).toBe("broken");
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[ERROR] Transfer failed");
  });

  test("without a boundary is refused", async () => {
    const sender = await pipe.request("POST", pipe.path(), [
      "Content-Length: 5",
      "Content-Type: multipart/form-data",
    ]);
    expect((await sender.response()).status).toBe(400);
    await pipe.isFree();
  });
});
