import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { ApiDocument } from "../../gateway/openapi/document.ts";
import type { JsonSchema } from "../../gateway/openapi/json-schema.ts";
import type { ApiOperation } from "../../gateway/openapi/operation.ts";
import { ERROR_STATUS, STATUS_TEXT } from "../../schemas/errors.ts";
import { sample } from "../fuzz/sample.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../harness/embedded-stack.ts";
import { inlined } from "../harness/inlined-document.ts";

/** What every route of the API does with input that is wrong. Routes come from the document, so that none is forgotten. */

interface Operation {
  readonly name: string;
  readonly method: string;
  /** With an id that nothing has in place of each parameter. */
  readonly path: string;
  readonly pattern: string;
  readonly open: boolean;
  readonly spec: ApiOperation;
  /** The schema of its body; undefined where it takes none. */
  readonly body: JsonSchema | undefined;
}

const MISSING = "0123456789abcdef01234567";
/** Parameters that are no ids, each with a value that nothing has. */
const MISSING_OF: Readonly<Record<string, string>> = { user_code: "BCDF-GHJK" };
const TIME_LIMIT_MS = 240_000;
/** One mistake is in every route, and one line of each is enough to see it. */
const FAULTS_SHOWN_MAX = 25;
const BODY_BYTES_MAX = 1024 * 1024;

let stack: EmbeddedStack;
let admin: TestUser;
let operations: Operation[];
beforeAll(async () => {
  stack = await startEmbeddedStack();
  admin = await stack.user({ role: "admin" });
  operations = operationsOf(inlined((await stack.call("GET", "/openapi/json")).body));
  // Last, since a mistake in it would show in all that come after.
  operations.sort((a, b) => Number(a.name.includes("logout")) - Number(b.name.includes("logout")));
});
// New for each test: a sign-out that is taken where it should be refused must not spoil the others.
let token: string;
beforeEach(async () => {
  const { username, password } = admin;
  const { body } = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  token = body.data.access_token;
});
afterAll(async () => {
  const { status } = await stack.call("GET", "/health/live");
  await stack.stop();
  expect(status).toBe(200);
});

function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([pattern, methods]) =>
    Object.entries(methods)
      .filter(() => pattern.startsWith("/api/"))
      .map(([method, spec]) => ({
        name: `${method.toUpperCase()} ${pattern}`,
        method: method.toUpperCase(),
        path: pattern.replace(/\{(\w+)\}/g, (_, name) => MISSING_OF[name] ?? MISSING),
        pattern,
        open: spec.security.length === 0,
        spec,
        body: spec.requestBody?.content["application/json"]?.schema,
      })),
  );
}

interface Sent {
  readonly path?: string;
  readonly method?: string;
  /** Null for none. */
  readonly token?: string | null;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is wrong with the answer to a request that must be refused; undefined when it is refused as it should be. */
async function fault(
  operation: Operation,
  sent: Sent,
  status: number,
  field?: string,
): Promise<string | undefined> {
  const shown = sent.token === undefined ? (operation.open ? null : token) : sent.token;
  const method = sent.method ?? operation.method;
  const response = await fetch(stack.url + (sent.path ?? operation.path), {
    method,
    headers: {
      ...(shown === null ? {} : { authorization: `Bearer ${shown}` }),
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
      ...sent.headers,
    },
    ...(sent.body === undefined ? {} : { body: sent.body }),
  });
  const text = await response.text();
  const say = (what: string) =>
    `${operation.name} ${method} ${JSON.stringify({ ...sent, token: undefined }).slice(0, 120)}: ${what}: ${text.slice(0, 200)}`;
  if (response.status !== status) return say(`${response.status} and not ${status}`);
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(response.headers.get("x-request-id") ?? ""))
    return say("no request id");
  if (!response.headers.get("content-type")?.startsWith("application/json")) return say("no JSON");
  const body = JSON.parse(text);
  const isEnvelope =
    body.statusCode === status &&
    body.error === STATUS_TEXT[status] &&
    typeof body.message === "string" &&
    body.message !== "" &&
    ERROR_STATUS[body.code as keyof typeof ERROR_STATUS] === status;
  if (!isEnvelope) return say("not the envelope");
  if (field !== undefined && body.data?.field !== field) return say(`does not name ${field}`);
  return undefined;
}

