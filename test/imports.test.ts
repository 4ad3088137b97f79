import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { breaches, importsOf } from "./import-rules.ts";

const ROOT = join(import.meta.dir, "..");
const SOURCES = new Bun.Glob("{schemas,actors,gateway,agents,scripts,test,bench}/**/*.{ts,tsx,mjs}");

/** It reads every file, on a machine that others use as well; without `npm test` a test has five seconds. */
const LIMIT_MS = 120_000;

test(
  "every import in the repository points down",
  () => {
    const files = [...SOURCES.scanSync({ cwd: ROOT })].filter((file) => !file.includes("node_modules/"));
    const imports = files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), "utf8")));
    expect(imports.length).toBeGreaterThan(0);
    expect(breaches(imports)).toEqual([]);
  },
  LIMIT_MS,
);

// The peers of the benchmarks have packages of their own, so that the type check leaves them out.
test("every file that an import names is there, also those of the benchmarks' peers", () => {
  const files = [...new Bun.Glob("bench/peers/*.ts").scanSync({ cwd: ROOT })];
  const imports = files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), "utf8")));
  const ofOurs = imports.filter(({ to }) => /^(schemas|actors|gateway|agents|bench)\//.test(to));
  expect(ofOurs.length).toBeGreaterThan(5);
  expect(ofOurs.filter(({ to }) => !existsSync(join(ROOT, to)))).toEqual([]);
});

test.each([
  "agents/containers/oci/make-root.ts",
  "agents/containers/oci/leave-terminal.ts",
  "agents/containers/images/unpack-layer.ts",
  "agents/terminal/pty-host/main.ts",
])("%s starts with each container, layer or terminal, and so loads no package", async (entry) => {
  const { outputs } = await Bun.build({
    entrypoints: [join(ROOT, entry)],
    target: "bun",
    packages: "external",
  });
  const text = (await outputs[0]?.text()) ?? "";
  const loaded = new Bun.Transpiler({ loader: "js" }).scanImports(text).map(({ path }) => path);
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((path) => !isBuiltin(path))).toEqual([]);
});

test("every name that the benchmarks' peers import of ours is exported", async () => {
  const named = /^import \{([^}]*)\} from "(\.\.\/\.\.\/[^"]+)";/gm;
  const wanted = [...new Bun.Glob("bench/peers/*.ts").scanSync({ cwd: ROOT })].flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(named)].flatMap(([, names = "", path = ""]) =>
      names
        .split(",")
        .map((name) => ({ file, path: join(ROOT, "bench/peers", path), name: name.trim() }))
        .filter(({ name }) => name !== "" && !name.startsWith("type ")),
    ),
  );
  expect(wanted.length).toBeGreaterThan(5);
  const missing = [];
  for (const { file, path, name } of wanted)
    if (!(name in (await import(path)))) missing.push(`${file}: ${name}`);
  expect(missing).toEqual([]);
});

