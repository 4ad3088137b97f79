import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { Aliases } from "../../../agents/aliases/aliases.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { aliasDoc, newId } from "./docs.ts";

/** A host's aliases and their files, as the link tells of them. */

async function host(data = temporaryFolder()) {
  const aliases = await Aliases.open({ server: "node-9", data, log: pino({ level: "silent" }) });
  const file = (label: string) => join(data, "aliases", `${label}.json`);
  return {
    aliases,
    data,
    file,
    want: (doc: ReturnType<typeof aliasDoc>) => aliases.desire(`alias.${doc.id}`, doc),
    files: () => readdirSync(join(data, "aliases")).sort(),
    read: (label: string) => JSON.parse(readFileSync(file(label), "utf8")),
  };
}

test("each alias has a file of its label, which follows a rename and goes with the alias", async () => {
  const { aliases, want, files, read } = await host();
  const doc = aliasDoc({ id: newId(), alias: "web" });
  want(doc);
  await aliases.settled();
  expect(read("web")).toEqual(doc);
  want({ ...doc, revision: 2, alias: "shop" });
  await aliases.settled();
  expect(files()).toEqual(["shop.json"]);
  want({ ...doc, revision: 3, alias: "shop", enabled: false });
  await aliases.settled();
  expect(read("shop")).toMatchObject({ revision: 3, enabled: false });
  aliases.onDeleted(`alias.${doc.id}`);
  await aliases.settled();
  expect(files()).toEqual([]);
});

test("a host that starts alone goes on with what its files say", async () => {
  const first = await host();
  const [web, off, past] = [newId(), newId(), newId()];
  first.want(aliasDoc({ id: web, revision: 4, alias: "web" }));
  first.want(aliasDoc({ id: off, revision: 5, alias: "off", enabled: false }));
  first.want(aliasDoc({ id: past, revision: 6, alias: "past", expires_at: "2020-01-01T00:00:00.000Z" }));
  await first.aliases.close();
  const { aliases, want } = await host(first.data);
  expect(aliases.count).toBe(3);
  expect(aliases.lookup("web")).toMatchObject({ id: web, revision: 4 });
  expect(aliases.lookup("off")).toBeUndefined();
  expect(aliases.lookup("past")).toBeUndefined();
  // An older word than the file's does not count.
  want(aliasDoc({ id: web, revision: 3, alias: "older" }));
  expect(aliases.lookup("older")).toBeUndefined();
});

test("of an alias that ended under two labels the newer one is taken, and the other file goes", async () => {
  const { data, file } = await host();
  const id = newId();
  writeFileSync(file("zebra"), JSON.stringify(aliasDoc({ id, revision: 1, alias: "zebra" })));
  writeFileSync(file("ant"), JSON.stringify(aliasDoc({ id, revision: 2, alias: "ant" })));
  const { aliases, files } = await host(data);
  await aliases.settled();
  expect(aliases.lookup("zebra")).toBeUndefined();
  expect(aliases.lookup("ant")).toMatchObject({ id });
  expect(files()).toEqual(["ant.json"]);
});

test("a file that is no alias of this host is left alone, and serves nobody", async () => {
  const { data, file } = await host();
  writeFileSync(file("torn"), '{"id": "');
  writeFileSync(file("other"), JSON.stringify(aliasDoc({ id: newId(), alias: "web" })));
  writeFileSync(file("theirs"), JSON.stringify(aliasDoc({ id: newId(), alias: "theirs", server_name: "x" })));
  const { aliases } = await host(data);
  expect(aliases.count).toBe(0);
  expect(aliases.lookup("web")).toBeUndefined();
  expect(existsSync(file("torn"))).toBe(true);
});

test("what is no alias of this host is not taken, whatever key it comes under", async () => {
  const { aliases, files } = await host();
  const id = newId();
  aliases.desire(`alias.${id}`, undefined);
  aliases.desire(`alias.${id}`, { ...aliasDoc({ id }), alias: "../../evil" });
  aliases.desire(`alias.${id}`, aliasDoc({ id, server_name: "node-8" }));
  aliases.desire(`alias.${newId()}`, aliasDoc({ id }));
  aliases.desire(`container.${id}`, aliasDoc({ id }));
  await aliases.settled();
  expect(aliases.count).toBe(0);
  expect(files()).toEqual([]);
});

test("a bucket that was lost ends no alias; one that is whole ends those that it lacks", async () => {
  const { aliases, want, files } = await host();
  const [kept, ended] = [newId(), newId()];
  want(aliasDoc({ id: kept, revision: 1, alias: "kept" }));
  want(aliasDoc({ id: ended, revision: 2, alias: "ended" }));
  aliases.listed(new Set());
  aliases.listed(new Set([`alias.${kept}`]));
  expect(aliases.lookup("ended")).toBeDefined();
  aliases.desire("aliases", { revision: 1 });
  aliases.listed(new Set(["aliases", `alias.${kept}`]));
  expect(aliases.lookup("ended")).toBeDefined();
  aliases.desire("aliases", { revision: 3 });
  aliases.listed(new Set(["aliases", `alias.${kept}`]));
  expect(aliases.lookup("ended")).toBeUndefined();
  expect(aliases.lookup("kept")).toBeDefined();
  await aliases.settled();
  expect(files()).toEqual(["kept.json"]);
});

test("who follows an alias hears when it is known at a revision, and when it is known no more", async () => {
  const { aliases, want } = await host();
  const id = newId();
  const heard: string[] = [];
  void aliases.awaitRevision(id, 2).then(() => heard.push("known"));
  want(aliasDoc({ id, revision: 1 }));
  await aliases.settled();
  expect(heard).toEqual([]);
  want(aliasDoc({ id, revision: 2 }));
  await until(() => heard.length === 1);
  void aliases.awaitRevision(id, null).then(() => heard.push("gone"));
  await aliases.settled();
  expect(heard).toEqual(["known"]);
  aliases.onDeleted(`alias.${id}`);
  await until(() => heard.length === 2);
});

test("a folder that cannot be written to is written to once it can be", async () => {
  const { aliases, data, want, read } = await host();
  const doc = aliasDoc({ id: newId(), alias: "web" });
  rmSync(join(data, "aliases"), { recursive: true });
  writeFileSync(join(data, "aliases"), "in the way");
  want(doc);
  expect(aliases.lookup("web")).toBeDefined();
  const { promise: turn, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await turn;
  rmSync(join(data, "aliases"));
  mkdirSync(join(data, "aliases"));
  await aliases.settled();
  expect(read("web")).toEqual(doc);
});
