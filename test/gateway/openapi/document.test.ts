import { describe, expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { documentOf } from "../../../gateway/openapi/document.ts";
import recorded from "../../../gateway/openapi/examples.json" with { type: "json" };
import { exampleOf } from "../../../gateway/openapi/examples.ts";
import { ERROR_STATUS } from "../../../schemas/errors.ts";
import { appAlone, appRoutes } from "../auth/app-routes.ts";
import { problemsOf } from "./example-check.ts";

const document = documentOf(appRoutes(), "0.1.0");
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test("a gateway that has served requests describes itself as one that has just started", async () => {
  const app = appAlone();
  for (const { method, path } of app.routes)
    if (method === "GET" && !/[:*]/.test(path)) await app.handle(new Request(`http://berth${path}`));
  expect(documentOf(app.routes, "0.1.0")).toEqual(document);
});

test("a linter finds nothing, by its recommended rules", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    // The contract has both `/images/{id}/icon` and `/images/import/{id}`; ids are hexadecimal, so no request is meant for both.
    rules: { "no-ambiguous-paths": "off" },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

describe("shapes", () => {
  /** Objects and sets of words that are written out, with each place. */
  function writtenOut(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    const walk = (value: unknown, at: string) => {
      if (typeof value !== "object" || value === null) return;
      const { description: _, ...shape } = value as Record<string, unknown>;
      if (isShape(shape)) {
        const key = JSON.stringify(shape);
        found.set(key, [...(found.get(key) ?? []), at]);
      }
      for (const [name, member] of Object.entries(value))
        if (name !== "example") walk(member, `${at}/${name}`);
    };
    walk(document.paths, "paths");
    walk(document.components.schemas, "schemas");
    return found;
  }

  const isShape = ({ type, properties, allOf, enum: words }: Record<string, unknown>): boolean =>
    (type === "object" && Object.keys(properties ?? {}).length > 0) ||
    Array.isArray(allOf) ||
    (Array.isArray(words) && words.length > 1);

  test("none is written out twice: what is used twice has a name", () => {
    const twice = [...writtenOut().values()].filter((places) => places.length > 1);
    expect(twice).toEqual([]);
  });

  test("each is used", () => {
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas))
      expect(text).toContain(`"#/components/schemas/${name}"`);
  });

  test("the error of each status lists the codes that operations reply with under it", () => {
    const { responses } = document.components;
    for (const { responses: own } of operations)
      for (const [status, { description }] of Object.entries(own)) {
        if (Number(status) < 400) continue;
        const [, codes = ""] = /: (.+)$/.exec(description) ?? [];
        const name = own[status]?.$ref?.split("/").at(-1) ?? "";
        expect(responses).toHaveProperty(name);
        const { code } = document.components.schemas[name]?.properties ?? {};
        for (const one of codes.split(", ")) {
          expect(code?.enum).toContain(one);
          expect(String(ERROR_STATUS[one as keyof typeof ERROR_STATUS])).toBe(status);
        }
      }
  });
});

describe("operations", () => {
  test("each has an id of its own that begins with a verb and names a thing", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect(ids).toContain("listContainers");
    expect(ids).toContain("createContainer");
  });

  test("each says who may call it and how it is limited", () => {
    for (const { description } of operations) {
      expect(description).toContain("**Access**: ");
      expect(description).toContain("**Limits**: ");
    }
  });

  test("each tag is described in words of its own", () => {
    for (const { name, description } of document.tags) {
      expect(description).not.toBe(`Operations of ${name.toLowerCase()}.`);
    }
  });
});

describe("examples", () => {
  test("each was recorded from a reply that has the present form; write-examples.ts drops the others", () => {
    const byId = new Map(operations.map((one) => [one.operationId, one]));
    for (const id of Object.keys(recorded)) {
      const operation = byId.get(id);
      expect([id, operation === undefined]).toEqual([id, false]);
      const example = exampleOf(id);
      if (operation === undefined || example === undefined) continue;
      expect([id, ...problemsOf(document, operation, example)]).toEqual([id]);
    }
  });

  test("each operation has one, or says why it has none", () => {
    const without = operations.filter(({ operationId }) => exampleOf(operationId) === undefined);
    const unexplained = without.filter(
      ({ description }) => !description.includes("**Example**: none, since"),
    );
    expect(unexplained.map(({ operationId }) => operationId)).toEqual([]);
    const explained = operations.filter(({ description }) => description.includes("**Example**: none"));
    expect(explained.map(({ operationId }) => operationId)).toEqual(
      without.map(({ operationId }) => operationId),
    );
  });

  test("none holds a credential", () => {
    expect(JSON.stringify(recorded)).not.toMatch(/eyJ[\w-]+\.[\w-]{10}|berth_[\w-]{10}/);
  });
});
