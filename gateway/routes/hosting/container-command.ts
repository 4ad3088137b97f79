import { createHash } from "node:crypto";
import { Elysia } from "elysia";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import {
  COMMAND_OUTPUT_BYTES_MAX,
  type CommandCaller,
  type CommandResult,
  CommandResultReply,
  type HostCommandReply,
  RunCommand,
  type TextEncoding,
  timeoutMsOf,
} from "../../../schemas/hosting/container-command.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { reachableContainer } from "./container.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** An event shows the name of a program; a path may be longer. */
const PROGRAM_LENGTH_MAX = 200;

/** What the program reads, as base64. @throws VALIDATION_ERROR */
function inputOf({ input = "", encoding }: RunCommand): string {
  if (encoding !== "base64") return Buffer.from(input).toString("base64");
  if (!BASE64.test(input)) throw new ValidationError("body.input", "must be base64");
  return input;
}

function resultOf(
  { kind: _, stdout, stderr, ...rest }: Extract<HostCommandReply, { kind: "ended" }>,
  encoding: TextEncoding,
): CommandResult {
  const written = (output: string) =>
    encoding === "base64" ? output : Buffer.from(output, "base64").toString("utf8");
  return { ...rest, stdout: written(stdout), stderr: written(stderr), encoding };
}

const callerAtHost = ({ userId, sessionId, impersonatorId, endsAtMs }: Caller): CommandCaller => ({
  user_id: userId,
  session_id: sessionId,
  session_user_id: impersonatorId ?? userId,
  seen_ms: Date.now(),
  ends_ms: endsAtMs ?? null,
});

/** Runs commands in containers. */
export const containerCommandRoutes = (context: GatewayContext) => {
  const { actors, credentials, newId, runHostCommand } = context;
  return new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Containers"] } })
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/:id/exec",
      async ({ caller, params, body, operation, request, server }) => {
        const { id, server_name } = await reachableContainer(context, caller, "use", params.id);
        const input = inputOf(body);
        const { value, replayed } = await actors.container(id).record_command(
          {
            by: caller.userId,
            program: (body.command[0] ?? "").slice(0, PROGRAM_LENGTH_MAX).toWellFormed(),
            command_id: newId(),
            digest: createHash("sha256").update(JSON.stringify(body)).digest("hex"),
          },
          operation.scopedTo(caller.userId),
        );
        // The command says how long it takes; an idle connection is not a broken one.
        server?.timeout(request, 0);
        const ended = await runHostCommand(server_name, {
          command_id: value.command_id,
          container_id: id,
          caller: callerAtHost(caller),
          is_repeated: replayed,
          command: body.command,
          env: body.env ?? {},
          user: body.user ?? null,
          working_directory: body.working_directory ?? null,
          input,
          timeout_ms: timeoutMsOf(body),
        });
        return ok("Command ended", resultOf(ended, body.encoding ?? "utf-8"));
      },
      {
        params: IdParams,
        body: RunCommand,
        response: {
          200: CommandResultReply,
          ...errors(
            "CONTAINER_NOT_FOUND",
            "CONTAINER_STATE_CONFLICT",
            "IDEMPOTENCY_KEY_REUSED",
            "COMMAND_RESULT_GONE",
            "COMMAND_FAILED",
            "HOST_SILENT",
          ),
        },
        detail: {
          summary: "Run a command in a container, and wait for its end",
          "x-reply-not-kept": "its output may be a secret; its host keeps it for two minutes",
          description:
            'The program is started as it is named, without a shell, so it also works in an image that has none; for a shell line, name the shell: `["sh", "-c", "…"]`. ' +
            `It gets no terminal; an interactive program needs the web terminal. At ${COMMAND_OUTPUT_BYTES_MAX / 1024} KiB of output or at the end of its time it is ended, with all that it started. ` +
            "It is also ended, within about a second, when your session or your access to the container ends. Four commands run in a container at a time. Under the same `Idempotency-Key` a command runs once: a repeated request waits for it, and gets the same result for two minutes after its end. " +
            "The event log has each command as `container.terminal_opened`, with the name of the program.",
        },
      },
    );
};
