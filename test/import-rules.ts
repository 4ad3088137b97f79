import { dirname, join, normalize } from "node:path";

/** The rules of who may import whom (design §1). Paths are relative to the repository. */

export interface Import {
  readonly from: string;
  /** A path in the repository, or a package's name. */
  readonly to: string;
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
}

interface Rule {
  readonly says: string;
  readonly breaks: (one: Import) => boolean;
}

const OURS = ["schemas", "actors", "gateway", "agents", "scripts", "test", "bench"];
/** Built-in modules that reach beyond the program. */
const IO =
  /^(bun|bun:\w+|(node:)?(fs|net|tls|http|https|http2|dgram|dns|child_process|worker_threads)(\/.*)?)$/;
const PACKAGES_WITH_IO = ["postgres", "nats", "elysia", "pino", "prom-client"];
/** What a process needs to call actors and to read: no definition and no rule among it. */
const CLIENT_WIRING = [
  "actors/runtime/client.ts",
  "actors/runtime/transport/nats-bus.ts",
  "actors/platform/db/sql.ts",
  "actors/platform/db/bounded.ts",
  "actors/platform/clock.ts",
  "actors/platform/ids.ts",
  "actors/platform/environment.ts",
  "actors/platform/settings.ts",
];
/** Programs of an agent that each run alone as well. */
const SERVICES = ["pipe", "terminal", "notifier"];

const folder = (path: string) => path.split("/")[0] ?? "";
const within = (path: string, ...folders: string[]) => folders.some((one) => path.startsWith(`${one}/`));
const ours = (path: string) => OURS.includes(folder(path)) && path.includes("/");
const isPackage = (to: string, name: string) => to === name || to.startsWith(`${name}/`);

export const RULES: readonly Rule[] = [
  {
    says: "schemas imports nothing of ours and does no I/O",
    breaks: ({ from, to }) =>
      within(from, "schemas") &&
      ((ours(to) && !within(to, "schemas")) ||
        IO.test(to) ||
        PACKAGES_WITH_IO.some((name) => isPackage(to, name))),
  },
  {
    says: "the gateway uses of actors only queries.ts, adapters of providers, the runtime's client with what it is wired with and, as types, definitions",
    breaks: ({ from, to, typeOnly }) =>
      within(from, "gateway") &&
      within(to, "actors") &&
      !CLIENT_WIRING.includes(to) &&
      !/^actors\/[^/]+\/(queries\.ts|provider\/.*)$/.test(to) &&
      !typeOnly,
  },
  {
    says: "the gateway does not import agents",
    breaks: ({ from, to }) => within(from, "gateway") && within(to, "agents"),
  },
  {
    says: "actors import neither gateway nor agents",
    breaks: ({ from, to }) => within(from, "actors") && within(to, "gateway", "agents"),
  },
  {
    says: "agents import neither actors nor gateway nor a database driver",
    breaks: ({ from, to }) =>
      within(from, "agents") &&
      (within(to, "actors", "gateway") || isPackage(to, "postgres") || isPackage(to, "pg")),
  },
  {
    says: "the actor runtime imports no noun",
    breaks: ({ from, to }) =>
      within(from, "actors/runtime") &&
      /^actors\/[^/]+\//.test(to) &&
      !within(to, "actors/runtime", "actors/db"),
  },
  {
    says: "pipe, terminal and notifier do not import each other",
    breaks: ({ from, to }) => {
      const own = SERVICES.find((service) => within(from, `agents/${service}`));
      return own !== undefined && SERVICES.some((other) => other !== own && within(to, `agents/${other}`));
    },
  },
  {
    says: "nothing but themselves imports test, bench or scripts; test and bench may import scripts, bench may import test",
    breaks: ({ from, to }) =>
      (within(to, "test") && !within(from, "test", "bench")) ||
      (within(to, "bench") && !within(from, "bench", "test")) ||
      (within(to, "scripts") && !within(from, "scripts", "test", "bench")),
  },
];

/** Every import that breaks a rule, as a line that names both. */
export function breaches(imports: readonly Import[]): string[] {
  return imports.flatMap((one) =>
    RULES.filter((rule) => rule.breaks(one)).map((rule) => `${one.from} imports ${one.to}: ${rule.says}`),
  );
}

/** A transpiler leaves out what is imported for its types alone, so that what it keeps is imported for real. */
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Any mention of a module after `from` or `import`, whether of types or not. */
const MENTION = /\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g;

/** The imports of one file. `from` is its path in the repository, `source` its text. */
export function importsOf(from: string, source: string): Import[] {
  const real = new Set(transpiler.scanImports(source).map(({ path }) => path));
  const mentioned = new Set([...real, ...[...source.matchAll(MENTION)].map(([, path = ""]) => path)]);
  return [...mentioned].map((path) => ({
    from,
    to: path.startsWith(".") ? normalize(join(dirname(from), path)) : path,
    typeOnly: !real.has(path),
  }));
}
