import { expect, test } from "bun:test";
import { findCredential } from "../../../../agents/edge/auth/foreign-credentials.ts";
import { parseHead } from "../../../../agents/http1/head.ts";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (typ: string, iss = "berth") =>
  `${part({ alg: "EdDSA", typ })}.${part({ iss, sub: "1" })}.${"s".repeat(43)}`;

const ACCESS = jwt("at+jwt");
const API_TOKEN = `berth_${"0".repeat(24)}_${"a".repeat(43)}`;
const REFRESH = `${"1".repeat(24)}.${"2".repeat(24)}.${"b".repeat(22)}.${"c".repeat(43)}`;
const CONTAINER = jwt("container+jwt");

const base64 = (text: string) => Buffer.from(text).toString("base64");
const find = (line: string, ...headers: string[]) =>
  findCredential(
    parseHead(Buffer.from([line, "Host: a.example", ...headers, "", ""].join("\r\n"), "latin1")),
  );

test.each([
  ["an access token", ACCESS],
  ["an API token", API_TOKEN],
  ["a refresh token", REFRESH],
])("%s is found in a header, an address, HTTP Basic and a WebSocket subprotocol", (_what, token) => {
  const found = [
    find("GET / HTTP/1.1", `Authorization: Bearer ${token}`),
    find("GET / HTTP/1.1", `Cookie: a=b; session=${token}`),
    find(`GET /x?y=${token} HTTP/1.1`),
    find(`GET /x?y=${token.replaceAll(".", "%2e").replaceAll("_", "%5F")} HTTP/1.1`),
    find(`GET /x?y=${token.replaceAll(".", "%252e").replaceAll("_", "%255F")} HTTP/1.1`),
    find("GET / HTTP/1.1", `Authorization: Basic ${base64(`demo:${token}`)}`),
    find("GET / HTTP/1.1", `Authorization: Basic ${base64(`${token}:`)}`),
    find("GET / HTTP/1.1", `Authorization: basic ${base64(token)}`),
    find(
      "GET / HTTP/1.1",
      `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString("base64url")}, chat`,
    ),
  ];
  expect(found).toEqual(found.map(() => "api"));
});

const escapedBy = (write: (code: string) => string) => (text: string) =>
  text.replace(/[a-z_.]/g, (sign) => write(sign.charCodeAt(0).toString(16).padStart(2, "0")));
const percent = escapedBy((code) => `%${code}`);
/** Percent signs are encoded again and again. */
const repeated = (text: string, times: number) =>
  Array.from({ length: times - 1 }).reduce((once: string) => once.replaceAll("%", "%25"), percent(text));

test.each([
  ["an access token", ACCESS],
  ["an API token", API_TOKEN],
  ["a refresh token", REFRESH],
])("%s is found in every spelling that a program or a framework may read as it", (_what, token) => {
  const json = JSON.stringify({ user: { name: "demo" }, access_token: token });
  const spellings = {
    "percent-encoded eight times": repeated(token, 8),
    "as JavaScript's escape() writes": escapedBy((code) => `%u00${code}`)(token),
    "the same, and percent-encoded": escapedBy((code) => `%25u00${code}`)(token),
    "escaped as in JSON": escapedBy((code) => `\\u00${code}`)(token),
    "escaped as in JavaScript": escapedBy((code) => `\\x${code}`)(token),
    "a quoted string with quoted pairs": `"${token.replace(/[_.g-z]/g, "\\$&")}"`,
    "JSON, in Base64": base64(json),
    "JSON, in base64url": Buffer.from(json).toString("base64url"),
    "JSON, in Base64, percent-encoded": encodeURIComponent(base64(json)),
    "JSON, in Base64 after a mark": `base64-${base64(json)}`,
    "Base64 in JSON in Base64": base64(JSON.stringify({ value: base64(json) })),
  };
  for (const [name, spelling] of Object.entries(spellings)) {
    const inCookie = find("GET / HTTP/1.1", `Cookie: a=b; session=${spelling}`);
    const inAddress = find(`GET /x?y=${spelling.replaceAll('"', "%22")} HTTP/1.1`);
    expect({ name, inCookie, inAddress }).toEqual({ name, inCookie: "api", inAddress: "api" });
  }
  expect(find("GET / HTTP/1.1", `Authorization: Basic\t${base64(`demo:${token}`)}`)).toBe("api");
  expect(find(`GET /x/${base64(token)} HTTP/1.1`)).toBe("api");
});

test("a credential in pieces is none: no reader puts the pieces together by itself", () => {
  const half = API_TOKEN.length / 2;
  const [first, second] = [API_TOKEN.slice(0, half), API_TOKEN.slice(half)];
  expect(find("GET / HTTP/1.1", `X-Token: ${first}`, `X-Token: ${second}`)).toBeUndefined();
  expect(find(`GET /?a=${first}&b=${second} HTTP/1.1`)).toBeUndefined();
  // A reader that knows the folding of old would put these together.
  expect(() => find("GET / HTTP/1.1", `X-Token: ${first}`, ` ${second}`)).toThrow("malformed");
});

test("what is escaped or in Base64 again and again is decoded a few times, and no more", () => {
  const escaped = (times: number) => API_TOKEN.replaceAll("_", `%${"25".repeat(times - 1)}5F`);
  expect(find(`GET /?x=${escaped(8)} HTTP/1.1`)).toBe("api");
  expect(find(`GET /?x=${escaped(9)} HTTP/1.1`)).toBeUndefined();
  const encoded = (times: number): string => (times === 0 ? API_TOKEN : base64(encoded(times - 1)));
  expect(find("GET / HTTP/1.1", `X-Text: ${encoded(2)}`)).toBe("api");
  expect(find("GET / HTTP/1.1", `X-Text: ${encoded(3)}`)).toBeUndefined();
  const texts = [`%${"25".repeat(20_000)}62`, "A".repeat(45_000), `\\${"\\".repeat(40_000)}u0062`];
  for (const text of texts) expect(find("GET / HTTP/1.1", `X-Text: ${text}`)).toBeUndefined();
});

test("a container token is told apart, also in HTTP Basic; beside one of the API it does not hide it", () => {
  expect(find("GET / HTTP/1.1", `Authorization: Basic ${base64(`x:${CONTAINER}`)}`)).toBe("container");
  expect(
    find("GET / HTTP/1.1", `Cookie: c=${CONTAINER}`, `Authorization: Basic ${base64(`x:${ACCESS}`)}`),
  ).toBe("api");
});

test("credentials of other services pass", () => {
  expect(
    find("GET / HTTP/1.1", `Authorization: Bearer ${jwt("at+jwt", "https://other.example")}`),
  ).toBeUndefined();
  expect(find("GET / HTTP/1.1", `Authorization: Basic ${base64("ada:correct horse")}`)).toBeUndefined();
  expect(find("GET /%2525252525 HTTP/1.1")).toBeUndefined();
});
