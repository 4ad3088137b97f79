import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Strict } from "../../schemas/primitives.ts";
import { Text } from "../../schemas/text.ts";
import { DISPLAY_RULE } from "./display.ts";
import { invalid } from "./http/refusal.ts";
import {
  ACTION_LABEL_CHARS_MAX,
  ACTION_NAME_CHARS_MAX,
  ACTIONS_MAX,
  BODY_CHARS_MAX,
  ICON_TEXT_CHARS_MAX,
  SOURCE_CHARS_MAX,
  TIMEOUT_MS_MAX,
  TITLE_CHARS_MAX,
} from "./limits.ts";

/** The schemas of request bodies (design §4). `description` states the rule for a value, for refusals. */

const Display = Type.String({ description: DISPLAY_RULE });

const Action = Strict({
  name: Text({
    pattern: `^[A-Za-z0-9_.-]{1,${ACTION_NAME_CHARS_MAX}}$`,
    description: `must be 1 to ${ACTION_NAME_CHARS_MAX} letters, digits and _.-`,
  }),
  label: Text({
    minLength: 1,
    maxLength: ACTION_LABEL_CHARS_MAX,
    description: `must be text of 1 to ${ACTION_LABEL_CHARS_MAX} characters`,
  }),
});

const Notify = Strict({
  display: Display,
  title: Text({
    minLength: 1,
    maxLength: TITLE_CHARS_MAX,
    description: `must be text of 1 to ${TITLE_CHARS_MAX} characters`,
  }),
  body: Text({
    maxLength: BODY_CHARS_MAX,
    description: `must be text of at most ${BODY_CHARS_MAX} characters`,
  }),
  source: Type.Optional(
    Text({
      minLength: 1,
      maxLength: SOURCE_CHARS_MAX,
      description: `must be text of 1 to ${SOURCE_CHARS_MAX} characters`,
    }),
  ),
  urgency: Type.Optional(
    Type.Union([Type.Literal("low"), Type.Literal("normal"), Type.Literal("critical")], {
      description: "must be low, normal or critical",
    }),
  ),
  icon: Type.Optional(
    Text({
      minLength: 1,
      maxLength: ICON_TEXT_CHARS_MAX,
      description: "must be a path, a name or a data URL",
    }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: TIMEOUT_MS_MAX,
      description: `must be milliseconds, an integer from 0 to ${TIMEOUT_MS_MAX}`,
    }),
  ),
  actions: Type.Optional(
    Type.Array(Action, {
      maxItems: ACTIONS_MAX,
      description: `must be a list of at most ${ACTIONS_MAX} actions`,
    }),
  ),
});

const Dismiss = Strict({
  display: Display,
  id: Type.Optional(
    Type.String({ pattern: "^[0-9a-f]{24}$", description: "must be 24 hexadecimal characters" }),
  ),
  all: Type.Optional(Type.Literal(true, { description: "must be true, in place of an id" })),
});

/** @throws Refusal naming the field */
export const readNotify = reader(Notify);
const readDismissFields = reader(Dismiss);

/** The notices to dismiss: the one with an id, or all of the display. @throws Refusal naming the field */
export function readDismiss(value: unknown): { readonly display: string; readonly id: string | null } {
  const { display, id, all } = readDismissFields(value);
  if (id === undefined && all === undefined) throw invalid("body.id", "required, or all: true");
  if (id !== undefined && all !== undefined) throw invalid("body.all", "has no place beside an id");
  return { display, id: id ?? null };
}

function reader<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  const compiled = TypeCompiler.Compile(schema);
  return (value) => {
    assertStorable(value, "body");
    if (compiled.Check(value)) return value;
    const error = compiled.Errors(value).First();
    const path = (error?.path ?? "").split("/").slice(1);
    throw invalid(["body", ...path].join("."), error === undefined ? "is not valid" : ruleOf(error));
  };
}

function ruleOf({ type, value, schema }: ValueError): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return "unknown field";
  if (value === undefined) return "required";
  return schema.description ?? "must be an object";
}

/** Refuses NUL, which arguments of programs cannot contain, and lone surrogates. */
function assertStorable(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed())
      throw invalid(path, "must not contain NUL or half a surrogate pair");
  } else if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) assertStorable(one, `${path}.${at}`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, one] of Object.entries(value)) assertStorable(one, `${path}.${key}`);
  }
}
