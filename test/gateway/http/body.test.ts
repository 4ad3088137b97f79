import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sendRaw } from "./raw-http.ts";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const refusal = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const { status, body: reply } = await app.post("/api/v1/boats", body, headers);
  return `${status} ${reply.code} ${reply.message}`;
};
const chunked = (...chunks: string[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

describe("a body that breaks its schema", () => {
  const cases: [string, string][] = [
    ["", "body: required"],
    ["null", "body: must be an object"],
    ["[]", "body: must be an object"],
    ['"x"', "body: must be an object"],
    ['{"name":"Argo"}', "body.masts: required"],
    ['{"name":"","masts":1}', "body.name: must be a string of 1 to 20 characters"],
    ['{"name":1,"masts":1}', 'body.name: must be a string, such as "1"'],
    ['{"name":true,"masts":1}', "body.name: must be a string of 1 to 20 characters"],
    ['{"name":"Argo","masts":"3"}', "body.masts: must be an integer, 1 to 5"],
    ['{"name":"Argo","masts":1.5}', "body.masts: must be an integer, 1 to 5"],
    ['{"name":"Argo","masts":6}', "body.masts: must be an integer, 1 to 5"],
    ['{"name":"Argo","masts":1,"rig":"x"}', "body.rig: must be one of sloop, ketch"],
    ['{"name":"Argo","masts":1,"oars":2}', "body.oars: unknown field"],
    ['{"name":"Argo","masts":1,"a/b~c":2}', "body.a/b~c: unknown field"],
    ['{"name":"Argo","masts":1,"__proto__":{"a":1}}', "body.__proto__: unknown field"],
    ['{"name":"Argo","masts":1,"constructor":1}', "body.constructor: unknown field"],
  ];
  test.each(cases)("%s is 400 and names the field", async (body, message) => {
    expect(await refusal(body)).toBe(`400 VALIDATION_ERROR ${message}`);
  });

  test("names the field for machines too", async () => {
    const { body } = await app.post("/api/v1/boats", '{"name":"Argo"}');
    expect(body.data).toEqual({ field: "body.masts" });
  });

  test("lists all wrong fields at once, the unknown first: they are why others are missing", async () => {
    const { body } = await app.post("/api/v1/boats", '{"nam":"Argo","masts":6,"oars":2}');
    expect(body.message).toBe("body.nam: unknown field");
    expect(body.data).toEqual({
      field: "body.nam",
      fields: [
        { field: "body.nam", message: "unknown field" },
        { field: "body.oars", message: "unknown field" },
        { field: "body.name", message: "required" },
        { field: "body.masts", message: "must be an integer, 1 to 5" },
      ],
    });
  });

  test("lists no more fields than somebody reads", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, number) => [`oar${number}`, 1]));
    const { body } = await app.post("/api/v1/boats", JSON.stringify(many));
    expect(body.data.fields).toHaveLength(32);
  });
});

describe("values that no schema takes", () => {
  const papers = (json: string) => `{"name":"Argo","masts":1,"papers":{"flag":${json}}}`;
  const tooDeep = "400 VALIDATION_ERROR body: must not nest deeper than 32 levels";

  test("NUL and lone surrogates are refused anywhere, keys included", async () => {
    const rule = "must not hold \\u0000 or half a surrogate pair";
    expect(await refusal('{"name":"A\\u0000","masts":1}')).toBe(`400 VALIDATION_ERROR body.name: ${rule}`);
    expect(await refusal(papers('["a","\\ud800"]'))).toBe(`400 VALIDATION_ERROR body.papers.flag.1: ${rule}`);
    expect(await refusal(papers('{"\\udfff":1}'))).toStartWith("400 VALIDATION_ERROR body.papers.flag: ");
    expect((await app.post("/api/v1/boats", papers('"\\ud83d\\ude80"'))).status).toBe(201);
  });

  test("numbers that a double rounds are refused, in free-form objects too", async () => {
    for (const number of [
      "1e400",
      "-1e400",
      "1000000000000000000000",
      "9007199254740993",
      "9".repeat(100_000),
    ]) {
      expect(await refusal(papers(number))).toBe(
        "400 VALIDATION_ERROR body.papers.flag: must be a number of at most 2^53 - 1",
      );
      expect(await refusal(`{"name":"Argo","masts":${number}}`)).toStartWith(
        "400 VALIDATION_ERROR body.masts: ",
      );
    }
  });

  test("nesting is bounded, and a bomb of it is refused like any other", async () => {
    expect((await app.post("/api/v1/boats", papers("[".repeat(30) + "]".repeat(30)))).status).toBe(201);
    expect(await refusal(papers("[".repeat(31) + "]".repeat(31)))).toBe(tooDeep);
    // Work that grows with the square of these, or a call for each level, would never come to an answer.
    expect(await refusal("[".repeat(100_000) + "]".repeat(100_000))).toBe(tooDeep);
    expect(await refusal('{"a":'.repeat(100_000) + 1 + "}".repeat(100_000))).toBe(tooDeep);
    expect(await refusal("[".repeat(1_000_000))).toBe("400 VALIDATION_ERROR body: must be JSON in UTF-8");
  });
});

