import { expect, test } from "bun:test";
import { join } from "node:path";
import { definitions } from "../actors/registry.ts";
import { type ActorsFor, assertSendersStated, SENDERS } from "../actors/senders.ts";
import { Services } from "../agents/services/services.ts";
import { SERVICE_LABELS } from "../schemas/addresses.ts";
import { type HostAccount, hostAccount } from "../schemas/nats-users.ts";
import * as subjects from "../schemas/subjects.ts";
import { OPERATOR_COMMANDS } from "../scripts/operator-commands.ts";

/** Who may what outside of the API's routes, as `docs/permissions.md` has it: what is new fails here until it is stated there. */

const ROOT = join(import.meta.dir, "..");
const page = await Bun.file(join(ROOT, "docs/permissions.md")).text();
/** The rows of the table under a heading. */
const tableOf = (heading: string): string[][] => {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) => line.slice(2, -2).split(" | "));
};
const named = (text: string | undefined) => text?.replaceAll("`", "");

const kinds = Object.values(
  definitions({
    aiCreditFeeBps: 0,
    firewall: { maxRules: 1, maxBytes: 1 },
    graceMs: 1,
    reservedAliases: new Set(),
    seller: { name: "", details: [] },
    codehostBonus: undefined,
    quotas: {} as never,
  }),
);

test("each message of each actor has its senders, in the code and on the page", () => {
  expect(() => assertSendersStated(kinds)).not.toThrow();
  const stated = Object.entries(SENDERS).map(([kind, messages]) => {
    const bySender = Map.groupBy(Object.entries(messages), ([, senders]) => senders.join(", "));
    const parts = [...bySender].map(([who, of]) => `${who}: ${of.map(([op]) => `\`${op}\``).join(", ")}`);
    return [`\`${kind}\``, parts.join("; ")];
  });
  expect(tableOf("Messages to actors")).toEqual(stated);
});

test("an actor host does not start with a message that nobody is stated to send", () => {
  const [account] = kinds;
  if (account === undefined) throw new Error("there are no actors");
  const more = { ...account, on: { ...account.on, forged: {} } };
  expect(() => assertSendersStated([more])).toThrow("account.forged must state who sends it");
  expect(() => assertSendersStated([{ kind: "unheard_of", on: { act: {} } }])).toThrow("unheard_of.act");
});

test("a gateway's client has no message of reconcilers or of other actors", () => {
  const senders = (gateway: ActorsFor<"gateway">) => {
    void gateway.wallet("").transfer;
    // @ts-expect-error a charge is part of a saga
    void gateway.wallet("").charge;
    // @ts-expect-error a host reports to an actor host
    void gateway.container("").report;
    // @ts-expect-error a timer
    void gateway.token("").expire;
  };
  expect(senders).toBeFunction();
});

/** An example of each subject for a host's name. What else the file exports names keys, or checks something. */
const EXAMPLES: Readonly<Record<string, (server: string) => string>> = {
  actorSubject: () => subjects.actorSubject(1, 2, "wallet", "a", "credit"),
  partitionSubject: () => subjects.partitionSubject(1, 2).replace(">", "x"),
  hostSubject: (server) => subjects.hostSubject(server),
  replySubject: (server) => subjects.replySubject(server, 1),
  LEASES_CHANGED: () => subjects.LEASES_CHANGED,
  SESSION_ENDED: () => subjects.SESSION_ENDED,
  AI_CREDIT_SYNCED: () => subjects.AI_CREDIT_SYNCED,
  EVENTS_LOST: () => subjects.EVENTS_LOST,
  WEBHOOKS_CHANGED: () => subjects.WEBHOOKS_CHANGED,
  runningRequestSubject: () => subjects.runningRequestSubject("a"),
  EVENT_SUBJECT: () => subjects.EVENT_SUBJECT,
  accessKeysSubject: (server) => subjects.accessKeysSubject(server),
  registryCredentialSubject: (server) => subjects.registryCredentialSubject(server),
  certificatesSubject: (server) => subjects.certificatesSubject(server),
  hostCredentialSubject: (server) => subjects.hostCredentialSubject(server),
  desiredBucket: (server) => `$KV.${subjects.desiredBucket(server)}.container.a`,
  KEPT_REPLIES_BUCKET: () => `$KV.${subjects.KEPT_REPLIES_BUCKET}.a`,
  desiredInfo: (server) => subjects.desiredInfo(server),
  desiredFeed: (server) => `${subjects.desiredFeed(server)}.container.a`,
  statusBucket: (server) => `$KV.${subjects.statusBucket(server)}.container.a`,
  agentSubject: (server) => subjects.agentSubject(server, "usage"),
};
const NO_SUBJECTS = [
  "kvSubject",
  "SERVER_NAME",
  "EVENT_STREAM",
  "EVENT_SUBJECTS",
  "desiredKey",
  "endedSessionsKey",
  "openingKey",
  "ALIASES_WATERMARK_KEY",
  "agentRequests",
  "isReply",
];

