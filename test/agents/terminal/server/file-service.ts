import { chmodSync } from "node:fs";
import { connect } from "node:net";
import { hostExecTarget } from "../../../../agents/exec/host.ts";
import type { ExecTarget } from "../../../../agents/exec/target.ts";
import type { TerminalOptions } from "../../../../agents/terminal/options.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

/** A terminal with session 7, whose shell is in a new folder. */
export async function startFileService(
  query: Record<string, string> = {},
  options: Partial<TerminalOptions> = {},
) {
  const service = startService(options);
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const client = await service.open({ terminal_id: "7", ...query });
  client.type(`cd ${folder}; echo in''side\n`);
  await client.shows("inside");
  const path = "/api/v1/terminal/sessions/7/files";
  const at = `${service.origin}${path}`;
  return {
    service,
    folder,
    path,
    put: (name: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${at}?${new URLSearchParams({ name })}`, { method: "PUT", body, headers }),
    get: (file: string, headers: Record<string, string> = {}) =>
      fetch(`${at}?${new URLSearchParams({ path: file })}`, { headers }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Enough for a script to begin on a busy machine, and short enough to wait for where it hangs. */
export const SCRIPT_MS_MAX = 3_000;

/** A machine on which files are put and read by another script. */
export const machineWith = (script: string): ExecTarget => ({
  ...hostExecTarget,
  stream: (_request, input) => hostExecTarget.stream({ user: null, argv: ["/bin/sh", "-c", script] }, input),
});

/** A client that sends what it is told, and keeps what comes back. */
export function rawClient(origin: string) {
  const { port, host } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  const client = {
    socket,
    answer: "",
    isOver: false,
    put: (path: string, name: string, bytes: number, begin: string) =>
      void socket.write(
        `PUT ${path}?name=${name} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${bytes}\r\n\r\n${begin}`,
      ),
    answered: () => until(() => client.answer.includes("\r\n\r\n")),
  };
  socket.on("error", () => undefined);
  socket.on("close", () => {
    client.isOver = true;
  });
  socket.on("data", (bytes: Buffer) => {
    client.answer += bytes.toString("latin1");
  });
  return client;
}