describe("what is no JSON", () => {
  test("malformed JSON and broken UTF-8 are 400", async () => {
    const broken = Uint8Array.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('","masts":1}')]);
    for (const body of ["{", "{'name':1}", "undefined", '{"name":"a\0"}', broken]) {
      expect(await refusal(body)).toBe("400 VALIDATION_ERROR body: must be JSON in UTF-8");
    }
  });

  test("a byte order mark before JSON does no harm", async () => {
    expect((await app.post("/api/v1/boats", '\ufeff{"name":"Argo","masts":1}')).status).toBe(201);
  });

  test("any other content type is 415, even where its bytes are JSON", async () => {
    const json = '{"name":"Argo","masts":1}';
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "application/json; charset=utf-16",
    ];
    for (const type of types) {
      expect(await refusal(json, { "content-type": type })).toStartWith("415 UNSUPPORTED_MEDIA_TYPE");
    }
    expect(await refusal(Bun.gzipSync(json), { "content-encoding": "gzip" })).toStartWith("415 ");
    const untyped = `POST /api/v1/boats HTTP/1.1\r\nHost: b\r\nAuthorization: Bearer ${app.token}\r\n`;
    expect((await sendRaw(app.port, `${untyped}Content-Length: 25\r\n\r\n${json}`)).status).toBe(415);
    for (const type of ["application/json;charset=UTF-8", 'APPLICATION/JSON; charset="utf-8"']) {
      expect((await app.post("/api/v1/boats", json, { "content-type": type })).status).toBe(201);
    }
  });

  test("a form does not satisfy a JSON schema", async () => {
    const form = new FormData();
    form.set("name", "Argo");
    const headers = { authorization: `Bearer ${app.token}` };
    const { status } = await app.request("/api/v1/boats", { method: "POST", body: form, headers });
    expect(status).toBe(415);
  });
});

describe("length", () => {
  test("a body over the limit is 413 in the envelope, announced or chunked", async () => {
    const tooLong = "413 PAYLOAD_TOO_LARGE The body is larger than 1 MiB";
    expect(await refusal("x".repeat(1024 * 1024 + 1))).toBe(tooLong);
    const { status, body } = await app.post("/api/v1/boats", chunked(...Array(40).fill("x".repeat(30_000))));
    expect(`${status} ${body.code} ${body.message}`).toBe(tooLong);
  });

  test("a body at the limit is read", async () => {
    const json = '{"name":"Argo","masts":1}';
    const padded = json + " ".repeat(1024 * 1024 - json.length);
    expect((await app.post("/api/v1/boats", padded)).status).toBe(201);
  });

  test("a chunked body is read whole, and an empty one counts as none", async () => {
    expect((await app.post("/api/v1/boats", chunked('{"name":"Ar', 'go","masts":1}'))).status).toBe(201);
    expect((await app.post("/api/v1/boats", chunked())).body.message).toBe("body: required");
  });

  test("the connection stays in step after a body that nobody read", async () => {
    const next = "GET /health/live HTTP/1.1\r\nHost: b\r\n\r\n";
    const post = `POST /api/v1/boats HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n`;
    const { text } = await sendRaw(app.port, post + "x".repeat(3_000_000) + next, 2);
    expect(text).toStartWith("HTTP/1.1 401");
    expect(text).toContain("HTTP/1.1 200");
    const get = "GET /health/live HTTP/1.1\r\nHost: b\r\nContent-Length: 5\r\n\r\nhello";
    expect((await sendRaw(app.port, get + next, 2)).text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
  });
});

describe("a route without a body", () => {
  test("takes none, or an empty object", async () => {
    expect((await app.post("/api/v1/boats/launch")).status).toBe(200);
    expect((await app.post("/api/v1/boats/launch", "{}")).status).toBe(200);
  });

  test("refuses fields", async () => {
    const { status, body } = await app.post("/api/v1/boats/launch", '{"masts":1}');
    expect(`${status} ${body.message}`).toBe("400 body.masts: unknown field");
  });
});

describe("a route that takes bytes", () => {
  test("gets them as they came, of any type", async () => {
    const { body } = await app.post("/raw", "\u0000{é", { "content-type": "text/x" });
    expect(body.data.bytes).toEqual([0, 123, 195, 169]);
  });

  test("has its own limit", async () => {
    expect((await app.post("/raw", "12345678901")).status).toBe(413);
  });
});
