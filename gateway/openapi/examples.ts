import recorded from "./examples.json" with { type: "json" };
import type { ApiOperation } from "./operation.ts";
import { type Content, JSON_TYPE } from "./responses.ts";

/** A request and its reply, as they were between a test and the running system (`test/harness/recorded-examples.ts`). */
export interface Example {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly reply: unknown;
}

const EXAMPLES = recorded as Readonly<Record<string, Example>>;

/** The recorded example of an operation; undefined where there is none. */
export const exampleOf = (operationId: string): Example | undefined => EXAMPLES[operationId];

type Paths = Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;

/** Puts the recorded examples to their operations. */
export const withExamples = (paths: Paths): Record<string, Record<string, ApiOperation>> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, withExample(one)])),
    ]),
  );

function withExample(operation: ApiOperation): ApiOperation {
  const example = exampleOf(operation.operationId);
  if (example === undefined) return operation;
  const { requestBody, responses, parameters } = operation;
  const reply = responses[example.status];
  return {
    ...operation,
    parameters: parameters.map((one) => {
      const value = one.in === "query" ? example.query?.[one.name] : undefined;
      return value === undefined ? one : { ...one, example: value };
    }),
    ...(requestBody === undefined || example.body === undefined
      ? {}
      : { requestBody: { ...requestBody, content: exemplified(requestBody.content, example.body) } }),
    ...(reply?.content === undefined
      ? {}
      : {
          responses: {
            ...responses,
            [example.status]: { ...reply, content: exemplified(reply.content, example.reply) },
          },
        }),
  };
}

function exemplified(content: Content, example: unknown): Content {
  const { [JSON_TYPE]: json, ...others } = content;
  return json === undefined ? content : { ...others, [JSON_TYPE]: { ...json, example } };
}