/** Whether a subject is one of those that NATS's patterns name. */
const isNamed = (patterns: readonly string[], subject: string) =>
  patterns.some((pattern) => {
    const form = pattern.replace(/[.$]/g, "\\$&").replaceAll("*", "[^.]+").replace(/>$/, ".+");
    return new RegExp(`^${form}$`).test(subject);
  });
const mayOf = ({ user: { permissions } }: HostAccount, subject: string) => ({
  publishes: isNamed(permissions.publish, subject),
  listens: isNamed(permissions.subscribe, subject),
});

test("each NATS subject says what a host may do there, for its own name and no other", () => {
  expect(Object.keys(subjects).toSorted()).toEqual([...Object.keys(EXAMPLES), ...NO_SUBJECTS].toSorted());
  const table = tableOf("NATS subjects");
  expect(table.map(([name]) => named(name)).toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
  const account = hostAccount("node-1", "a password");
  for (const [name, , may] of table) {
    const example = EXAMPLES[named(name) ?? ""];
    if (example === undefined) throw new Error(`${name} has no example`);
    const own = { publishes: may === "publishes", listens: may === "listens" };
    expect([name, mayOf(account, example("node-1"))]).toEqual([name, own]);
    expect([name, mayOf(account, example("node-2"))]).toEqual([name, { publishes: false, listens: false }]);
  }
});

test("a service of a container is open to nobody without a credential, but for what the page lists", () => {
  const programs = [
    ...Object.keys(SERVICE_LABELS),
    "files",
    "code",
    "browser",
    "agent",
    "display",
    "unheard-of",
  ];
  const prefixes = ["", "/api/v1/pipe", "/api/v1/notifications", "/api/v1/terminal"];
  const rests = [
    "/",
    "/health",
    "/health/",
    "/Health",
    "/../health",
    "/health/x",
    "/a",
    "//health",
    "/api/v1/health",
  ];
  const paths = prefixes.flatMap((prefix) => rests.map((rest) => prefix + rest));
  const open = new Set<string>();
  for (const program of programs)
    for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
      for (const path of paths) {
        const request = { method, path, target: path } as never;
        if (!Services.prototype.isOpen.call(undefined as never, program, request)) continue;
        open.add(`${program}: ${method === "OPTIONS" ? method : path}`);
      }
  const stated = tableOf("A container's own services").flatMap(([service, what = ""]) =>
    [...what.matchAll(/`([^`]+)`/g)].map(([, one]) => `${named(service)}: ${one}`),
  );
  expect([...open].toSorted()).toEqual(stated.filter((one) => !one.startsWith("an alias")).toSorted());
});

test("each command for operators is on the page", () => {
  expect(tableOf("Commands").map(([name]) => named(name))).toEqual(Object.keys(OPERATOR_COMMANDS));
});
