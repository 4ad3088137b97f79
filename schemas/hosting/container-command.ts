import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Id, Nullable, OneOf, Strict } from "../primitives.ts";
import { Text } from "../text.ts";

/** A command that is run in a container over the API, without a terminal. */

/** Of stdout and of stderr each, in bytes. */
export const COMMAND_OUTPUT_BYTES_MAX = 256 * 1024;
const COMMAND_SECONDS = { standard: 60, max: 300 };
/** In characters, as they are sent. */
const INPUT_LENGTH_MAX = 512 * 1024;

export const TextEncoding = OneOf(
  ["utf-8", "base64"],
  "how `input`, `stdout` and `stderr` are written. In `utf-8`, which is the default, bytes of the output that are not UTF-8 are replaced by U+FFFD; `base64` has every byte",
);
export type TextEncoding = Static<typeof TextEncoding>;

const VariableName = Type.String({
  pattern: "^[A-Za-z_][A-Za-z0-9_]{0,255}$",
  description: "1 to 256 of A-Z, a-z, 0-9 and `_`; no digit first",
});

/** Body of `POST /api/v1/containers/{id}/exec`. */
export const RunCommand = Strict({
  command: Type.Array(Text({ maxLength: 32_768 }), {
    minItems: 1,
    maxItems: 256,
    description: "the program, by its path or its name, and its arguments. There is no shell in between",
    examples: [["ls", "-l", "/srv"]],
  }),
  env: Type.Optional(
    Type.Record(VariableName, Text({ maxLength: 32_768 }), {
      propertyNames: VariableName,
      additionalProperties: false,
      maxProperties: 64,
      description: "variables beside those of the container; other programs cannot read them",
      examples: [{ MODE: "check" }],
    }),
  ),
  user: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}$",
      description: "a user of the container's `/etc/passwd`, or a number; `root` by default",
    }),
  ),
  working_directory: Type.Optional(
    Text({
      maxLength: 4_096,
      pattern: "^/",
      description: "an absolute path; by default the home of the user",
    }),
  ),
  input: Type.Optional(
    Text({
      maxLength: INPUT_LENGTH_MAX,
      description: "what the program reads from stdin; nothing by default",
    }),
  ),
  encoding: Type.Optional(TextEncoding),
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: COMMAND_SECONDS.max,
      description: `the command is ended after this time, with all that it started; ${COMMAND_SECONDS.standard} by default`,
    }),
  ),
});
export type RunCommand = Static<typeof RunCommand>;
export const timeoutMsOf = ({ timeout_seconds = COMMAND_SECONDS.standard }: RunCommand): number =>
  timeout_seconds * 1_000;

const outcome = {
  exit_status: Nullable(
    Type.Integer({
      description:
        "0 to 255; 128 and the number of the signal that ended it; 127: there is no such program; null: it was ended at a limit",
    }),
  ),
  stdout: Type.String(),
  stderr: Type.String(),
  truncated: Type.Boolean({
    description: `true: it wrote more than ${COMMAND_OUTPUT_BYTES_MAX / 1024} KiB to stdout or to stderr, and was ended`,
  }),
  timed_out: Type.Boolean({ description: "true: it took longer than `timeout_seconds`, and was ended" }),
  duration_ms: Type.Integer({ minimum: 0 }),
};
export const CommandResult = Type.Object({ ...outcome, encoding: TextEncoding });
export type CommandResult = Static<typeof CommandResult>;
export const CommandResultReply = Reply(CommandResult);

/** Who has a command run, as their host knows them: it ends when their access does. */
export const CommandCaller = Type.Object({
  user_id: Id,
  session_id: Id,
  /** Whose session it is: for an impersonation, the administrator's. */
  session_user_id: Id,
  /** When the gateway saw that the session is good. Milliseconds since the epoch, as the end is. */
  seen_ms: Type.Number(),
  /** The end of the credential; null: it is renewed. */
  ends_ms: Nullable(Type.Number()),
});
export type CommandCaller = Static<typeof CommandCaller>;

/** A request to a host's agent to run a command, or for the result of one that it was asked for before. */
export const HostCommandRequest = Type.Object({
  /** The same id never runs twice. */
  command_id: Id,
  container_id: Id,
  /** Absent from older gateways: the command then runs to its end. */
  caller: Type.Optional(CommandCaller),
  /** Whether the command may have been asked for before: it is then not started. */
  is_repeated: Type.Boolean(),
  command: Type.Array(Type.String(), { minItems: 1 }),
  env: Type.Record(Type.String(), Type.String()),
  user: Nullable(Type.String()),
  working_directory: Nullable(Type.String()),
  /** Base64. */
  input: Type.String(),
  timeout_ms: Type.Integer({ minimum: 1, maximum: COMMAND_SECONDS.max * 1_000 }),
});
export type HostCommandRequest = Static<typeof HostCommandRequest>;
/** In characters. The API's bodies are smaller, and base64 and escapes make them longer. */
export const HOST_COMMAND_LENGTH_MAX = 3 * 1024 * 1024;

/** The reply of the agent. `stdout` and `stderr` are base64. */
export const HostCommandReply = Type.Union([
  Type.Object({ kind: Type.Literal("ended"), ...outcome }),
  Type.Object({
    kind: Type.Literal("refused"),
    reason: OneOf(["invalid", "busy", "not_running", "unknown", "failed", "access_ended"]),
    /** The field of the body that is wrong. */
    field: Nullable(OneOf(["command", "user", "working_directory"])),
    message: Type.String({ maxLength: 1_000 }),
  }),
]);
export type HostCommandReply = Static<typeof HostCommandReply>;
