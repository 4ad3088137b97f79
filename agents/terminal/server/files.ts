import { FILE_IDLE_MS_MAX } from "../../exec/file-transfer.ts";
import type { ExecTarget } from "../../exec/target.ts";
import type { Session } from "../session/session.ts";
import { download } from "./download.ts";
import { refuseFile } from "./file-script.ts";
import { upload } from "./upload.ts";

/**
 * Transfers files between the user's machine and the working directory of a session's shell, as the session's user:
 * `PUT ?name=` and `GET ?path=`. They do not pass through the terminal, so other viewers do not see them and no
 * program has to be installed.
 */
export async function transferFile(
  request: Request,
  { pid, user }: Session,
  target: ExecTarget,
  idleMs = FILE_IDLE_MS_MAX,
): Promise<Response> {
  if (pid === null) return refuseFile(request, 20);
  const folder = { target, user, place: pid, idleMs };
  return request.method === "PUT" ? upload(request, folder) : download(request, folder);
}
