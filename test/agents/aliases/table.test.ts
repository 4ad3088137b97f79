import { expect, test } from "bun:test";
import { AliasTable } from "../../../agents/aliases/table.ts";
import { aliasDoc, newId } from "./docs.ts";

const [one, other] = [newId(), newId()];

test("a label leads to the newest state of its alias, in whatever order states arrive", () => {
  const table = new AliasTable();
  table.upsert(aliasDoc({ id: one, revision: 3, alias: "web", index: 8083 }));
  table.upsert(aliasDoc({ id: one, revision: 2, alias: "web", index: 8082 }));
  expect(table.lookup("web")).toMatchObject({ revision: 3, index: 8083 });
});

test("a renamed alias is found under its new label alone", () => {
  const table = new AliasTable();
  table.upsert(aliasDoc({ id: one, revision: 1, alias: "old" }));
  expect(table.upsert(aliasDoc({ id: one, revision: 2, alias: "new" }))).toEqual(["old", "new"]);
  expect(table.lookup("old")).toBeUndefined();
  expect(table.lookup("new")).toMatchObject({ id: one });
});

test("a label that changed hands leads to its new alias, whichever news comes first", () => {
  const before = aliasDoc({ id: one, revision: 5, alias: "web" });
  const renamed = aliasDoc({ id: one, revision: 6, alias: "web-old" });
  const next = aliasDoc({ id: other, revision: 7, alias: "web" });
  for (const order of [
    [before, renamed, next],
    [before, next, renamed],
    [next, before, renamed],
    [next, renamed, before],
    [renamed, next, before],
  ]) {
    const table = new AliasTable();
    for (const doc of order) table.upsert(doc);
    expect(table.lookup("web")).toMatchObject({ id: other });
    expect(table.lookup("web-old")).toMatchObject({ id: one });
  }
});

test("the deletion of a label's former alias leaves the new one", () => {
  const table = new AliasTable();
  table.upsert(aliasDoc({ id: one, revision: 5, alias: "web" }));
  table.upsert(aliasDoc({ id: other, revision: 7, alias: "web" }));
  expect(table.remove(one)).toEqual([]);
  expect(table.lookup("web")).toMatchObject({ id: other });
});

test("a deleted alias does not come back by a late message", () => {
  const table = new AliasTable();
  table.upsert(aliasDoc({ id: one, revision: 5, alias: "web" }));
  table.remove(one);
  table.upsert(aliasDoc({ id: one, revision: 5, alias: "web" }));
  table.upsert(aliasDoc({ id: one, revision: 4, alias: "web" }));
  expect(table.lookup("web")).toBeUndefined();
  expect(table.size).toBe(0);
});

test("a disabled alias leads nowhere, and an expired one from its time on", () => {
  const table = new AliasTable();
  table.upsert(aliasDoc({ id: one, revision: 1, alias: "off", enabled: false }));
  table.upsert(aliasDoc({ id: other, revision: 2, alias: "soon", expires_at: "2026-01-31T09:30:00.000Z" }));
  const time = Date.parse("2026-01-31T09:30:00.000Z");
  expect(table.lookup("off")).toBeUndefined();
  expect(table.lookup("soon", time - 1)).toMatchObject({ id: other });
  expect(table.lookup("soon", time)).toBeUndefined();
  expect(table.holder("off")).toMatchObject({ enabled: false });
});

test("a listing that is whole as of a revision ends what it lacks up to there, and nothing later", () => {
  const table = new AliasTable();
  table.upsert(aliasDoc({ id: one, revision: 4, alias: "kept" }));
  table.upsert(aliasDoc({ id: other, revision: 5, alias: "ended" }));
  const later = newId();
  table.upsert(aliasDoc({ id: later, revision: 6, alias: "later" }));
  expect(table.keepOnly(new Set([one]), 5)).toEqual(["ended"]);
  expect(table.lookup("kept")).toBeDefined();
  expect(table.lookup("ended")).toBeUndefined();
  expect(table.lookup("later")).toBeDefined();
  // What a listing missed is taken when it is told again.
  table.upsert(aliasDoc({ id: other, revision: 5, alias: "ended" }));
  expect(table.lookup("ended")).toBeDefined();
});
