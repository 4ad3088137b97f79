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

const OURS = ["client", "schemas", "system", "actors", "gateway", "agents", "scripts", "test", "bench"];
/** Built-in modules that reach beyond the program. */
const IO =
  /^(bun|bun:\w+|(node:)?(fs|net|tls|http|https|http2|dgram|dns|child_process|worker_threads)(\/.*)?)$/;
const PACKAGES_WITH_IO = ["postgres", "nats", "elysia", "pino", "prom-client"];
/** The nouns of the product, in actors/, gateway/routes/, schemas/ and test/ alike. */
const DOMAINS = ["accounts", "billing", "market", "hosting", "activity"];
/** Programs of an agent that each run alone as well. */
const SERVICES = ["pipe", "terminal", "notifier", "display"];
/** The folders of an agent in layers, from the bottom up: a folder imports only folders of lower layers. */
const AGENT_LAYERS = [
  ["http1", "web", "exec"],
  ["network"],
  ["containers"],
  ["reconciler"],
  ["control-plane", "edge", "aliases"],
  SERVICES,
  ["services"],
];

/** The part of the console that runs in browsers. */
const CONSOLE_APP = "gateway/console/app";

const folder = (path: string) => path.split("/")[0] ?? "";
const subfolder = (path: string) => path.split("/")[1] ?? "";
const within = (path: string, ...folders: string[]) => folders.some((one) => path.startsWith(`${one}/`));
const ours = (path: string) => OURS.includes(folder(path)) && path.includes("/");
const isPackage = (to: string, name: string) => to === name || to.startsWith(`${name}/`);
const domain = (path: string) => (DOMAINS.includes(subfolder(path)) ? subfolder(path) : undefined);
const layer = (path: string) => AGENT_LAYERS.findIndex((folders) => folders.includes(subfolder(path)));
/** The side of a noun that reads: statements, and adapters of outside providers. */
const isReadSide = (path: string) =>
  /^actors\/[^/]+\/([^/]+\/)*(queries\.ts|provider\/[^/]+\.ts)$/.test(path);

export const RULES: readonly Rule[] = [
  {
    says: "the client imports nothing of ours, so that it can be published",
    breaks: ({ from, to }) => within(from, "client") && ours(to) && !within(to, "client"),
  },
  {
    says: "only the console's pages, tests and scripts import the client; the gateway reads compose files by the client's code",
    breaks: ({ from, to }) =>
      within(to, "client") &&
      !within(from, "client", CONSOLE_APP, "test", "scripts", "bench") &&
      !(within(from, "gateway/routes") && within(to, "client/compose")),
  },
  {
    says: "the console's pages import the client, themselves, and the paths that the gateway serves them at",
    breaks: ({ from, to }) =>
      within(from, CONSOLE_APP) &&
      ours(to) &&
      !within(to, CONSOLE_APP, "client") &&
      to !== "gateway/console/paths.ts",
  },
  {
    says: "nothing but tests imports the console's pages: they run in browsers",
    breaks: ({ from, to }) => within(to, CONSOLE_APP) && !within(from, CONSOLE_APP, "test"),
  },
  {
    says: "schemas imports nothing of ours and does no I/O",
    breaks: ({ from, to }) =>
      within(from, "schemas") &&
      ((ours(to) && !within(to, "schemas")) ||
        IO.test(to) ||
        PACKAGES_WITH_IO.some((name) => isPackage(to, name))),
  },
  {
    says: "system imports no other folder than schemas",
    breaks: ({ from, to }) => within(from, "system") && ours(to) && !within(to, "system", "schemas"),
  },
  {
    says: "the gateway uses of actors the platform, the runtime's client with its transport, queries, adapters of providers and, as types, definitions",
    breaks: ({ from, to, typeOnly }) =>
      within(from, "gateway") &&
      within(to, "actors") &&
      !within(to, "actors/platform", "actors/runtime/transport") &&
      to !== "actors/runtime/client.ts" &&
      !isReadSide(to) &&
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
    says: "an actor uses of another domain its queries and, to send it messages, the type of its definition",
    breaks: ({ from, to, typeOnly }) =>
      within(from, "actors") &&
      within(to, "actors") &&
      domain(from) !== undefined &&
      domain(to) !== undefined &&
      domain(from) !== domain(to) &&
      !isReadSide(to) &&
      !(typeOnly && to.endsWith("/index.ts")),
  },
  {
    says: "the platform imports no noun, and of the runtime types alone",
    breaks: ({ from, to, typeOnly }) =>
      within(from, "actors/platform") &&
      within(to, "actors") &&
      !within(to, "actors/platform") &&
      !(typeOnly && within(to, "actors/runtime")),
  },
  {
    says: "the actor runtime imports no noun",
    breaks: ({ from, to }) =>
      within(from, "actors/runtime") &&
      within(to, "actors") &&
      !within(to, "actors/runtime", "actors/platform"),
  },
  {
    says: "agents import neither actors nor gateway nor a database driver",
    breaks: ({ from, to }) =>
      within(from, "agents") &&
      (within(to, "actors", "gateway") || isPackage(to, "postgres") || isPackage(to, "pg")),
  },
  {
    says: "a folder of an agent imports only folders of lower layers",
    breaks: ({ from, to }) =>
      within(from, "agents") &&
      within(to, "agents") &&
      subfolder(from) !== subfolder(to) &&
      layer(from) !== -1 &&
      layer(to) >= layer(from),
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
const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
};

/** Any mention of a module after `from` or `import`, whether of types or not. */
const MENTION = /\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g;

/** The imports of one file. `from` is its path in the repository, `source` its text. */
export function importsOf(from: string, source: string): Import[] {
  const real = new Set(
    transpilers[from.endsWith("x") ? "tsx" : "ts"].scanImports(source).map(({ path }) => path),
  );
  const mentioned = new Set([...real, ...[...source.matchAll(MENTION)].map(([, path = ""]) => path)]);
  return [...mentioned].map((path) => ({
    from,
    to: path.startsWith(".") ? normalize(join(dirname(from), path)) : path,
    typeOnly: !real.has(path),
  }));
}
