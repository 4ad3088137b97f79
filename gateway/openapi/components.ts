import type { JsonSchema } from "./json-schema.ts";
import { namedShape } from "./shapes.ts";

const SCHEMAS = "#/components/schemas/";

/** Where a component is referred to. */
export const referenceTo = (name: string): JsonSchema => ({ $ref: `${SCHEMAS}${name}` });

/** The shapes that a document uses, each once under its name. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();
  /** What each was made from. */
  readonly #sources = new Map<string, string>();

  /** By name, so that a document that describes the same things is the same document. */
  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  add(name: string, schema: JsonSchema): JsonSchema {
    this.#schemas.set(name, schema);
    return referenceTo(name);
  }

  /** A schema in which every shape that has a name is a reference to it. */
  refer(schema: JsonSchema): JsonSchema {
    const named = namedShape(schema);
    if (named === undefined) return this.#within(schema);
    const { name } = named;
    const key = JSON.stringify(named.schema);
    if ((this.#sources.get(name) ?? key) !== key) throw new Error(`two shapes have the name ${name}`);
    this.#sources.set(name, key);
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.#within(named.schema));
    }
    const { description } = schema;
    const isItsOwn = description === undefined || description === named.schema.description;
    return isItsOwn ? referenceTo(name) : { ...referenceTo(name), description };
  }

  #within(schema: JsonSchema): JsonSchema {
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, this.#keyword(keyword, value)]),
    );
  }

  #keyword(keyword: string, value: unknown): unknown {
    if (["anyOf", "allOf", "oneOf"].includes(keyword))
      return (value as JsonSchema[]).map((one) => this.refer(one));
    if (["items", "additionalProperties", "not"].includes(keyword) && typeof value === "object")
      return this.refer(value as JsonSchema);
    if (["properties", "patternProperties"].includes(keyword)) {
      const members = Object.entries(value as Record<string, JsonSchema>);
      return Object.fromEntries(members.map(([name, member]) => [name, this.refer(member)]));
    }
    return value;
  }
}

/** A schema with the component in place of a reference to it; the words beside a reference count. */
export function resolved(
  document: { readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } },
  schema: JsonSchema,
): JsonSchema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  return { ...document.components.schemas[$ref.slice(SCHEMAS.length)], ...beside };
}
