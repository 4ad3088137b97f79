import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sendRaw } from "./raw-http.ts";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const answer = async (path: string) => {
  const head = `GET ${path} HTTP/1.1\r\nHost: b\r\nAuthorization: Bearer ${app.token}\r\n\r\n`;
  const { status, text } = await sendRaw(app.port, head);
  const body = JSON.parse(Buffer.from(text.slice(text.indexOf("\r\n\r\n")), "latin1").toString());
  return status === 200 ? body.data.query : `${status} ${body.message}`;
};

describe("query", () => {
  test("known keys arrive decoded", async () => {
    expect(await answer("/api/v1/boats?search=a+b%26%C3%A9&limit=3")).toEqual({
      search: "a b&é",
      limit: "3",
    });
  });

  test("an unknown key is refused, also by a route that takes no query", async () => {
    expect(await answer("/api/v1/boats?serach=a")).toBe("400 query.serach: unknown field");
    expect(await answer("/api/v1/boats?__proto__=a")).toBe("400 query.__proto__: unknown field");
    expect(await answer(`/api/v1/boats/${"c".repeat(24)}?limit=1`)).toBe("400 query.limit: unknown field");
  });

  test("a repeated key is refused where one value is meant, and a list where several are", async () => {
    const once = "400 query.search: must be given once, as a string of at most 50 characters";
    expect(await answer("/api/v1/boats?search=a&search=b")).toBe(once);
    expect(await answer("/api/v1/boats?search=a&se%61rch=a")).toBe(once);
    expect(await answer("/api/v1/boats?rigs=a&rigs=b")).toEqual({ rigs: ["a", "b"] });
    expect(await answer("/api/v1/boats?limit=1&&search=a&")).toEqual({ limit: "1", search: "a" });
  });

  test("a value that breaks its schema is named with its rule", async () => {
    expect(await answer("/api/v1/boats?limit=0x10")).toBe(
      "400 query.limit: must have this form: ^[0-9]{1,9}$",
    );
  });
});

describe("percent-encoding", () => {
  test("what is broken, no UTF-8, or NUL is refused where it stands", async () => {
    const rule = "must be UTF-8, percent-encoded, without NUL";
    for (const bad of ["%00", "%ff", "%ED%A0%80", "%zz", "%"]) {
      expect(await answer(`/api/v1/boats/${bad}`)).toBe(`400 path: ${rule}`);
      expect(await answer(`/api/v1/boats?search=${bad}`)).toBe(`400 query.search: ${rule}`);
      expect(await answer(`/api/v1/boats?${bad}=1`)).toBe(`400 query: ${rule}`);
    }
  });

  test("a parameter of the path is checked by its schema", async () => {
    expect(await answer("/api/v1/boats/x%2Fy")).toBe(
      "404 No record has such an id: path.id: must have this form: 24 hexadecimal characters",
    );
  });
});
