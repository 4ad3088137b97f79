import { curlOf } from "./curl.ts";
import type { ApiDocument } from "./document.ts";
import type { ApiOperation } from "./operation.ts";
import { anchor, breakable, paragraphs, prose, text } from "./page-text.ts";
import { SchemaView } from "./schema-view.ts";

/**
 * The readable page of the API: plain HTML made from the document (decision 53). Its one script searches; without it everything is
 * still there.
 */
export function renderApiPage(document: ApiDocument): string {
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operationsTagged(document, name),
  }));
  const view = new SchemaView(document);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(document.info.title)} API</title>
<link rel="stylesheet" href="/openapi/page.css">
<script type="module" src="/openapi/page.js"></script>
</head>
<body>
<header>
<h1>${text(document.info.title)} API</h1>
${paragraphs(document.info.description)}
<h2 id="sign-in">Sign in</h2>
<p>These commands work as they are in a shell. The commands below use the same two variables.</p>
<pre><code>${text(SIGN_IN)}</code></pre>
<p><a href="/openapi/json">OpenAPI document</a>, for generated clients.</p>
</header>
<nav aria-label="Sections">
<form role="search" hidden><label for="search">Search</label>
<input id="search" type="search" placeholder="container, /pools, NAME_TAKEN…" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p></form>
<ul>
${groups.map(({ name }) => `<li><a href="#${anchor(name)}">${text(name)}</a></li>`).join("\n")}
</ul></nav>
<main>
${groups.map((group) => section(group, view)).join("\n")}
</main>
</body>
</html>
`;
}

/** The script puts the page's own origin in place of this one. */
const SIGN_IN = `BERTH=https://berth.example
TOKEN=$(curl -s "$BERTH/api/v1/auth/login" -H 'Content-Type: application/json' \\
  -d '{"username": "demo", "password": "…"}' | jq -r .data.access_token)
curl -s "$BERTH/api/v1/auth/me" -H "Authorization: Bearer $TOKEN"`;

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Listed[];
}

function operationsTagged(document: ApiDocument, tag: string): Listed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

const section = (
  { name, description, operations }: Group,
  view: SchemaView,
) => `<section id="${anchor(name)}">
<h2>${text(name)}</h2>
<p>${prose(description)}</p>
${operations.map((one) => details(one, view)).join("\n")}
</section>`;

const details = (
  { method, path, operation }: Listed,
  view: SchemaView,
) => `<details id="${text(operation.operationId)}">
<summary><span class="method ${method}">${method.toUpperCase()}</span><code>${breakable(path)}</code>
<span class="what">${prose(operation.summary)}</span></summary>
<div class="about">
${paragraphs(operation.description)}
<h3>Example</h3>
<pre><code>${text(curlOf(view.document, method, path, operation))}</code></pre>
${exampleReply(operation)}
${operation.parameters.length === 0 ? "" : `<h3>Parameters</h3>${view.parameters(operation.parameters)}`}
${operation.requestBody === undefined ? "" : `<h3>Body</h3>${view.content(operation.requestBody.content)}`}
<h3>Replies</h3>
${Object.entries(operation.responses)
  .map((response) => view.response(response))
  .join("\n")}
</div>
</details>`;

/** Its data: the envelope is the same for all, and the page's head describes it. */
function exampleReply({ responses }: ApiOperation): string {
  const example = Object.values(responses)
    .flatMap(({ content = {} }) => Object.values(content))
    .find((content) => content.example !== undefined)?.example as { data?: unknown } | undefined;
  if (example === undefined) return "";
  return `<details class="reply"><summary>A reply</summary><pre><code>${text(JSON.stringify(example, null, 2))}</code></pre></details>`;
}
