import { resolved } from "./components.ts";
import type { ApiDocument } from "./document.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Parameter } from "./operation.ts";
import { breakable, code, prose, text } from "./page-text.ts";
import { type ApiResponse, type Content, JSON_TYPE } from "./responses.ts";

/** Schemas of a document in HTML: the fields of each, with what may stand in them. */
export class SchemaView {
  constructor(readonly document: ApiDocument) {}

  parameters(list: readonly Parameter[]): string {
    const fields = list.map(({ name, in: place, required, description, schema }) => {
      const whole = this.#resolved(schema);
      return this.#field(
        name,
        { ...whole, description: description ?? whole.description ?? "" },
        required,
        place,
      );
    });
    return `<dl>${fields.join("")}</dl>`;
  }

  response([status, { description, content }]: [string, ApiResponse]): string {
    return Number(status) >= 400
      ? `<p class="refusal"><b>${status}</b> ${prose(description)}</p>`
      : `<p><b>${status}</b> ${prose(description)}</p>${this.content(content ?? {})}`;
  }

  content(content: Content): string {
    return Object.entries(content)
      .map(([type, { schema }]) =>
        type === JSON_TYPE
          ? this.#fields(this.#withoutEnvelope(schema))
          : `<p><code>${text(type)}</code></p>`,
      )
      .join("");
  }

  #resolved(schema: JsonSchema): JsonSchema {
    return resolved(this.document, schema);
  }

  /** Only `data` of a reply's schema: the envelope is the same for all and is described once, at the top of the page. */
  #withoutEnvelope(schema: JsonSchema): JsonSchema {
    const { properties, ...rest } = this.#resolved(schema);
    return properties?.statusCode === undefined
      ? ({ properties, ...rest } as JsonSchema)
      : (properties.data ?? {});
  }

  /** The members of an object, of an array's items, or of each alternative. */
  #fields(schema: JsonSchema): string {
    const { items, anyOf, allOf, properties = {}, required } = this.#resolved(schema);
    if (typeof items === "object") return this.#fields(items);
    if (anyOf !== undefined) return this.#alternatives(anyOf);
    if (allOf !== undefined) return allOf.map((part) => this.#fields(part)).join("");
    const members = Object.entries(properties);
    if (members.length === 0) return "";
    const isRequired = new Set(required);
    return `<dl>${members
      .map(([name, member]) => this.#field(name, this.#resolved(member), isRequired.has(name)))
      .join("")}</dl>`;
  }

  /** A value that may be absent has the fields of what it is otherwise; where there are several forms each is told apart. */
  #alternatives(forms: readonly JsonSchema[]): string {
    const withFields = forms.filter((one) => this.#fields(one) !== "");
    if (withFields.length < 2) return withFields.map((one) => this.#fields(one)).join("");
    const items = withFields.map((one, at) => `<li>${this.#titleOf(one, at)}${this.#fields(one)}</li>`);
    return `<p class="rules">one of these:</p><ol class="forms">${items.join("")}</ol>`;
  }

  #titleOf(form: JsonSchema, at: number): string {
    const name = form.$ref?.split("/").at(-1) ?? `form ${at + 1}`;
    return `<b>${text(name)}</b>`;
  }

  #field(name: string, schema: JsonSchema, required: boolean, place = ""): string {
    const where = place === "" ? "" : `, in ${place}`;
    return `<dt><code>${breakable(name)}</code>
<span class="kind">${text(this.#kindOf(schema))}${where}${required ? "" : ", optional"}</span></dt>
<dd>${notes(schema)}${this.#fields(schema)}</dd>`;
  }

  #kindOf(schema: JsonSchema): string {
    const { const: constant, anyOf, items, type } = this.#resolved(schema);
    if (constant !== undefined) return JSON.stringify(constant);
    if (anyOf !== undefined) return [...new Set(anyOf.map((one) => this.#kindOf(one)))].join(" or ");
    if (typeof items === "object") return `array of ${this.#kindOf(items)}`;
    return type ?? "any value";
  }
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
