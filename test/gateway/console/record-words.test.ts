import { expect, test } from "bun:test";
import { pageOf } from "../../../gateway/console/app/lib/event-pages.ts";
import { typeWords } from "../../../gateway/console/app/lib/event-types.ts";
import { formatDateTime } from "../../../gateway/console/app/lib/format.ts";
import { nameWords, valueWords } from "../../../gateway/console/app/lib/record-words.ts";

/** Logs and their filters speak to people, and lead to what they tell of. */

test.each([
  ["setup_fee_cents", 500, "setup fee", "$5.00"],
  ["setup_fee_cents", 0, "setup fee", "$0.00"],
  ["amount", "12.5", "amount", "$12.50"],
  ["reason", "12.5", "reason", "12.5"],
  ["prices", { "1": 40, "30": 700 }, "prices", "1 day $0.40, 30 days $7.00"],
  ["delivered_by_hand", true, "delivered by hand", "yes"],
  ["specs", { cpu_cores: 2, disks: [{ size_gb: 50 }] }, "specs", "cpu cores 2, disks size gb 50"],
  ["days", 7, "days", "7"],
] as const)("%s of a log is said as a person reads it", (name, value, words, said) => {
  expect([nameWords(name), valueWords(name, value)]).toEqual([words, said]);
});

test("a time of a log is in the reader's own format", () => {
  const at = "2026-11-26T10:00:00.000Z";
  expect(valueWords("paid_until", at)).toBe(formatDateTime(at));
});

test.each([
  ["activity_log.payment_settled", "A payment was settled"],
  ["user.login_failed", "A sign-in failed: wrong password"],
  ["user.balance_credited", "Money was added to the balance"],
  ["server.rented", "A server was rented"],
  ["server.reserved", "A server was reserved"],
  ["server.extended", "The rental of a server was extended"],
  ["proxy_alias.created", "A name was created"],
  ["proxy_permissions.granted", "Somebody may enter a container"],
  ["auth_token.expired", "An API token has expired"],
  ["activity_log.image_imported", "An image was imported"],
  ["container.terminal_opened", "A terminal of a container was opened"],
  ["notification.created", "A notification arrived"],
  ["storage_share", "Storage share"],
  ["activity_log", "Payments and images"],
])("the filter of events says %s in the words of the list: %s", (type, words) => {
  expect(typeWords(type)).toBe(words);
});

const ID = "a".repeat(24);
const RENTAL = "b".repeat(24);

test.each([
  ["server.rented", "server", {}, `/servers/${ID}`],
  ["server.delivered", "server", { rental_id: RENTAL }, `/servers/${RENTAL}`],
  ["server.reserved", "server", {}, "/servers"],
  ["server.released", "server", { reservation: "cancelled" }, "/marketplace"],
  ["project.created", "project", {}, `/projects/${ID}`],
  ["project.deleted", "project", {}, "/projects"],
  ["storage_share.updated", "storage_share", {}, `/storage/${ID}`],
  ["pool.updated", "pool", {}, `/pools/${ID}`],
  ["pool.member_invited", "pool", {}, "/pools"],
  ["proxy_alias.created", "proxy_alias", {}, "/names"],
  ["container.running", "container", {}, `/containers/${ID}`],
  ["container.deleted", "container", {}, undefined],
  ["user.logged_in", "user", {}, "/account/sessions"],
  ["user.logged_out", "user", {}, "/account/sessions"],
  ["user.session_revoked", "user", {}, "/account/sessions"],
  ["user.signed_up", "user", {}, "/account"],
  ["auth_token.created", "auth_token", {}, "/account/tokens"],
] as const)("an event %s of a user leads to its thing", (event_type, resource_type, data, page) => {
  expect(pageOf({ event_type, resource_type, resource_id: ID, user_id: RENTAL, data })).toBe(page as string);
});

test("an event of the stock leads to the stock, a notice of a delivery to the rental, and a rule to its container's firewall", () => {
  const of = { resource_id: ID, resource_type: "server" } as const;
  expect(pageOf({ ...of, event_type: "server.added", user_id: null })).toBe("/operator/servers");
  expect(pageOf({ ...of, event_type: "server.delivered" })).toBe(`/servers/${ID}`);
  const rule = { event_type: "firewall.rule_added", resource_type: "firewall" } as const;
  expect(pageOf({ ...rule, resource_id: null, container_id: ID })).toBe(`/containers/${ID}/firewall`);
});
