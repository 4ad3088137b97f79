import type { ApiDocument } from "../../gateway/openapi/document.ts";

/** A document with each shape in place of the reference to it, for tests that walk through schemas. */
export function inlined<Document extends Pick<ApiDocument, "components">>(document: Document): Document {
  const { schemas } = document.components;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as { $ref?: string };
    const name = $ref?.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : undefined;
    const members = name === undefined ? value : { ...schemas[name], ...rest };
    return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, inline(member)]));
  };
  return inline(document) as Document;
}

const SCHEMAS = "#/components/schemas/";