/** Checks every operation of a kind, and tells of all that fail at once. */
async function everywhere(
  kind: (operation: Operation) => boolean,
  check: (operation: Operation) => (Promise<string | undefined> | undefined)[],
): Promise<void> {
  const chosen = operations.filter(kind);
  expect(chosen.length).toBeGreaterThan(0);
  const faults: string[] = [];
  for (const operation of chosen) {
    for (const found of await Promise.all(check(operation))) if (found !== undefined) faults.push(found);
  }
  expect(faults.slice(0, FAULTS_SHOWN_MAX)).toEqual([]);
}

const all = () => true;
const closed = ({ open }: Operation) => !open;
const takesBody = ({ body }: Operation) => body !== undefined;
const ICON = "/api/v1/images/{id}/icon";
/** Its parameter is a month, which is there or is none. */
const STATEMENT = "/api/v1/wallet/statements/{month}";
/** Callbacks are bytes until their signature holds. */
const takesBytes = ({ spec }: Operation) => "application/octet-stream" in (spec.requestBody?.content ?? {});
/** Writes of JSON; those that take no body take an empty one. */
const writes = (operation: Operation) => operation.method !== "GET" && !takesBytes(operation);

const isText = ({ type, enum: choices }: JsonSchema) => type === "string" && choices === undefined;

/** A body that is right but for one field, for each field of a kind. */
function spoilt({ body }: Operation, kind: (schema: JsonSchema) => boolean, value: (name: string) => string) {
  const fields = Object.entries(body?.properties ?? {}).filter(([, schema]) => kind(schema));
  return fields.map(([name]) => {
    const { [name]: _, ...rest } = sample(body ?? {}) as Record<string, unknown>;
    const others = Object.entries(rest).map(
      ([key, other]) => `${JSON.stringify(key)}:${JSON.stringify(other)}`,
    );
    return {
      field: `body.${name}`,
      text: `{${[...others, `${JSON.stringify(name)}:${value(name)}`].join(",")}}`,
    };
  });
}

test("the document has the routes, and says of each who may call it", () => {
  expect(operations.length).toBeGreaterThanOrEqual(20);
  expect(
    operations
      .filter(({ open }) => open)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    "GET /api/v1/auth/codehost/callback",
    "GET /api/v1/certificate-authority",
    "GET /api/v1/notifications/public",
    "POST /api/v1/auth/device",
    "POST /api/v1/auth/device/token",
    "POST /api/v1/auth/email/verify",
    "POST /api/v1/auth/login",
    "POST /api/v1/auth/login/passkey",
    "POST /api/v1/auth/login/passkey-challenge",
    "POST /api/v1/auth/login/second-factor",
    "POST /api/v1/auth/recover",
    "POST /api/v1/auth/recovery",
    "POST /api/v1/auth/refresh",
    "POST /api/v1/auth/signup",
    "POST /api/v1/callbacks/cardpay",
    "POST /api/v1/callbacks/cryptopay",
    "POST /api/v1/hosts/enrol",
  ]);
});

test(
  "without a token nobody gets further, whatever else is wrong",
  () =>
    everywhere(closed, (operation) => [
      fault(operation, { token: null }, 401),
      fault(operation, { token: null, path: `${operation.path}?unknown=1` }, 401),
      ...(writes(operation)
        ? [
            fault(operation, { token: null, body: "{" }, 401),
            fault(operation, { token: null, body: "x".repeat(BODY_BYTES_MAX + 1) }, 401),
            fault(operation, { token: null, body: "{}", headers: { "content-type": "text/plain" } }, 401),
          ]
        : []),
    ]),
  TIME_LIMIT_MS,
);

test(
  "with a token that is none nobody gets further",
  () =>
    everywhere(closed, (operation) => [
      fault(operation, { token: "none" }, 401),
      fault(operation, { token: token.slice(0, -4) }, 401),
      fault(operation, { token: `${token}AAAA` }, 401),
    ]),
  TIME_LIMIT_MS,
);

test("who is no administrator is refused on every administrator's route, whatever else is wrong", async () => {
  const user = await stack.user();
  await everywhere(
    ({ pattern }) => pattern.startsWith("/api/v1/admin/"),
    (operation) => [
      fault(operation, { token: user.token }, 403),
      ...(operation.method === "GET" ? [] : [fault(operation, { token: user.token, body: "{" }, 403)]),
    ],
  );
});

