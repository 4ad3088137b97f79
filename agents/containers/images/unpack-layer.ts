import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { sizeText } from "../../../system/size-text.ts";
import { filterLayer, type LayerSize } from "./layer-filter.ts";
import { TarError } from "./tar.ts";

/**
 * A process of its own, so that neither a large layer nor a hostile one holds up the agent: unpacks one layer, and says on stdout
 * what it is.
 *
 * Arguments: the blob, the empty folder, and the most bytes and files.
 */

export type Unpacked = ({ readonly diffId: string } & LayerSize) | { readonly error: string };

const [blob = "", folder = "", bytes = "", files = ""] = process.argv.slice(2);
/** An archive that compresses so well is no layer; past this not even its empty end is read. */
const OVERHEAD_BYTES_MAX = 1024 * 1024 * 1024;
const REASON_CHARS_MAX = 300;

async function unpack(): Promise<Unpacked> {
  const limits = { bytes: Number(bytes), files: Number(files) };
  const hash = createHash("sha256");
  let length = 0;
  const counted = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      length += piece.length;
      if (length > limits.bytes + OVERHEAD_BYTES_MAX)
        throw new TarError(`it unpacks to more than ${sizeText(limits.bytes)}`);
      hash.update(piece);
      yield piece;
    }
  };
  let size: LayerSize = { bytes: 0, files: 0 };
  const filtered = async function* (source: AsyncIterable<Uint8Array>) {
    size = yield* filterLayer(counted(source), limits);
  };
  const tar = startTar(folder);
  const source = createReadStream(blob);
  const [fed] = await Promise.allSettled([
    pipeline(source, await decompressor(blob), filtered, tar.stdin).catch((error) => {
      // Not as if the archive had ended here.
      tar.kill();
      throw error;
    }),
    tar.ended,
  ]);
  const said = await tar.ended;
  // A broken pipe says that tar has ended, and tar says why.
  const isPipe = fed.status === "rejected" && (fed.reason as NodeJS.ErrnoException).code === "EPIPE";
  if (fed.status === "rejected" && !(isPipe && said !== "")) throw fed.reason;
  if (said !== "") throw new TarError(`tar: ${said}`);
  return { diffId: `sha256:${hash.digest("hex")}`, ...size };
}

/** By what the file begins with: media types are often wrong. */
async function decompressor(path: string) {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  await file.close();
  const magic = buffer.subarray(0, bytesRead).toString("hex");
  if (magic.startsWith("1f8b")) return createGunzip();
  return magic === "28b52ffd" ? createZstdDecompress() : new PassThrough();
}

/** GNU tar makes links that lead out only at the end, and follows none that the archive has made. */
function startTar(into: string) {
  // It ends with this process.
  const [program, ...own] = ["setpriv", "--pdeathsig", "KILL"] as const;
  const child = spawn(
    program,
    [
      ...own,
      ...["tar", "--extract", "--file=-", `--directory=${into}`],
      ...["--numeric-owner", "--same-owner", "--preserve-permissions", "--delay-directory-restore"],
      ...["--xattrs", "--xattrs-include=security.capability", "--xattrs-include=user.*"],
      ...["--xattrs-include=trusted.overlay.opaque", "--warning=no-timestamp"],
    ],
    { stdio: ["pipe", "ignore", "pipe"], env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" } },
  );
  let said = "";
  child.stderr.on("data", (piece: Buffer) => {
    if (said.length < REASON_CHARS_MAX) said += piece.toString();
  });
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) =>
      resolve(code === 0 ? "" : said.trim().slice(0, REASON_CHARS_MAX) || `ended with ${code}`),
    );
  });
  return { stdin: child.stdin, ended, kill: () => child.kill("SIGKILL") };
}

const answer = await unpack().catch((error: Error): Unpacked => ({ error: error.message }));
await pipeline(Readable.from([JSON.stringify(answer)]), process.stdout);
process.exit(0);
