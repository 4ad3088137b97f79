import type { BundledFile } from "../../../gateway/console/server/bundle.ts";

/** The console's first script with all that it imports at once, and not by `import()` when a page is opened. */
export function firstScripts(files: readonly BundledFile[]): BundledFile[] {
  const scripts = files.filter(({ name }) => name.endsWith(".js"));
  const source = new Map(scripts.map(({ name, plain }) => [name, new TextDecoder().decode(plain)]));
  const first = new Set(scripts.filter(({ isEntry }) => isEntry).map(({ name }) => name));
  for (const name of first)
    for (const [, imported = ""] of (source.get(name) ?? "").matchAll(
      /(?:from|import)\s*"\.\/([\w.-]+\.js)"/g,
    ))
      first.add(imported);
  return scripts.filter(({ name }) => first.has(name));
}
