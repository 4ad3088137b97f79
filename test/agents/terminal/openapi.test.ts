import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { validate } from "@readme/openapi-parser";
import { document, SPECIFICATION_FILE } from "../../../agents/terminal/openapi.ts";
import { PARAMETERS } from "../../../agents/terminal/parameters/table.ts";

test("the document is valid OpenAPI 3.0.0, has version 1.0.0 and exactly the three paths", async () => {
  expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true });
  expect(document.openapi).toBe("3.0.0");
  expect(document.info.version).toBe("1.0.0");
  expect(Object.keys(document.paths)).toEqual([
    "/",
    "/api/v1/terminal/openapi.json",
    "/api/v1/terminal/openapi.yaml",
  ]);
});

test("the document has every parameter of the table, with its type and default", () => {
  const { parameters } = document.paths["/"].get;
  expect(parameters.map(({ name }) => name)).toEqual(Object.keys(PARAMETERS));
  const byName = new Map(parameters.map((one) => [one.name, one]));
  expect(byName.get("fontSize")).toMatchObject({
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 8, maximum: 72, default: 13 },
  });
  expect(byName.get("env")).toMatchObject({ explode: true, schema: { type: "array" } });
  expect(byName.get("readonly")).toMatchObject({ allowEmptyValue: true, schema: { type: "boolean" } });
});

test("the document has every answer of the page's address", () => {
  const { responses } = document.paths["/"].get;
  expect(Object.keys(responses).map(Number)).toEqual([200, 302, 400, 401, 403, 405, 500, 502, 503, 504]);
});

test("the file that is served is the one that the table makes", () => {
  expect(JSON.parse(readFileSync(SPECIFICATION_FILE, "utf8"))).toEqual(structuredClone(document));
});
