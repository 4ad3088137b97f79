import { createHash } from "node:crypto";
import { join } from "node:path";
import { sizeText } from "../../../system/size-text.ts";
import { readShellScript } from "../../exec/shell-script.ts";
import { DesktopError, type RunOptions, run } from "../desktop/program.ts";
import type { Spawner } from "../desktop/spawner.ts";
import { invalid, Refusal } from "../http/refusal.ts";
import { ICON_BYTES_MAX, ICON_PATH_CHARS_MAX } from "../limits.ts";
import { EXTENSIONS, type Image, type ImageType, imageType } from "./image.ts";

const SCRIPT = readShellScript(join(import.meta.dir, "icon.sh"));
/** Icon files that are kept: desktops read an icon at once, and a few desktops again later. */
const KEPT_MAX = 32;
const FIELD = "body.icon";
/** The form of names in the icon naming specification. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;
const DATA_URL = /^data:([a-z0-9.+/-]+)(?:;charset=[a-z0-9-]+)?;base64,([A-Za-z0-9+/]*={0,2})$/i;

export interface Icon {
  /** The argument for notify-send: a name, or a path on the desktop's machine. */
  readonly shown: string;
  /** The image for clients; null for a name that only the desktop knows. */
  readonly image: Image | null;
}

/**
 * The icon of a request: an absolute path on the desktop's machine, which is read as the desktop's user and so only if
 * that user may; the name of one of its icons; or the image itself as a data URL.
 *
 * @throws Refusal
 */
export async function loadIcon(text: string, spawner: Spawner, options: RunOptions): Promise<Icon> {
  if (text.startsWith("data:")) {
    const image = uploaded(text);
    return { shown: await storeIcon(image, spawner, options), image };
  }
  if (text.startsWith("/")) return { shown: text, image: await file(text, spawner, options) };
  if (!NAME.test(text)) throw invalid(FIELD, "must be an absolute path, the name of an icon, or a data URL");
  const found = await script(["find", text, String(ICON_BYTES_MAX + 1)], spawner, options);
  const type = found.code === 0 && found.stdout.length <= ICON_BYTES_MAX ? imageType(found.stdout) : null;
  return { shown: text, image: type === null ? null : { type, bytes: Uint8Array.from(found.stdout) } };
}

function uploaded(url: string): Image {
  const [, declared, base64] = DATA_URL.exec(url) ?? [];
  if (declared === undefined || base64 === undefined || base64.length % 4 !== 0) {
    throw invalid(FIELD, "must be data:<type>;base64,<data>");
  }
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  const type = checked(bytes);
  if (type !== declared.toLowerCase()) throw invalid(FIELD, `says ${declared} and is ${type}`);
  return { type, bytes };
}

async function file(path: string, spawner: Spawner, options: RunOptions): Promise<Image> {
  if (path.length > ICON_PATH_CHARS_MAX)
    throw invalid(FIELD, `a path has at most ${ICON_PATH_CHARS_MAX} characters`);
  const { code, stdout } = await script(["read", path, String(ICON_BYTES_MAX + 1)], spawner, options);
  if (code !== 0) throw invalid(FIELD, "is no file that can be read");
  const bytes = Uint8Array.from(stdout);
  return { type: checked(bytes), bytes };
}

/** @throws Refusal for an image that is too large, or not of the three types */
function checked(bytes: Uint8Array): ImageType {
  if (bytes.length > ICON_BYTES_MAX) throw invalid(FIELD, `an icon has at most ${sizeText(ICON_BYTES_MAX)}`);
  const type = imageType(bytes);
  if (type === null) throw invalid(FIELD, "is no PNG, JPEG or SVG");
  return type;
}

/** Writes an uploaded image to a file that the desktop can read. Equal images share a file. */
async function storeIcon({ type, bytes }: Image, spawner: Spawner, options: RunOptions): Promise<string> {
  const name = `${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.${EXTENSIONS[type]}`;
  const { code, stdout } = await script(["keep", name, String(KEPT_MAX)], spawner, options, bytes);
  if (code !== 0) throw new Refusal(502, "ICON_NOT_KEPT", "the icon cannot be put on the desktop's machine");
  return stdout.toString();
}

async function script(
  args: string[],
  spawner: Spawner,
  options: RunOptions,
  input?: Uint8Array<ArrayBuffer>,
) {
  const request = {
    argv: ["/bin/sh", "-c", SCRIPT, "sh", ...args],
    ...(input === undefined ? {} : { input }),
  };
  try {
    return await run(spawner, request, { ...options, bytesMax: ICON_BYTES_MAX + 1 });
  } catch (cause) {
    if (!(cause instanceof DesktopError)) throw cause;
    throw new Refusal(502, "ICON_NOT_READ", "the icon could not be read in time", {});
  }
}