test(
  "an unknown query key is named",
  () =>
    everywhere(all, (operation) => [
      fault(operation, { path: `${operation.path}?zzz=1` }, 400),
      ...(operation.method === "GET"
        ? [fault(operation, { path: `${operation.path}?zzz=1` }, 400, "query.zzz")]
        : []),
    ]),
  TIME_LIMIT_MS,
);

test(
  "a URL whose encoding is broken, or stands for NUL, is refused",
  () =>
    everywhere(all, (operation) => [
      ...["%", "%zz", "%00", "%ff", "%ed%a0%80", "a=%00"].map((query) =>
        fault(operation, { path: `${operation.path}?${query}` }, 400),
      ),
    ]),
  TIME_LIMIT_MS,
);

test(
  "an id of another form is not found, and named",
  () =>
    everywhere(
      ({ pattern }) => pattern.includes("{"),
      (operation) => {
        const [, parameter = ""] = /\{(\w+)\}/.exec(operation.pattern) ?? [];
        const body = operation.body === undefined ? {} : { body: JSON.stringify(sample(operation.body)) };
        return [
          "x",
          MISSING.toUpperCase(),
          `${MISSING}0`,
          "%27%20OR%201=1",
          "..%2f..",
          "a".repeat(5_000),
          "%F0%9F%94%A5",
        ].map((id) =>
          fault(
            operation,
            { ...body, path: operation.pattern.replace(/\{\w+\}/, id) },
            operation.pattern === ICON ? 422 : operation.pattern.startsWith(STATEMENT) ? 400 : 404,
            `path.${parameter}`,
          ),
        );
      },
    ),
  TIME_LIMIT_MS,
);

test(
  "an id that nothing has is not found",
  () =>
    everywhere(
      // Every image has an icon, whether it exists or not. Removing a passkey asks for the password before it looks for the passkey.
      ({ pattern, method }) =>
        /\{\w*id\}/i.test(pattern) &&
        pattern !== ICON &&
        !(method === "DELETE" && pattern === "/api/v1/auth/passkeys/{id}"),
      (operation) => {
        const body = operation.body === undefined ? {} : { body: JSON.stringify(sample(operation.body)) };
        return [fault(operation, { ...body, headers: { "if-match": "*" } }, 404)];
      },
    ),
  TIME_LIMIT_MS,
);

/** Whether a path of one pattern is one of another too, as `/notifications/public` is of `/notifications/{id}`. */
function takes(pattern: string, path: string): boolean {
  const [parts, others] = [pattern.split("/"), path.split("/")];
  return (
    parts.length === others.length && parts.every((part, at) => part.startsWith("{") || part === others[at])
  );
}

test(
  "a method that a path does not take is refused with those that it takes",
  () =>
    everywhere(all, (operation) => {
      const taken = operations
        .filter(({ pattern }) => takes(pattern, operation.pattern))
        .map(({ method }) => method);
      const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !taken.includes(method));
      return others.map((method) => fault(operation, { method }, 405));
    }),
  TIME_LIMIT_MS,
);

test(
  "a body that is no JSON is refused",
  () =>
    everywhere(writes, (operation) => [
      ...[
        "{",
        "{'a':1}",
        "[",
        "nul",
        '{"a":1}}',
        '{"a":1,}',
        "{a:1}",
        "undefined",
        "NaN",
        '"\n"',
        "//",
        "\u0000",
      ].map((body) => fault(operation, { body }, 400, "body")),
      fault(operation, { body: Uint8Array.of(0x22, 0xff, 0xfe, 0x22) }, 400, "body"),
      fault(
        operation,
        { body: Uint8Array.of(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d) },
        400,
        "body",
      ),
    ]),
  TIME_LIMIT_MS,
);

test(
  "JSON that is no object is refused",
  () =>
    everywhere(writes, (operation) =>
      ["[]", "[{}]", '"text"', "5", "true"].map((body) => fault(operation, { body }, 400)),
    ),
  TIME_LIMIT_MS,
);