test.each([
  ["schemas/billing/wallet.ts", `import { ids } from "../../actors/platform/ids.ts";`],
  ["schemas/billing/wallet.ts", `import { existsSync, readFileSync } from "node:fs"; readFileSync("x");`],
  ["schemas/billing/wallet.ts", `import type { Sql } from "postgres";`],
  [
    "gateway/routes/billing/wallet.ts",
    `import { wallet } from "../../../actors/billing/wallet/index.ts"; wallet();`,
  ],
  ["gateway/routes/billing/wallet.ts", `await import("../../../actors/billing/wallet/rules.ts");`],
  ["gateway/app.ts", `import { lane } from "../actors/runtime/host/lane.ts"; lane();`],
  ["gateway/app.ts", `import type { Link } from "../agents/control-plane/connection.ts";`],
  ["actors/billing/wallet/index.ts", `import type { App } from "../../../gateway/app.ts";`],
  ["actors/market/server/index.ts", `import { splitFee } from "../../billing/wallet/rules.ts"; splitFee();`],
  ["actors/market/server/index.ts", `import type { Wallet } from "../../billing/wallet/rules.ts";`],
  ["actors/market/server/index.ts", `import { wallet } from "../../billing/wallet/index.ts"; wallet();`],
  ["actors/platform/ids.ts", `import type { Wallet } from "../billing/wallet/index.ts";`],
  ["actors/platform/ids.ts", `import { lane } from "../runtime/host/lane.ts"; lane();`],
  ["actors/runtime/host/lane.ts", `import type { Wallet } from "../../billing/wallet/index.ts";`],
  ["actors/runtime/host/lane.ts", `export { splitFee } from "../../billing/wallet/rules.ts";`],
  ["gateway/console/app/lib/api.ts", `import type { User } from "../../../../schemas/accounts/account.ts";`],
  ["gateway/console/server/page.ts", `import { api } from "../../../client/index.ts"; api();`],
  ["gateway/app.ts", `import { PAGES } from "./console/app/pages.ts"; PAGES();`],
  ["client/index.ts", `import type { Id } from "../schemas/primitives.ts";`],
  ["agents/main.ts", `import postgres from "postgres"; postgres();`],
  ["agents/main.ts", `import type { Wallet } from "../actors/billing/wallet/index.ts";`],
  ["agents/pipe/server.ts", `import "../terminal/terminal.ts";`],
  ["agents/notifier/main.ts", `export * from "../pipe/server.ts";`],
  ["agents/containers/driver.ts", `import type { Terminal } from "../terminal/terminal.ts";`],
  ["agents/edge/edge.ts", `import { pipe } from "../pipe/server.ts"; pipe();`],
  ["agents/exec/command.ts", `import { nft } from "../network/nft/apply.ts"; nft();`],
  ["actors/main.ts", `import { freePort } from "../scripts/ports.ts"; freePort();`],
  ["gateway/main.ts", `import { until } from "../test/harness/until.ts"; until();`],
  ["scripts/start.ts", `import { until } from "../test/harness/until.ts"; until();`],
])("a breach in %s is found: %s", (file, source) => {
  expect(breaches(importsOf(file, source))).toHaveLength(1);
});

test.each([
  [
    "schemas/billing/wallet.ts",
    `import { Type } from "@sinclair/typebox";\nimport { Id } from "../primitives.ts";\nId(Type);`,
  ],
  [
    "gateway/routes/billing/wallet.ts",
    `import { balances } from "../../../actors/billing/wallet/queries.ts"; balances();`,
  ],
  [
    "gateway/routes/billing/wallet.ts",
    `import type { wallet } from "../../../actors/billing/wallet/index.ts";`,
  ],
  ["gateway/main.ts", `import { connect } from "../actors/runtime/client.ts"; connect();`],
  ["actors/runtime/store/queries.ts", `import { sql } from "../../platform/db/sql.ts"; sql();`],
  ["actors/billing/wallet/index.ts", `import { actor } from "../../runtime/definition.ts"; actor();`],
  ["actors/market/server/index.ts", `import type { wallet } from "../../billing/wallet/index.ts";`],
  [
    "actors/market/server/index.ts",
    `import { listPools } from "../../accounts/pool/queries.ts"; listPools();`,
  ],
  ["agents/services/services.ts", `import { pipe } from "../pipe/server.ts"; pipe();`],
  ["agents/main.ts", `import { pipe } from "./pipe/server.ts"; pipe();`],
  ["test/harness/servers.ts", `import { freePort } from "../../scripts/ports.ts"; freePort();`],
])("what is allowed in %s is no breach: %s", (file, source) => {
  expect(breaches(importsOf(file, source))).toEqual([]);
});

/** Tagged templates, and text that is run as it is, of a database's connection. */
const STATEMENT = /\b(?:db|sql|tx|connection)(?:<[^`;=]*>)?`|\b(?:db|sql|tx|connection)\.unsafe\(/;

test("SQL of the product stands in queries.ts alone, and in what applies migrations and copies databases", () => {
  const files = [...new Bun.Glob("{schemas,actors,gateway,agents}/**/*.ts").scanSync({ cwd: ROOT })].sort();
  const speaking = files.filter((file) => STATEMENT.test(readFileSync(join(ROOT, file), "utf8")));
  expect(speaking.length).toBeGreaterThan(20);
  expect(speaking.filter((file) => !/^actors\/.+\/queries\.ts$/.test(file))).toEqual([
    "actors/platform/db/dump.ts",
    "actors/platform/db/load.ts",
    "actors/platform/db/migrate.ts",
    "actors/platform/db/roles.ts",
    "actors/platform/db/tables.ts",
  ]);
});

test.each([
  "await db`SELECT 1`",
  "const [row] = await sql<{ n: bigint }[]>`SELECT 1 AS n`",
  "await tx.unsafe(text)",
])("a statement is recognised: %s", (line) => {
  expect(STATEMENT.test(line)).toBe(true);
});
