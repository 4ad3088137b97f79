import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { inlined } from "../harness/inlined-document.ts";
import { type Stack, startStack } from "../harness/stack.ts";
import {
  HOSTILE_ARRAYS,
  HOSTILE_HEADERS,
  HOSTILE_OBJECTS,
  HOSTILE_SCALARS,
  HOSTILE_TEXTS,
  UNDOCUMENTED_HEADERS,
} from "./hostile.ts";
import { type Field, type Operation, operationsOf, takes } from "./operations.ts";
import { type HttpRequest, requestWith } from "./request.ts";

/** Values that make programs throw, in every field of every route. Routes and fields come from the API's description. */

/** Thousands of requests on a machine that others share. */
const LIMIT_MS = 1_200_000;
const IN_FLIGHT_MAX = 8;
const FAULTS_SHOWN_MAX = 25;

let stack: Stack;
let operations: Operation[];
beforeAll(async () => {
  stack = await startStack();
  operations = operationsOf(inlined((await stack.call("GET", "/openapi/json")).body)).sort(
    (a, b) => Number(endsSession(a)) - Number(endsSession(b)),
  );
});
// A new one for each test, which ends its session and may change its password when it comes to the routes that do so.
let token: string;
beforeEach(async () => {
  ({ token } = await stack.user({ role: "admin" }));
});
afterAll(() => stack.stop());

/** These come last. */
const endsSession = ({ name }: Operation) => /logout|sessions|password/.test(name);

interface Attack {
  readonly operation: Operation;
  readonly request: HttpRequest;
  /** The answer must be 400: the schema has no place for such a value. */
  readonly isRefused: boolean;
}

function* attacks(kind: (field: Field) => boolean): Generator<Attack> {
  for (const operation of operations) {
    for (const field of operation.fields.filter(kind)) {
      const isBody = field.in === "body";
      const make = (value: string, isRefused = false) => ({
        operation,
        request: requestWith(operation, field, value),
        isRefused,
      });
      if (isBody) for (const value of HOSTILE_OBJECTS) yield make(value, !takes(field.schema, "object"));
      if (isBody) for (const value of HOSTILE_ARRAYS) yield make(value, !takes(field.schema, "array"));
      if (isBody) for (const value of HOSTILE_SCALARS) yield make(value);
      if (field.in === "query" || field.in === "path") for (const value of HOSTILE_TEXTS) yield make(value);
      if (field.in === "header") for (const value of HOSTILE_HEADERS) yield make(value);
    }
  }
}

/** Each route gets each of the headers once; which value it gets differs from route to route. */
function* headerAttacks(): Generator<Attack> {
  for (const [at, operation] of operations.entries()) {
    for (const [index, name] of UNDOCUMENTED_HEADERS.entries()) {
      const value = HOSTILE_HEADERS[(at + index) % HOSTILE_HEADERS.length] ?? "";
      const field: Field = { in: "header", name, schema: { type: "string" } };
      yield { operation, request: requestWith(operation, field, value), isRefused: false };
    }
  }
}

async function send(
  { method, target, headers, body }: HttpRequest,
  bearer: string | undefined,
): Promise<number> {
  const response = await fetch(stack.url + target, {
    method,
    redirect: "manual",
    headers: { ...headers, ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
    ...(body === undefined ? {} : { body }),
  });
  // A stream of events would never end.
  await response.body?.cancel();
  return response.status;
}

/** Sends everything, so much at once and no more, and tells what was answered wrongly. */
async function faultsOf(all: Iterable<Attack>): Promise<{ sent: number; faults: string[] }> {
  const left = all[Symbol.iterator]();
  const faults: string[] = [];
  let sent = 0;
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      const { operation, request, isRefused } = next.value;
      const status = await send(request, operation.isPublic ? undefined : token);
      sent++;
      // Nobody who is not signed in gets as far as the value.
      const isMissed = status === 401 && !operation.isPublic && !endsSession(operation);
      if (isMissed || (isRefused ? status !== 400 : status >= 500))
        faults.push(`${status}: ${JSON.stringify({ ...request, body: request.body?.slice(0, 200) })}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT_MAX }, worker));
  return { sent, faults };
}

test.each([
  ["body", 5_000],
  ["query", 1_000],
  ["path", 1_000],
  ["header", 500],
] as const)(
  "no value of any field in the %s makes a route fail",
  async (place, expected) => {
    const { sent, faults } = await faultsOf(attacks((field) => field.in === place));
    expect(faults.slice(0, FAULTS_SHOWN_MAX)).toEqual([]);
    expect(sent).toBeGreaterThan(expected);
  },
  LIMIT_MS,
);

test(
  "no value of a header that a description does not name makes a route fail",
  async () => {
    const { sent, faults } = await faultsOf(headerAttacks());
    expect(faults.slice(0, FAULTS_SHOWN_MAX)).toEqual([]);
    expect(sent).toBeGreaterThan(500);
  },
  LIMIT_MS,
);

test("the gateway logged no fault", async () => {
  const log = await Bun.file(`${stack.logs}/gateway.log`).text();
  expect(log.split("\n").filter((line) => line.includes("a request failed"))).toEqual([]);
});
