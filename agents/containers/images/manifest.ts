import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { DIGEST } from "../../../schemas/hosting/image-reference.ts";
import { Nullable } from "../../../schemas/primitives.ts";
import { INDEX_DEPTH_MAX, LAYERS_MAX } from "./limits.ts";
import { PullError } from "./pull-error.ts";

/** What registries and archives say of an image: OCI's forms and Docker's, which differ in their media types alone. */

const Digest = Type.String({ pattern: DIGEST.source });
const Size = Type.Integer({ minimum: 0 });
const optional = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));
const Platform = Type.Object({
  architecture: Type.String(),
  os: Type.String(),
  variant: optional(Type.String()),
});
const Descriptor = Type.Object({ mediaType: Type.String(), digest: Digest, size: Size });
export type Descriptor = Static<typeof Descriptor>;

const Manifest = Type.Object({
  schemaVersion: Type.Literal(2),
  mediaType: optional(Type.String()),
  config: Descriptor,
  layers: Type.Array(Descriptor),
});
export type Manifest = Static<typeof Manifest>;

const Index = Type.Object({
  schemaVersion: Type.Literal(2),
  mediaType: optional(Type.String()),
  manifests: Type.Array(Type.Object({ ...Descriptor.properties, platform: optional(Platform) }), {
    maxItems: 1_000,
  }),
});

const Words = Type.Array(Type.String());
/** Of a part that comes as an object, only the names or the texts count. */
const Names = Type.Record(Type.String(), Type.Unknown());
/** Times are nanoseconds. */
const HealthCheck = Type.Object({
  Test: optional(Words),
  Interval: optional(Type.Number()),
  Timeout: optional(Type.Number()),
  StartPeriod: optional(Type.Number()),
  StartInterval: optional(Type.Number()),
  Retries: optional(Type.Integer({ minimum: 0 })),
});
export const ImageConfig = Type.Object({
  architecture: Type.String(),
  os: Type.String(),
  config: optional(
    Type.Object({
      User: optional(Type.String()),
      Env: optional(Words),
      Entrypoint: optional(Words),
      Cmd: optional(Words),
      WorkingDir: optional(Type.String()),
      ExposedPorts: optional(Names),
      Volumes: optional(Names),
      Labels: optional(Type.Record(Type.String(), Type.String())),
      StopSignal: optional(Type.String()),
      Shell: optional(Words),
      Healthcheck: optional(HealthCheck),
    }),
  ),
  rootfs: Type.Object({ type: Type.Literal("layers"), diff_ids: Type.Array(Digest) }),
});
export type ImageConfig = Static<typeof ImageConfig>;

export const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
] as const;
const INDEX_TYPES: readonly string[] = MANIFEST_TYPES.slice(0, 2);
const CONFIG_TYPES = [
  "application/vnd.oci.image.config.v1+json",
  "application/vnd.docker.container.image.v1+json",
];
/** Foreign layers are those that Docker does not push; where a registry has them, they are like others. */
const LAYER_TYPE =
  /^application\/vnd\.(oci\.image\.layer(\.nondistributable)?\.v1\.tar(\+gzip|\+zstd)?|docker\.image\.rootfs\.(diff|foreign\.diff)\.tar(\.gzip|\.zstd)?)$/;

/** What Docker calls the architecture of this host. */
export const HOST_ARCHITECTURE = process.arch === "x64" ? "amd64" : process.arch;

/** @throws PullError when it is no JSON of this form */
function parse<T extends TSchema>(schema: T, bytes: Uint8Array, what: string): Static<T> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new PullError(`its ${what} is no JSON`, { cause });
  }
  if (Value.Check(schema, value)) return value;
  const first = Value.Errors(schema, value).First();
  throw new PullError(`its ${what} has another form than OCI's: ${first?.path || "it"}: ${first?.message}`);
}

/**
 * The manifest of the image for this host: what was got, or what the list there names for the host's architecture.
 *
 * @param fetchOne gets another manifest of the same repository
 */
