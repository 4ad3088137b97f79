import { sizeText } from "../../../system/size-text.ts";
import { END_OF_TAR, encodeHeader, paddingOf, readTar, type TarEntry, TarError } from "./tar.ts";

/** What a layer may take. */
export interface LayerLimits {
  readonly bytes: number;
  readonly files: number;
}

export interface LayerSize {
  readonly bytes: number;
  readonly files: number;
}

/** In a layer, names of this kind say what is gone from the layers below. */
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";
/** Others that begin so are aufs's own. */
const RESERVED = ".wh..wh.";
/** How overlayfs knows a folder that hides the one below. */
const OPAQUE_ATTRIBUTE = new Map([["trusted.overlay.opaque", Buffer.from("y")]]);
/** What overlayfs and the host's security modules go by is not for an image to set. */
const isKept = (attribute: string) => attribute === "security.capability" || attribute.startsWith("user.");
/** The kernel's own. */
const PATH_BYTES_MAX = 4_095;
const NAME_BYTES_MAX = 255;
/** What the kernel takes for "unchanged". */
const ID_MAX = 0xffff_fffe;

/**
 * Rewrites a layer's archive into one that GNU tar unpacks as a layer of overlayfs. Each header is written from what was
 * understood of it, so that what is checked here is what is unpacked.
 *
 * @returns through the generator's end, what the layer takes
 * @throws TarError for what no layer may have
 */
export async function* filterLayer(
  source: AsyncIterable<Uint8Array>,
  limits: LayerLimits,
): AsyncGenerator<Buffer, LayerSize> {
  /** All that is in this layer; folders as they are, others as null. */
  const present = new Map<string, TarEntry | null>();
  const removed = new Set<string>();
  const opaque = new Set<string>();
  let bytes = 0;
  let files = 0;

  for await (const { entry: raw, body } of readTar(source)) {
    const path = withinRoot(raw.path, "name");
    if (path === "") continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    files += 1;
    bytes += raw.size;
    if (files > limits.files) throw new TarError(`it has more than ${limits.files} files and folders`);
    if (bytes > limits.bytes) throw new TarError(`its files take more than ${sizeText(limits.bytes)}`);
    if (name === OPAQUE) {
      if (parent === "") throw new TarError("it hides all layers below it");
      opaque.add(parent);
      continue;
    }
    if (name.startsWith(WHITEOUT)) {
      if (!name.startsWith(RESERVED))
        removed.add(withinRoot(joined(parent, name.slice(WHITEOUT.length)), "name"));
      continue;
    }
    if (raw.type === "device") {
      // Containers have devices of their own there, and old images bring theirs.
      if (path.startsWith("dev/")) continue;
      throw new TarError(`it has the device node ${shown(path)}`);
    }
    const entry = { ...raw, path, target: targetOf(raw, present), attributes: keptOf(raw) };
    if (entry.uid > ID_MAX || entry.gid > ID_MAX)
      throw new TarError(`the owner of ${shown(path)} has a number that no user can have`);
    present.set(path, entry.type === "folder" ? entry : null);
    yield encodeHeader(entry);
    yield* body;
    yield paddingOf(entry.size);
  }

  for (const path of removed) {
    // What the layer itself has in its place hides what is below; a folder has to say so.
    if (present.has(path)) {
      if (present.get(path)) opaque.add(path);
      continue;
    }
    yield encodeHeader({ ...BLANK, type: "device", path });
  }
  for (const path of opaque) {
    const folder = present.get(path) ?? { ...BLANK, type: "folder", path, mode: 0o755 };
    yield encodeHeader({ ...folder, attributes: new Map([...folder.attributes, ...OPAQUE_ATTRIBUTE]) });
  }
  yield END_OF_TAR;
  return { bytes, files };
}

const BLANK = {
  target: "",
  mode: 0,
  uid: 0,
  gid: 0,
  mtime: 0,
  size: 0,
  attributes: new Map<string, Buffer>(),
};

const joined = (parent: string, name: string) => (parent === "" ? name : `${parent}/${name}`);

const shown = (path: string) => JSON.stringify(Buffer.from(path, "latin1").toString().slice(0, 100));

/** A path without what leads nowhere. @throws TarError for one that leads out */
function withinRoot(path: string, what: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new TarError(`it has a ${what} that leads out of it: ${shown(path)}`);
  const normal = parts.join("/");
  if (normal.length > PATH_BYTES_MAX || parts.some((part) => part.length > NAME_BYTES_MAX))
    throw new TarError(`it has a ${what} that is too long: ${shown(path)}`);
  return normal;
}

function targetOf(entry: TarEntry, present: ReadonlyMap<string, unknown>): string {
  if (entry.type === "symbolic link") {
    if (entry.target === "" || entry.target.length > PATH_BYTES_MAX)
      throw new TarError(`the link ${shown(entry.path)} has no target that a link can have`);
    return entry.target;
  }
  if (entry.type !== "hard link") return "";
  const target = withinRoot(entry.target, "link");
  if (!present.has(target))
    throw new TarError(`${shown(entry.path)} is a link to ${shown(target)}, which is not before it`);
  return target;
}

const keptOf = ({ attributes }: TarEntry) =>
  new Map([...attributes].filter(([attribute]) => isKept(attribute)));
