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