export async function manifestForHost(
  got: { readonly digest: string; readonly bytes: Uint8Array },
  fetchOne: (digest: string) => Promise<{ readonly digest: string; readonly bytes: Uint8Array }>,
): Promise<{ digest: string; manifest: Manifest }> {
  let now = got;
  for (let depth = 0; depth < INDEX_DEPTH_MAX; depth += 1) {
    const any = parse(
      Type.Object({ mediaType: optional(Type.String()), schemaVersion: Type.Integer() }),
      now.bytes,
      "manifest",
    );
    if (any.schemaVersion === 1)
      throw new PullError("it is in Docker's format of before 2016 (schema 1): build and push it again");
    if (!("manifests" in any) && !INDEX_TYPES.includes(any.mediaType ?? ""))
      return { digest: now.digest, manifest: parseManifest(now.bytes) };
    now = await fetchOne(digestForHost(parse(Index, now.bytes, "list of manifests")));
  }
  throw new PullError("its list of manifests leads to another list, again and again");
}

function digestForHost({ manifests }: Static<typeof Index>): string {
  const linux = manifests.filter(({ platform }) => !platform || platform.os === "linux");
  // The plain one of its architecture before others: a variant may need a newer processor.
  const fitting = linux
    .filter(({ platform }) => platform?.architecture === HOST_ARCHITECTURE)
    .toSorted((one, other) => rank(one.platform?.variant) - rank(other.platform?.variant));
  const found = fitting[0] ?? (linux.length === 1 && !linux[0]?.platform ? linux[0] : undefined);
  if (found) return found.digest;
  const built = manifests.flatMap(({ platform }) =>
    platform && platform.os !== "unknown" ? [`${platform.os}/${platform.architecture}`] : [],
  );
  throw foreign([...new Set(built)].join(", ") || "no platform that it names");
}

const COMPATIBLE = ["", "v1", "v8"];
const rank = (variant: string | null | undefined): number =>
  COMPATIBLE.includes(variant ?? "") ? COMPATIBLE.indexOf(variant ?? "") : COMPATIBLE.length;
const foreign = (built: string) =>
  new PullError(`it is built for ${built}, and its host is linux/${HOST_ARCHITECTURE}`);

function checked(manifest: Manifest): Manifest {
  if (!CONFIG_TYPES.includes(manifest.config.mediaType))
    throw new PullError(`it is no container image, but ${manifest.config.mediaType}`);
  if (manifest.layers.length === 0) throw new PullError("it has no files at all: not one layer");
  if (manifest.layers.length > LAYERS_MAX)
    throw new PullError(`it has ${manifest.layers.length} layers, and ${LAYERS_MAX} is the most`);
  const odd = manifest.layers.find(({ mediaType }) => !LAYER_TYPE.test(mediaType));
  if (odd) throw new PullError(`it has a layer of an unknown kind: ${odd.mediaType}`);
  return manifest;
}

/** @throws PullError for a manifest that is none of a container image */
export const parseManifest = (bytes: Uint8Array): Manifest => checked(parse(Manifest, bytes, "manifest"));

/** @throws PullError for a config that is none, of another architecture, or that does not fit the manifest */
export function parseConfig(bytes: Uint8Array, manifest: Manifest): ImageConfig {
  const config = parse(ImageConfig, bytes, "config");
  if (config.os !== "linux" || config.architecture !== HOST_ARCHITECTURE)
    throw foreign(`${config.os}/${config.architecture}`);
  if (config.rootfs.diff_ids.length !== manifest.layers.length)
    throw new PullError("its config names another number of layers than its manifest");
  const { User, Env, Entrypoint, Cmd, WorkingDir, Volumes } = config.config ?? {};
  const words = [...(Env ?? []), ...(Entrypoint ?? []), ...(Cmd ?? []), ...Object.keys(Volumes ?? {})];
  // The kernel ends a word at one.
  if ([User ?? "", WorkingDir ?? "", ...words].some((word) => word.includes("\0")))
    throw new PullError("its config has a NUL character");
  return config;
}