test(
  "a body that is missing where one is due is refused",
  () =>
    everywhere(takesBody, (operation) => [
      ...(operation.spec.requestBody?.required ? [fault(operation, {}, 400)] : []),
      fault(operation, { body: "null" }, 400),
      // Where every field has a default, an empty body is a whole one.
      ...(operation.body?.required?.length ? [fault(operation, { body: "{}" }, 400)] : []),
    ]),
  TIME_LIMIT_MS,
);

test(
  "another content type, or a compressed body, is refused",
  () =>
    everywhere(writes, (operation) => [
      ...[
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=iso-8859-1",
        "application/jsonp",
        "application/xml",
        "*/*",
      ].map((type) => fault(operation, { body: "{}", headers: { "content-type": type } }, 415)),
      fault(operation, { body: "{}", headers: { "content-encoding": "gzip" } }, 415),
    ]),
  TIME_LIMIT_MS,
);

test(
  "an unknown key is named",
  () =>
    everywhere(writes, (operation) => {
      const known = (operation.body === undefined ? {} : sample(operation.body)) as object;
      return ["zzz", "constructor", "toString", "__proto__", "Zzz", " "].map((key) => {
        const pairs = Object.entries(known).map(
          ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
        );
        return fault(operation, { body: `{${[...pairs, `${JSON.stringify(key)}:1`]}}` }, 400, `body.${key}`);
      });
    }),
  TIME_LIMIT_MS,
);

test(
  "text with NUL or half a surrogate pair is refused, in values and in keys",
  () =>
    everywhere(writes, (operation) => [
      ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00a"', '"\\ud83d"', '"\\udd25\\ud83d"'].flatMap(
        (text) => [
          fault(operation, { body: `{${text}:1}` }, 400, "body"),
          fault(operation, { body: `{"zzz":[{"a":${text}}]}` }, 400),
          ...spoilt(operation, isText, () => text).map(({ field, text: body }) =>
            fault(operation, { body }, 400, field),
          ),
        ],
      ),
    ]),
  TIME_LIMIT_MS,
);

test(
  "a number, a boolean, null, a list or an object where text is due is named",
  () =>
    everywhere(takesBody, (operation) =>
      ["12345", "0", "-1.5", "1e300", "true", "null", "[]", '["a"]', "{}", '{"a":"b"}'].flatMap((value) =>
        spoilt(operation, isText, () => value).map(({ field, text }) =>
          fault(operation, { body: text }, 400, field),
        ),
      ),
    ),
  TIME_LIMIT_MS,
);

test(
  "a number that a double rounds is refused",
  () =>
    everywhere(writes, (operation) =>
      ["9007199254740993", "1e400", "-1e400", "123456789012345678901234567890"].map((number) =>
        fault(operation, { body: `{"zzz":${number}}` }, 400, "body.zzz"),
      ),
    ),
  TIME_LIMIT_MS,
);

test(
  "JSON a hundred thousand deep is refused",
  () =>
    everywhere(writes, (operation) => [
      fault(operation, { body: "[".repeat(100_000) }, 400, "body"),
      fault(operation, { body: "[".repeat(100_000) + "]".repeat(100_000) }, 400),
      fault(operation, { body: `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}` }, 400),
      ...spoilt(
        operation,
        () => true,
        () => `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      )
        .slice(0, 1)
        .map(({ text }) => fault(operation, { body: text }, 400)),
    ]),
  TIME_LIMIT_MS,
);

test(
  "a body past a mebibyte is refused, one of a mebibyte is read",
  () =>
    everywhere(writes, (operation) => [
      fault(operation, { body: `{"zzz":"${"x".repeat(BODY_BYTES_MAX)}"}` }, 413),
      fault(operation, { body: `{"zzz":"${"x".repeat(BODY_BYTES_MAX - 10)}"}` }, 400),
    ]),
  TIME_LIMIT_MS,
);

test(
  "an idempotency key that is none is refused",
  () =>
    everywhere(
      ({ spec }) => spec.parameters.some(({ name }) => name === "Idempotency-Key"),
      (operation) => {
        const body = operation.body === undefined ? {} : { body: "{}" };
        return ["", " ", "k".repeat(129)].map((key) =>
          fault(operation, { ...body, headers: { "idempotency-key": key } }, 400, "headers.idempotency-key"),
        );
      },
    ),
  TIME_LIMIT_MS,
);
