import { ValidationError } from "../errors.ts";

/**
 * References to container images, as Docker writes them: `[registry/]name[:tag][@digest]`. A first part that has no
 * dot and no port, and is not `localhost`, belongs to the name, which is then a name on Docker Hub.
 */

export interface ImageReference {
  /** The host, with its port if given. */
  readonly registry: string;
  readonly repository: string;
  /** Null when only a digest is given. */
  readonly tag: string | null;
  /** `sha256:` and 64 hexadecimal digits; null: the image that the tag names at the time of the pull. */
  readonly digest: string | null;
}

export const DOCKER_HUB = "docker.io";
const OTHER_NAMES_OF_HUB = ["index.docker.io", "registry-1.docker.io"];
const TAG_STANDARD = "latest";

/** Longer than any real one: 255 characters of name, 128 of tag, a digest and a host. */
export const REFERENCE_LENGTH_MAX = 512;
/** Docker's own bound. */
const NAME_LENGTH_MAX = 255;

const HOST =
  /^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*(:[0-9]{1,5})?$/;
const PART = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
export const DIGEST = /^sha256:[0-9a-f]{64}$/;
const PORT_MAX = 65_535;

/** Says in words why a text is not a reference. */
export class ImageReferenceError extends Error {
  override readonly name = "ImageReferenceError";
}

/** @throws ImageReferenceError */
export function parseImageReference(text: string): ImageReference {
  if (text.length > REFERENCE_LENGTH_MAX)
    throw new ImageReferenceError(`must have ${REFERENCE_LENGTH_MAX} characters at most`);
  const [named = "", digest = null, ...more] = text.split("@");
  if (more.length > 0) throw new ImageReferenceError("must have one @ at most, before the digest");
  if (digest !== null && !DIGEST.test(digest))
    throw new ImageReferenceError("must have a digest of the form sha256: and 64 hexadecimal digits");
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const path = colon === -1 ? named : named.slice(0, colon);
  const tag = colon === -1 ? null : named.slice(colon + 1);
  if (tag !== null && !TAG.test(tag))
    throw new ImageReferenceError(
      "must have a tag of 1 to 128 letters, digits, dots, hyphens and underscores, which no dot or hyphen begins",
    );
  const { registry, repository } = splitRegistry(path);
  if (!repository.split("/").every((part) => PART.test(part)) || repository.length > NAME_LENGTH_MAX)
    throw new ImageReferenceError(
      "must be an image such as debian:13 or registry.example/team/app:1.2: the name has parts of a-z and 0-9, with . _ - between them",
    );
  return { registry, repository, tag: tag ?? (digest === null ? TAG_STANDARD : null), digest };
}

function splitRegistry(path: string): Pick<ImageReference, "registry" | "repository"> {
  const slash = path.indexOf("/");
  const first = path.slice(0, Math.max(0, slash));
  if (slash !== -1 && (/[.:A-Z]/.test(first) || first === "localhost")) {
    const registry = first.toLowerCase();
    const port = Number(registry.split(":")[1] ?? 1);
    if (!HOST.test(registry) || port < 1 || port > PORT_MAX)
      throw new ImageReferenceError("must begin with a registry such as ghcr.io or registry.example:5000");
    return OTHER_NAMES_OF_HUB.includes(registry) || registry === DOCKER_HUB
      ? onHub(path.slice(slash + 1))
      : { registry, repository: path.slice(slash + 1) };
  }
  return onHub(path);
}

/** Names of one part are Docker's official images, under `library/`. */
const onHub = (name: string) => ({
  registry: DOCKER_HUB,
  repository: name.includes("/") ? name : `library/${name}`,
});

/** Expands a reference from a request to its full form. @throws ValidationError that names the field */
export function fullReference(text: string, field: string): string {
  try {
    return formatImageReference(parseImageReference(text));
  } catch (error) {
    if (error instanceof ImageReferenceError) throw new ValidationError(field, error.message);
    throw error;
  }
}

/** The full reference, including the defaults that the short form omits. */
export function formatImageReference({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === null ? "" : `:${tag}`}${digest === null ? "" : `@${digest}`}`;
}
