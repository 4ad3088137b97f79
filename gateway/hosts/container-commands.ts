import { DomainError, ValidationError } from "../../schemas/errors.ts";
import { HostCommandReply, type HostCommandRequest } from "../../schemas/hosting/container-command.ts";
import { jsonOf } from "../../schemas/received.ts";
import { type AskHost, hostQuestion } from "./ask-host.ts";

/** Beyond the time of the command: its start on a busy host, and its end at a limit. */
const AROUND_MS_MAX = 10_000;
/** Two outputs of 256 KiB in base64. */
const REPLY_LENGTH_MAX = 1024 * 1024;
const COMMAND = hostQuestion("command", HostCommandReply, REPLY_LENGTH_MAX, jsonOf);

type Ended = Extract<HostCommandReply, { kind: "ended" }>;

/**
 * Has a host run a command, and waits for its end.
 * @throws HOST_SILENT, VALIDATION_ERROR, CONTAINER_STATE_CONFLICT, RATE_LIMITED, COMMAND_RESULT_GONE, COMMAND_FAILED,
 * INSUFFICIENT_PERMISSIONS when the caller's access ended while it ran
 */
export type RunHostCommand = (serverName: string, request: HostCommandRequest) => Promise<Ended>;

export const commandRunner =
  (ask: AskHost): RunHostCommand =>
  async (serverName, request) => {
    const reply = await ask(serverName, COMMAND, request, request.timeout_ms + AROUND_MS_MAX);
    if (reply.kind === "refused") throw refusalOf(reply);
    return reply;
  };

function refusalOf({ reason, field, message }: Extract<HostCommandReply, { kind: "refused" }>): DomainError {
  if (reason === "invalid") return new ValidationError(`body.${field ?? "command"}`, message);
  if (reason === "not_running")
    return new DomainError("CONTAINER_STATE_CONFLICT", "The container does not run");
  if (reason === "busy") return new DomainError("RATE_LIMITED", message);
  if (reason === "access_ended")
    return new DomainError(
      "INSUFFICIENT_PERMISSIONS",
      "The command was ended, because your session or your access to the container has ended",
    );
  if (reason === "unknown")
    return new DomainError(
      "COMMAND_RESULT_GONE",
      "The command of this key may have run, and its host keeps no result of it. It is not run again",
    );
  return new DomainError("COMMAND_FAILED", `The host could not run the command: ${message}`);
}
