import { BerthError } from "../../errors.ts";
import type { Cli } from "../cli.ts";
import { Refused } from "../failures.ts";
import { bytes } from "../output/format.ts";
import type { Progress } from "./progress.ts";
import { eachChunk, replacing } from "./save.ts";

/** A file of a container, as the reply to a request for its bytes from 0 on says it. */
export interface RemoteFile {
  readonly size: number;
  readonly version: string;
  readonly first: Response;
  /** The bytes from one on, of this version alone: 206; another status where the file has changed. */
  rest(from: number, version: string): Promise<Response>;
}

/** So often in a row a connection may break without a byte. */
const ATTEMPTS_MAX = 5;
/** Longer than the second in which a file may change without another date. */
const PAUSE_MS = 1_500;

/** Writes a file, and goes on where the connection broke. @throws Refused where the file has changed in the meantime */
export async function saveResuming(
  cli: Cli,
  remote: RemoteFile,
  file: string,
  progress: Progress,
  pauseMs = PAUSE_MS,
): Promise<void> {
  await replacing(file, async (draft) => {
    let [received, failures] = [0, 0];
    for (let response = remote.first; ; ) {
      const before = received;
      try {
        await eachChunk(
          response,
          (count) => progress.show(before + count),
          async (chunk) => {
            await draft.writeFile(chunk);
            received += chunk.length;
          },
        );
        if (received >= remote.size) return;
        throw new Error("the connection broke");
      } catch (error) {
        failures = received > before ? 0 : failures + 1;
        if (cli.io.interrupted.aborted || failures >= ATTEMPTS_MAX) throw error;
      }
      cli.print.note(`The connection broke at ${bytes(received)}: going on from there.`);
      response = await again(cli, remote, received, pauseMs);
    }
  });
}

/** The rest of the file; an empty reply where the host cannot be reached now, which counts as a failure. */
async function again(cli: Cli, remote: RemoteFile, from: number, pauseMs: number): Promise<Response> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  cli.io.interrupted.throwIfAborted();
  const response = await remote.rest(from, remote.version).catch((error) => {
    if (error instanceof BerthError || error instanceof Refused || cli.io.interrupted.aborted) throw error;
    return new Response();
  });
  if (response.status === 206 || response.body === null) return response;
  await response.body.cancel().catch(() => undefined);
  throw new Refused("the file has changed while it was copied: copy it again");
}
