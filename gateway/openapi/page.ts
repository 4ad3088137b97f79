import type { ApiDocument, ApiOperation, ApiResponse, JsonSchema, Parameter } from "./document.ts";

/**
 * The readable page of the API: plain HTML made from the document, without a script, so that it needs nothing but its
 * own style sheet and works under the strictest content security policy.
 */
export function renderApiPage(document: ApiDocument): string {
  const groups = document.tags.map(({ name }) => ({ name, operations: operationsTagged(document, name) }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(document.info.title)} API</title>
<link rel="stylesheet" href="/openapi/page.css">
</head>
<body>
<header>
<h1>${text(document.info.title)} API</h1>
<p>${prose(document.info.description)}</p>
<p><a href="/openapi/json">OpenAPI document</a></p>
</header>
<nav aria-label="Sections"><ul>
${groups.map(({ name }) => `<li><a href="#${anchor(name)}">${text(name)}</a></li>`).join("\n")}
</ul></nav>
<main>
${groups.map(({ name, operations }) => section(name, operations)).join("\n")}
</main>
</body>
</html>
`;
}

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

function operationsTagged(document: ApiDocument, tag: string): Listed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

const section = (name: string, operations: Listed[]) => `<section id="${anchor(name)}">
<h2>${text(name)}</h2>
${operations.map(details).join("\n")}
</section>`;

const details = ({ method, path, operation }: Listed) => `<details id="${text(operation.operationId)}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code>
<span class="what">${prose(operation.summary)}</span></summary>
<div class="about">
${operation.description === undefined ? "" : `<p>${prose(operation.description)}</p>`}
<p class="who">${who(operation.security)}</p>
${operation.parameters.length === 0 ? "" : `<h3>Parameters</h3>${parameters(operation.parameters)}`}
${operation.requestBody === undefined ? "" : `<h3>Body</h3>${content(operation.requestBody.content)}`}
<h3>Replies</h3>
${Object.entries(operation.responses).map(response).join("\n")}
</div>
</details>`;

function who(security: ApiOperation["security"]): string {
  const [permission] = security.flatMap((scheme) => scheme.api_token ?? []);
  if (security.length === 0) return "Public";
  const needs = "Needs <code>Authorization: Bearer</code>";
  return permission === undefined
    ? `${needs} of an account login`
    : `${needs}; an API token needs the permission ${code(permission)}`;
}

const parameters = (list: readonly Parameter[]) =>
  `<dl>${list
    .map(({ name, in: place, required, description, schema }) =>
      field(name, { ...schema, description: description ?? schema.description ?? "" }, required, place),
    )
    .join("")}</dl>`;

const response = ([status, { description, content: body }]: [string, ApiResponse]) =>
  Number(status) >= 400
    ? `<p class="refusal"><b>${status}</b> ${prose(description)}</p>`
    : `<p><b>${status}</b> ${prose(description)}</p>${content(body ?? {})}`;

const content = (body: NonNullable<ApiResponse["content"]>) =>
  Object.entries(body)
    .map(([type, { schema }]) =>
      type === "application/json" ? fields(withoutEnvelope(schema)) : `<p><code>${text(type)}</code></p>`,
    )
    .join("");

/** Only `data` of a reply's schema: the envelope is the same for all and is described once, at the top of the page. */
const withoutEnvelope = (schema: JsonSchema): JsonSchema =>
  schema.properties?.statusCode === undefined ? schema : (schema.properties.data ?? {});

/** The members of an object, of an array's items, or of each alternative. */
function fields(schema: JsonSchema): string {
  if (schema.items !== undefined) return fields(schema.items);
  const alternatives = schema.anyOf ?? schema.allOf;
  if (Array.isArray(alternatives)) return alternatives.map(fields).join("");
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return "";
  const required = new Set(schema.required);
  return `<dl>${members.map(([name, member]) => field(name, member, required.has(name))).join("")}</dl>`;
}

const field = (
  name: string,
  schema: JsonSchema,
  required: boolean,
  place = "",
) => `<dt><code>${breakable(name)}</code>
<span class="kind">${text(kindOf(schema))}${place === "" ? "" : `, in ${place}`}${required ? "" : ", optional"}</span></dt>
<dd>${notes(schema)}${fields(schema)}</dd>`;

function kindOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(" or ");
  if (schema.items !== undefined) return `array of ${kindOf(schema.items)}`;
  return schema.type ?? "any value";
}

function notes(schema: JsonSchema): string {
  const { description = "", minimum, maximum, minLength, maxLength, pattern, examples } = schema;
  const said = description === "" ? "" : `<p>${prose(description)}</p>`;
  const rules = [
    schema.enum === undefined ? "" : `one of ${schema.enum.map(code).join(", ")}`,
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    pattern === undefined ? "" : `matches ${code(pattern)}`,
    Array.isArray(examples) ? `for example ${examples.map(code).join(", ")}` : "",
  ].filter((rule) => rule !== "");
  return rules.length === 0 ? said : `${said}<p class="rules">${rules.join("; ")}</p>`;
}

function range(from: unknown, to: unknown, unit: string): string {
  if (from === undefined && to === undefined) return "";
  if (from === undefined) return `at most ${text(to)}${unit}`;
  return to === undefined ? `at least ${text(from)}${unit}` : `${text(from)} to ${text(to)}${unit}`;
}

const code = (value: unknown) => `<code>${breakable(value)}</code>`;

/** Text with `code` in back quotes. */
const prose = (value: unknown) => text(value).replace(/`([^`]+)`/g, "<code>$1</code>");

const text = (value: unknown) => Bun.escapeHTML(String(value));

/** Long names may break after a slash or an underscore on a narrow screen. */
const breakable = (value: unknown) => text(value).replace(/([/_|])(?=\w|\{)/g, "$1<wbr>");

const anchor = (name: string) => text(name.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
