import type { ApiDocument } from "../../gateway/openapi/document.ts";
import type { JsonSchema } from "../../gateway/openapi/json-schema.ts";
import type { ApiOperation } from "../../gateway/openapi/operation.ts";

/** Where a value of a request stands: in its body (with the way to it), query, path or headers. */
export type Field =
  | { readonly in: "body"; readonly path: readonly (string | number)[]; readonly schema: JsonSchema }
  | { readonly in: "query" | "path" | "header"; readonly name: string; readonly schema: JsonSchema };

/** A route of the API as its description has it. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** With `{id}` in place of each parameter. */
  readonly pattern: string;
  readonly isPublic: boolean;
  /** The schema of its JSON body; undefined where it takes none. */
  readonly body: JsonSchema | undefined;
  readonly takesBytes: boolean;
  readonly fields: readonly Field[];
}

/** Every route that the description has. */
export const operationsOf = ({ paths }: Pick<ApiDocument, "paths">): Operation[] =>
  Object.entries(paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, spec]) => {
      const body = spec.requestBody?.content["application/json"]?.schema;
      return {
        name: `${method.toUpperCase()} ${pattern}`,
        method: method.toUpperCase(),
        pattern,
        isPublic: spec.security.length === 0,
        body,
        takesBytes: "application/octet-stream" in (spec.requestBody?.content ?? {}),
        fields: [...(body === undefined ? [] : bodyFields(body, [])), ...parameterFields(spec)],
      };
    }),
  );

const parameterFields = ({ parameters }: ApiOperation): Field[] =>
  parameters.map(({ in: place, name, schema }) => ({ in: place, name, schema }));

/** Every value that a body has a place for, however deep. */
function bodyFields(schema: JsonSchema, path: readonly (string | number)[]): Field[] {
  const here: Field[] = path.length === 0 ? [] : [{ in: "body", path, schema }];
  const inProperties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    bodyFields(property, [...path, name]),
  );
  const inRecord = Object.values(patternProperties(schema)).flatMap((value) =>
    bodyFields(value, [...path, RECORD_KEY]),
  );
  const inItems = schema.items === undefined ? [] : bodyFields(schema.items, [...path, 0]);
  const inAlternatives = (schema.anyOf ?? []).flatMap((one) =>
    bodyFields(one, path).filter((field) => field.in === "body" && field.path.length > path.length),
  );
  return [...here, ...inProperties, ...inRecord, ...inItems, ...inAlternatives];
}

/** A key that records of the API take: their keys are days. */
const RECORD_KEY = "7";

const patternProperties = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema.patternProperties ?? {}) as Readonly<Record<string, JsonSchema>>;

/** Whether a schema has a place for any object, or any list. */
export function takes(schema: JsonSchema, type: "object" | "array"): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => takes(one, type));
  const isAnything = schema.type === undefined && schema.const === undefined && schema.enum === undefined;
  return schema.type === type || isAnything;
}
