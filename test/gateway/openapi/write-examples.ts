import { join } from "node:path";
import { documentOf } from "../../../gateway/openapi/document.ts";
import type { Example } from "../../../gateway/openapi/examples.ts";
import type { ApiOperation } from "../../../gateway/openapi/operation.ts";
import type { RecordedCall } from "../../harness/record-examples.ts";
import { appRoutes } from "../auth/app-routes.ts";
import { problemsOf } from "./example-check.ts";

/**
 * Writes the examples of the API's description from what tests recorded:
 *
 *     BERTH_RECORD_EXAMPLES=/tmp/calls npm test -- test/gateway
 *     bun test/gateway/openapi/write-examples.ts /tmp/calls
 *
 * Operations that were not called keep the example that they have, as long as it still fits.
 */

const FILE = join(import.meta.dir, "../../../gateway/openapi/examples.json");
/** A reader wants to see the form, and not the whole list. */
const ITEMS_MAX = 3;
/** The form of a picture is in its beginning. */
const TEXT_CHARS_MAX = 400;
/** The largest example that a reader looks through. */
const REPLY_CHARS_MAX = 6_000;

const document = documentOf(appRoutes(), "0");
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    form: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}/?$`),
    // A path without parameters is meant before one that would take its last part for an id.
    parameters: path.split("{").length,
    operation,
  })),
);

function operationOf({ method, path }: RecordedCall): ApiOperation | undefined {
  const { pathname } = new URL(path, "http://localhost");
  return operations
    .filter((one) => one.method === method && one.form.test(pathname))
    .sort((one, other) => one.parameters - other.parameters)[0]?.operation;
}

const SECRETS: readonly [RegExp, string][] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJhbGciOiJFZERTQSJ9.…"],
  [/berth_[A-Za-z0-9_-]{20,}/g, "berth_…"],
  [/secret=[A-Z2-7]{16,}/g, "secret=…"],
  [/(127\.0\.0\.1|localhost):\d+/g, "berth.example"],
];

/** Short, and without what looks like a credential. */
function cleaned(value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    // Its form is checked where it is sent.
    if (/^[0-9a-f]{24}\.[\w-]{43}$/.test(value)) return `${"0".repeat(24)}.${"A".repeat(43)}`;
    if (/token$|password|secret/.test(name) && value.length > 8)
      return /password/.test(name) ? "correct horse battery" : "…";
    const shown = SECRETS.reduce((text, [secret, instead]) => text.replace(secret, instead), value);
    return shown.length > TEXT_CHARS_MAX ? `${shown.slice(0, TEXT_CHARS_MAX / 4)}…` : shown;
  }
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => cleaned(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member, key)]));
}

function exampleOf({ path, body, status, reply }: RecordedCall): Example {
  const query = Object.fromEntries(new URL(path, "http://localhost").searchParams);
  return {
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(typeof body === "object" && body !== null ? { body: cleaned(body) } : {}),
    status,
    reply: cleaned(reply),
  };
}

/** Members of a body that no schema names, although it may have them, as browsers add to passkeys: a reader need not send them. */
const STRANGE = /^body\.(.+): is in no schema$/;

function withoutStrange(operation: ApiOperation, example: Example): Example {
  const shown = structuredClone(example);
  for (const problem of problemsOf(document, operation, shown)) {
    const path = STRANGE.exec(problem)?.[1]?.split(".") ?? [];
    const holder = path.slice(0, -1).reduce<unknown>((value, key) => Object(value)[key], shown.body);
    Reflect.deleteProperty(Object(holder), path.at(-1) ?? "");
  }
  return shown;
}

/** The names of members, at any depth. */
function namesIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return names;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name);
    namesIn(member, names);
  }
  return names;
}

/** How much an example tells: the one with the most members in its reply is taken, then the longest, then the one with the least asked. */
const worth = ({ query = {}, body, reply }: Example): number =>
  namesIn(reply).size * 100_000 + JSON.stringify(reply).length * 10 - JSON.stringify([query, body]).length;

const before = (await Bun.file(FILE).json()) as Record<string, Example>;
const best = new Map<string, Example>();
for (const line of (await Bun.file(process.argv[2] ?? "").text()).split("\n").filter(Boolean)) {
  const call = JSON.parse(line) as RecordedCall;
  const operation = operationOf(call);
  if (operation === undefined) continue;
  const example = withoutStrange(operation, exampleOf(call));
  if (JSON.stringify(example.reply).length > REPLY_CHARS_MAX) continue;
  if (problemsOf(document, operation, example).length > 0) continue;
  const known = best.get(operation.operationId);
  if (known === undefined || worth(example) > worth(known)) best.set(operation.operationId, example);
}
const all = operations.flatMap(({ operation }) => {
  const kept = before[operation.operationId];
  const example =
    best.get(operation.operationId) ??
    (kept !== undefined && problemsOf(document, operation, kept).length === 0 ? kept : undefined);
  return example === undefined ? [] : [[operation.operationId, example] as const];
});
await Bun.write(FILE, `${JSON.stringify(Object.fromEntries(all.sort()), null, 2)}\n`);
const without = operations.filter(({ operation }) => !all.some(([id]) => id === operation.operationId));
console.log(
  `${all.length} examples; none of ${without.map(({ operation }) => operation.operationId).join(", ")}`,
);
