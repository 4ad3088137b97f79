import { HostLogsReply, type HostLogsRequest } from "../../schemas/hosting/container-log.ts";
import { jsonOf } from "../../schemas/received.ts";
import { type AskHost, hostQuestion } from "./ask-host.ts";

/** Beyond the time that the request lets the host wait for a line: reading a page takes milliseconds. */
const READ_MS_MAX = 3_000;
/** The agent ends a page at 512 KiB, and then completes the line. */
const REPLY_LENGTH_MAX = 1024 * 1024;
const LOGS = hostQuestion("logs", HostLogsReply, REPLY_LENGTH_MAX, jsonOf);

/** Reads a page of a container's log from its host. @throws HOST_SILENT */
export type ReadLog = (serverName: string, request: HostLogsRequest) => Promise<HostLogsReply>;

export const logReader =
  (ask: AskHost): ReadLog =>
  (serverName, request) =>
    ask(serverName, LOGS, request, request.wait_ms + READ_MS_MAX);
