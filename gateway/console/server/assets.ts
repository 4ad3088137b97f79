import { ASSETS_PATH } from "../paths.ts";
import { type BundledFile, bundleConsole } from "./bundle.ts";

export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  /** The file of a name, in the form that the client accepts; undefined when there is none. */
  response(name: string, acceptEncoding: string | null): Response | undefined;
}

let built: Promise<Assets> | undefined;

/** The console's files, bundled when the first page is asked for. */
export function assets(): Promise<Assets> {
  built ??= bundleConsole()
    .then(assetsOf)
    .catch((error) => {
      // A failure may be of the moment, such as too many open files: the next request tries again.
      built = undefined;
      throw error;
    });
  return built;
}

function assetsOf(files: readonly BundledFile[]): Assets {
  const byName = new Map(files.map((file) => [file.name, file]));
  const entry = (ending: string) => {
    const file = files.find(({ name, isEntry }) => isEntry && name.endsWith(ending));
    if (file === undefined) throw new Error(`the console's bundle has no ${ending}`);
    return `${ASSETS_PATH}/${file.name}`;
  };
  return {
    script: entry(".js"),
    style: entry(".css"),
    icon: entry(".svg"),
    response(name, acceptEncoding) {
      const file = byName.get(name);
      if (file === undefined) return undefined;
      const [body, encoding] = encodedFor(file, acceptEncoding ?? "");
      return new Response(body as Uint8Array<ArrayBuffer>, {
        headers: {
          "content-type": file.type,
          ...(encoding === undefined ? {} : { "content-encoding": encoding }),
          vary: "Accept-Encoding",
          // Its name changes with what is in it.
          "cache-control": "public, max-age=31536000, immutable",
          "cross-origin-resource-policy": "same-origin",
        },
      });
    },
  };
}

function encodedFor(file: BundledFile, accepted: string): [Uint8Array, string | undefined] {
  if (/\bbr\b(?!\s*;\s*q=0(\.0+)?\b)/.test(accepted)) return [file.brotli, "br"];
  if (/\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/.test(accepted)) return [file.gzip, "gzip"];
  return [file.plain, undefined];
}
