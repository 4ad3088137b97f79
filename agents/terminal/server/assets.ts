import { join } from "node:path";

const FOLDER = "/api/v1/terminal/assets/";

export interface Assets {
  readonly script: string;
  readonly style: string;
  /** The file at a path; null when there is none. */
  response(path: string): Response | null;
}

let built: Promise<Assets> | undefined;

/**
 * The page's script and style, bundled from `page/` and npm packages at first use; nothing is loaded from other
 * hosts.
 */
export function assets(): Promise<Assets> {
  built ??= build();
  return built;
}

async function build(): Promise<Assets> {
  const page = join(import.meta.dir, "../page");
  const output = await Bun.build({
    entrypoints: [join(page, "main.ts"), join(page, "style.css")],
    target: "browser",
    minify: true,
    naming: "[name].[hash].[ext]",
  });
  const files = new Map<string, { body: Blob; type: string }>();
  const pathOf = async (extension: string, type: string) => {
    const artifact = output.outputs.find(({ path }) => path.endsWith(extension));
    if (artifact === undefined) throw new Error(`the page has no ${extension}`);
    const path = `${FOLDER}${artifact.path.split("/").at(-1)}`;
    files.set(path, { body: new Blob([await artifact.arrayBuffer()]), type });
    return path;
  };
  const script = await pathOf(".js", "text/javascript; charset=utf-8");
  const style = await pathOf(".css", "text/css; charset=utf-8");
  return {
    script,
    style,
    response(path) {
      const file = files.get(path);
      if (file === undefined) return null;
      return new Response(file.body, {
        headers: {
          "content-type": file.type,
          // Their names contain a hash of the content.
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
        },
      });
    },
  };
}
