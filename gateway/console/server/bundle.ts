import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { BunPlugin } from "bun";

const ROOT = join(import.meta.dir, "../../..");
const APP = join(import.meta.dir, "../app");
/** Bundles that were built before, by what they were built from. */
const CACHE = join(ROOT, "node_modules/.cache/berth-console");
/** Everything that changes the bundle; the packages' versions are in the lock file. */
const SOURCES = ["gateway/console/{app,paths.ts}", "client/*.ts", "client/compose", "package-lock.json"];

/** A file of the console, compressed once for all who read it. */
export interface BundledFile {
  /** It contains a hash of the content. */
  readonly name: string;
  readonly type: string;
  /** The script or style that the page itself names. */
  readonly isEntry: boolean;
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
  readonly brotli: Uint8Array;
}

/** The console's scripts and styles: from the cache, or built when a source is newer. A build takes about two seconds. */
export async function bundleConsole(): Promise<readonly BundledFile[]> {
  const key = await hashOfSources();
  const cached = await readCached(key).catch(() => undefined);
  if (cached !== undefined) return cached;
  const files = await build();
  // A checkout of another user cannot be written to: the next start builds again.
  await writeCached(key, files).catch(() => {});
  return files;
}

/** The console speaks English: the components' own few words in thirty other languages are left out. */
const englishOnly: BunPlugin = {
  name: "english-only",
  setup(bundler) {
    bundler.onLoad({ filter: /\/react-aria\/dist\/private\/\w+\/intlStrings\.m?js$/ }, ({ path }) => ({
      contents: `import words from "../intl/${basename(dirname(path))}/en-US${extname(path)}"; export default { "en-US": words };`,
      loader: "js",
    }));
  },
};

async function build(): Promise<BundledFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: [join(APP, "main.tsx"), join(APP, "styles/main.css"), join(APP, "icon.svg")],
    target: "browser",
    minify: true,
    splitting: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    loader: { ".svg": "file" },
    // Without it React's development build is bundled, which is slower and three times the size.
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [englishOnly],
  });
  return Promise.all(
    outputs
      // The bundler makes a script that names the icon as well, which nothing needs.
      .filter(({ path }) => TYPES[extensionOf(path)] !== undefined && !/icon-[^/]+\.js$/.test(path))
      .map(async (output) => {
        const plain = new Uint8Array(await output.arrayBuffer());
        const name = output.path.split("/").at(-1) ?? "";
        const isEntry = output.kind !== "chunk";
        return { name, type: TYPES[extensionOf(name)] ?? "", isEntry, ...(await compressed(plain)) };
      }),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

const extensionOf = (path: string): string => path.split(".").at(-1) ?? "";

const compressed = async (plain: Uint8Array) => ({
  plain,
  gzip: new Uint8Array(await promisify(gzip)(plain, { level: 9 })),
  brotli: new Uint8Array(await promisify(brotliCompress)(plain)),
});

async function hashOfSources(): Promise<string> {
  const hash = createHash("sha256")
    .update(Bun.version)
    .update(await readFile(import.meta.path));
  const files = SOURCES.flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(ROOT),
    ...new Bun.Glob(`${pattern}/**`).scanSync(ROOT),
  ]);
  for (const file of [...new Set(files)].sort()) hash.update(file).update(await readFile(join(ROOT, file)));
  return hash.digest("hex").slice(0, 24);
}

const FORMS = { plain: "", gzip: ".gz", brotli: ".br" } as const;

async function readCached(key: string): Promise<BundledFile[]> {
  const folder = join(CACHE, key);
  const listed = JSON.parse(await readFile(join(folder, "files.json"), "utf8")) as {
    name: string;
    type: string;
    isEntry: boolean;
  }[];
  const read = async (name: string) => new Uint8Array(await readFile(join(folder, name)));
  return Promise.all(
    listed.map(async (file) => ({
      ...file,
      plain: await read(file.name + FORMS.plain),
      gzip: await read(file.name + FORMS.gzip),
      brotli: await read(file.name + FORMS.brotli),
    })),
  );
}

/** Writes a folder beside its place and moves it there, so that no other gateway reads half of it. */
async function writeCached(key: string, files: readonly BundledFile[]): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const older = await readdir(CACHE);
  const folder = await mkdtemp(join(CACHE, "new-"));
  for (const file of files)
    for (const [form, ending] of Object.entries(FORMS))
      await writeFile(join(folder, file.name + ending), file[form as keyof typeof FORMS]);
  const listed = files.map(({ name, type, isEntry }) => ({ name, type, isEntry }));
  await writeFile(join(folder, "files.json"), JSON.stringify(listed));
  await rename(folder, join(dirname(folder), key)).catch(() => rm(folder, { recursive: true }));
  for (const name of older) await rm(join(CACHE, name), { recursive: true, force: true });
}
