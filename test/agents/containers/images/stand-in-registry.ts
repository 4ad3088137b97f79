import type { RegistrySettings } from "../../../../agents/containers/images/registries.ts";
import type { Blob, SampleImage } from "./sample-images.ts";

/** A registry that does what the test wants: also what a good one never does. */
export interface StandInRegistry {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** For pulls from it, which is on a private address and speaks plain HTTP. */
  readonly settings: RegistrySettings;
  /** `GET /v2/…`, in the order in which they came; with the bytes asked for after a blank. */
  readonly asked: string[];
  readonly authorizations: (string | null)[];
  add(repository: string, tag: string, image: SampleImage, index?: Blob): void;
  /** Answers in place of the registry; undefined: it answers itself. */
  intercept(answer: (request: Request, path: string) => Response | Promise<Response> | undefined): void;
  stop(): void;
}

export function startRegistry(credentialsFile: string | null = null): StandInRegistry {
  const things = new Map<string, { bytes: Buffer; mediaType: string }>();
  const asked: string[] = [];
  const authorizations: (string | null)[] = [];
  let interceptor: Parameters<StandInRegistry["intercept"]>[0] = () => undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const range = request.headers.get("range");
      asked.push(range === null ? path : `${path} ${range}`);
      authorizations.push(request.headers.get("authorization"));
      const own = await interceptor(request, path);
      if (own !== undefined) return own;
      const thing = things.get(path);
      if (thing === undefined) return Response.json({ errors: [{ message: "not known" }] }, { status: 404 });
      return answer(thing, range);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    host,
    settings: { local: new Map([[host, new URL(`http://${host}`)]]), mirrors: new Map(), credentialsFile },
    asked,
    authorizations,
    add(repository, tag, image, index) {
      for (const [digest, bytes] of image.blobs)
        things.set(`/v2/${repository}/blobs/${digest}`, { bytes, mediaType: "application/octet-stream" });
      const { manifest } = image;
      things.set(`/v2/${repository}/manifests/${manifest.digest}`, manifest);
      for (const under of [tag, (index ?? manifest).digest])
        things.set(`/v2/${repository}/manifests/${under}`, index ?? manifest);
    },
    intercept(answerWith) {
      interceptor = answerWith;
    },
    stop: () => void server.stop(true),
  };
}

export function answer(
  { bytes, mediaType }: { bytes: Buffer; mediaType: string },
  range: string | null,
): Response {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
  const headers = { "content-type": mediaType };
  if (from === 0) return new Response(new Uint8Array(bytes), { headers });
  const contentRange = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  return new Response(new Uint8Array(bytes.subarray(from)), {
    status: 206,
    headers: { ...headers, "content-range": contentRange },
  });
}
