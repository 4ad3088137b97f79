import { programOfReference } from "./reference.ts";

/**
 * Every command of the API in an order in which each works, as a customer (c), a friend of theirs (f), an administrator (a) or nobody who is
 * signed in yet (n), with what its JSON has: fields of a record, or in brackets those of the rows of a list, which then has some.
 *
 * {NAME} is a value that the test knows, or the id that the command marked with it has printed.
 */
export type Row =
  | readonly [who: "c" | "f" | "a" | "n", line: string, json: string, more?: More]
  | readonly [act: Act, id: string];

/** What somebody else does in between: the host of the containers, or a processor of payments. */
export type Act = "certificate" | "container" | "share" | "snapshot" | "restored" | "review" | "charge";

interface More {
  readonly input?: string;
  /** The name of the id that it prints. */
  readonly as?: string;
}

const IMAGE =
  '{"alias": "{IMAGE}", "description": "d", "image_name": "n", "architecture": "amd64", "os": "debian", "release": "13", "variant": "default", "price": "10"}';
const COMPOSE = "name: web\nx-berth: { server: {SERVER} }\nservices: { extra: { entrypoint: [sleep] } }\n";
const RULES = "ingress: [{ action: allow, protocol: tcp, destination_port: 443 }]";

export const TABLE: readonly Row[] = [
  [
    "n",
    "signup -u {NEW} --email {NEW}@example.org --password-stdin",
    "context url",
    { input: "a long password" },
  ],
  ["n", "whoami", "id username email url context", { as: "NEW_ID" }],
  ["n", "logout", "context"],
  ["n", "login -u {NEW} --password-stdin", "context url", { input: "a long password" }],
  ["n", "recover --email {NEW}@example.org", "email"],
  [
    "n",
    "account mail --containers on --low-balance 5",
    "security money containers low_balance_below email_verified",
  ],
  ["n", "account verify-email", ""],
  ["n", "sessions list --sort -created_at", "[id last_used_at current]"],
  ["n", "sessions end --yes", "id"],
  ["n", "context add other http://127.0.0.1:1", "id url"],
  ["n", "context list", "[id url current]"],
  ["n", "context use other", "id"],
  ["n", "context delete other", "id"],
  ["a", "admin users list --sort username", "[id username email status]"],
  [
    "a",
    "admin users role {NEW} user --reason test --password-stdin --yes",
    "id username role",
    { input: "{ADMIN_PASSWORD}" },
  ],
  ["a", "admin users suspend {NEW} --reason spam --yes", "id username status"],
  ["a", "admin users restore {NEW} --reason appeal", "id username status"],
  ["a", "admin users show {NEW}", "id username suspension"],
  ["n", "login -u {NEW} --password-stdin", "context", { input: "a long password" }],
  ["n", "account blockers", "[]"],
  ["n", "account delete --password-stdin --yes", "kept", { input: "a long password" }],
  [
    "n",
    "signup -u {NEW}-b --email {NEW}-b@example.org --password-stdin",
    "context",
    { input: "a long password" },
  ],
  ["a", "admin users blockers {NEW}-b", "[]"],
  ["a", "admin users delete {NEW}-b --reason asked --yes", "kept"],
  ["a", "admin audit --sort created_at", "[act by created_at]"],
  ["a", "admin cluster", "partitions"],
  ["a", "admin overview", "attention holdings"],
  ["a", "admin credit {USER} 200 --reason gift --yes", "transaction_id general_balance"],
  [
    "a",
    "admin servers add -f -",
    "id name prices",
    { input: '{name: {STOCK}, specs: {}, prices: {"30": 2500}}' },
  ],
  ["a", "admin servers list", "[id name status prices renter]"],
  ["a", "admin servers update {STOCK} -f -", "id setup_fee_cents", { input: "setup_fee_cents: 100" }],
  ["a", "admin servers export", "csv"],
  [
    "a",
    "admin servers import -f - --dry-run",
    "added changed changes",
    { input: "name,price_30\n{STOCK}-b,26.00\n" },
  ],
  ["certificate", "CERTIFICATE"],
  ["a", "admin certificates list --failing", "[id name state error next_try_at]"],
  ["a", "admin certificates retry {CERTIFICATE}", "id name failures"],
  ["a", "admin hosts add {STOCK}", "id name command"],
  ["a", "admin hosts list", "[id name status]"],
  ["a", "admin hosts show {STOCK}", "id name draining containers"],
  ["a", "admin hosts token {STOCK}", "id command"],
  ["a", "admin hosts drain {STOCK}", "id draining"],
  ["a", "admin hosts undrain {STOCK}", "id draining"],
  ["a", "admin hosts remove {STOCK} --yes", "id"],
  ["a", "admin servers delete {STOCK} --yes", "id"],
  [
    "a",
    "admin offers add -f -",
    "id name",
    { input: "{name: {OFFER}, lead_time_hours: 24, pricing_rules: {'30': 1000}, specs: {}}" },
  ],
  ["a", "admin offers list", "[id name pricing_rules]"],
  ["a", "admin offers update {OFFER} -f -", "id lead_time_hours", { input: "lead_time_hours: 48" }],
  ["c", "offers list", "[id name pricing_rules]"],
  ["c", "offers reserve {OFFER} --days 30 --yes", "id total_cents status", { as: "RESERVED" }],
  ["c", "reservations list", "[id offer_name status]"],
  ["c", "reservations show {RESERVED}", "id offer_name"],
  ["a", "admin reservations list --sort -delivery_due", "[id offer_name]"],
  ["a", "admin reservations deliver {RESERVED} {DELIVERED} --yes", "id"],
  ["a", "admin reservations list --user {USER}", "[id offer_name status]"],
  ["a", "admin servers list --user {USER} --limit 1", "[id name renter]"],
  ["c", "offers reserve {OFFER} --days 30 --yes", "id", { as: "RESERVED" }],
  ["a", "admin reservations cancel {RESERVED} --yes", "id status"],
  ["c", "offers reserve {OFFER} --days 30 --yes", "id", { as: "RESERVED" }],
  ["c", "reservations cancel {RESERVED} --yes", "id status"],
  ["a", "admin offers delete {OFFER} --yes", "id"],
  ["c", "servers available --limit 1000", "[id name pricing]"],
  ["c", "servers rent {RENTED} --days 7 --yes", "id server_name rental_end"],
  ["c", "servers list --sort rental_end", "[id server_name status rental_end]"],
  ["c", "servers show {RENTED}", "id server_name renewal_prices"],
  ["c", "servers extend {RENTED} --days 30 --yes", "id rental_end"],
  ["c", "servers auto-extend {RENTED} --days 30 --yes", "id auto_extension"],
  ["c", "servers end {RENTED} --yes", "id status"],
  ["c", "transactions list --sort -amount", "[id transaction_type amount status]"],
  ["a", "admin transactions list {USER}", "[id transaction_type refundable]"],
  ["charge", "CHARGE"],
  ["c", "transactions show {CHARGE}", "id amount reason"],
  [
    "c",
    "invoices details --name Ann --address Quay --city Hamburg --country DE",
    "name address_lines city country",
  ],
  ["c", "invoices create {CHARGE}", "id invoice_number", { as: "INVOICE" }],
  ["c", "invoices list", "[id invoice_number amount]"],
  ["a", "admin invoices list {USER}", "[id invoice_number amount]"],
  ["c", "invoices show {INVOICE}", "id invoice_number"],
  ["c", "invoices pdf {INVOICE} -o {FOLDER}/invoice.pdf", "id file"],
  ["a", "admin refund {CHARGE} 1 --reason slow --yes", "id amount refundable"],
  ["c", "wallet show", "general_balance"],
  ["c", "wallet statement 2026-01", "month opening_balance closing_balance totals"],
  ["c", "wallet transfer 10 --yes", "gross_transferred net_ai_credit"],
  ["c", "wallet top-up 25 --no-wait", "id status url"],
  ["c", "wallet top-up 20 --no-wait", "id status url", { as: "UNPAID" }],
  ["c", "wallet cancel-top-up {UNPAID}", "id status"],
  ["review", "REVIEW"],
  ["a", "admin reviews list --sort created_at", "[id user_id expected_amount status]"],
  ["a", "admin reviews credit {REVIEW} --note paid --yes", "id status"],
  ["review", "REVIEW"],
  ["a", "admin reviews dismiss {REVIEW} --note wrong --yes", "id status"],
  ["a", "admin images add -f -", "id alias", { input: IMAGE }],
  ["a", "admin images list", "[id alias price]"],
  ["a", "admin images update {IMAGE} -f -", "id description", { input: "description: better" }],
  ["c", "image list --search {IMAGE}", "[id alias price]"],
  ["c", "image show {IMAGE}", "id alias"],
  ["c", "image add {IMAGE} --yes", "id alias"],
  ["c", "image rate {IMAGE} 5", "average_rating rating_count"],
  ["a", "admin images delete {IMAGE} --yes", "id"],
  ["a", "admin notify Hello there --user {USER}", "id title"],
  ["c", "inbox list --sort created_at", "[id title body read]"],
  ["c", "inbox read", "id"],
  ["c", "quotas", "[quota used limit]"],
  ["c", "token create build --permission resources.read", "id name token permissions"],
  ["c", "token list", "[id name permissions]"],
  ["c", "token delete build --yes", "id"],
  ["c", "pool create team", "id name"],
  ["c", "pool list", "[id name role]"],
  ["c", "pool show team", "id name members"],
  ["c", "pool invite team {FRIEND}", "id role"],
  ["f", "pool invitations", "[id pool_name role]"],
  ["f", "pool reject team", "pool_name"],
  ["c", "pool invite team {FRIEND}", "id role"],
  ["f", "pool accept team", "pool_name role"],
  ["c", "pool role team {FRIEND} --role admin", "id role"],
  ["c", "pool remove team {FRIEND} --yes", "id"],
  ["c", "pool delete team --yes", "id"],
  ["c", "projects create shop", "id name"],
  ["c", "projects list", "[id name]"],
  ["c", "projects update shop --description sweets", "id description"],
  [
    "c",
    "projects registries set shop ghcr.io --username me --password-stdin",
    "registry username",
    { input: "a password" },
  ],
  ["c", "projects registries list shop", "[registry username]"],
  ["c", "projects registries remove shop ghcr.io --yes", "registry"],
  ["c", "projects delete shop --yes", "id"],
  ["c", "containers create app --server {SERVER} --project web", "id name state server_id", { as: "APP" }],
  ["container", "APP"],
  ["c", "containers list --sort -name", "[id name state]"],
  ["a", "admin containers list --user {USER} --search app", "[id name username state server_name]"],
  ["c", "containers show app", "id name state"],
  ["c", "containers update app --label a=b", "id labels"],
  ["c", "containers restart app", "id state"],
  ["c", "containers stop app", "id state"],
  ["c", "containers start app", "id state"],
  ["c", "up -f - --dry-run", "id project changes", { input: COMPOSE }],
  ["c", "down -f - --dry-run", "id project changes", { input: COMPOSE }],
  ["c", "firewall add app --port 22", "id action protocol", { as: "RULE" }],
  ["c", "firewall list app", "[id action direction]"],
  ["c", "firewall export app", "ingress egress"],
  ["c", "firewall remove app {RULE}", "removed firewall"],
  ["c", "firewall apply app -f - --yes", "rule_count firewall", { input: RULES }],
  ["c", "firewall reset app --yes", "firewall"],
  ["c", "alias add app --name {ALIAS} --program ssh --port 22", "id alias url"],
  ["c", "alias list", "[id alias url]"],
  ["c", "alias show {ALIAS}", "id alias url"],
  ["c", "alias update {ALIAS} --port 23", "id alias"],
  ["c", "ssh-config", "[id host host_name]"],
  ["c", "alias disable {ALIAS}", "id enabled"],
  ["c", "alias enable {ALIAS}", "id enabled"],
  ["c", "alias domains add {ALIAS} {ALIAS}.example", "id domain txt_name txt_value cname_target"],
  ["c", "alias domains list {ALIAS}", "[id domain state]"],
  ["c", "alias domains list --sort domain", "[id domain alias next_check_at]"],
  ["c", "alias domains check {ALIAS} {ALIAS}.example", "id domain state"],
  ["c", "alias domains remove {ALIAS} {ALIAS}.example --yes", "domain"],
  ["c", "alias delete {ALIAS} --yes", "id"],
  ["c", "open app --print", "url"],
  ["c", "permissions grant app {FRIEND}", "id username"],
  ["c", "permissions list app --sort username", "[id username]"],
  ["c", "permissions revoke app {FRIEND} --yes", "id"],
  [
    "c",
    "share create data --server {SERVER} --project web --size 16M",
    "id name size_bytes",
    { as: "SHARE" },
  ],
  ["share", "SHARE"],
  ["c", "share list", "[id name state]"],
  ["c", "share show data", "id name state"],
  ["c", "share update data --size 32M", "id size_bytes"],
  ["c", "share snapshots create data --name before", "id name state", { as: "SNAPSHOT" }],
  ["c", "share snapshots list data --sort -name", "[id name state]"],
  ["snapshot", "SHARE"],
  ["c", "share snapshots restore data before --yes", "id"],
  ["restored", "SHARE"],
  ["c", "share snapshots delete data before --yes", "id"],
  ["c", "share snapshots schedule data --every 24", "id snapshot_schedule next_snapshot_at"],
  ["c", "share delete data --yes", "id"],
  ["c", "containers delete app --yes", "id"],
  ["c", "events", "[id event_type created_at]"],
  ["c", "webhooks create https://hooks.example.com/{ALIAS}", "id url secret"],
  ["c", "webhooks list", "[id url]"],
  ["c", "webhooks disable https://hooks.example.com/{ALIAS}", "id enabled"],
  ["c", "webhooks enable https://hooks.example.com/{ALIAS}", "id enabled"],
  ["c", "webhooks test https://hooks.example.com/{ALIAS}", "id"],
  ["c", "webhooks deliveries https://hooks.example.com/{ALIAS}", "[id event_type status]"],
  ["c", "webhooks delete https://hooks.example.com/{ALIAS} --yes", "id"],
  ["c", "api GET projects", "data"],
];

/** Commands that need a host of containers, by a text in the tests that use one. */
const WHOLE_WAY = "whole-way.test.ts";
export const ELSEWHERE: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "context trust": ["../../gateway/certificates/edge-authority.test.ts", "context trust home"],
  stats: [WHOLE_WAY, "--json stats"],
  "servers top": [WHOLE_WAY, "--json servers top"],
  logs: [WHOLE_WAY, "--json logs web"],
  exec: [WHOLE_WAY, "--json exec web"],
  shell: [WHOLE_WAY, '"shell", "web"'],
  cp: [WHOLE_WAY, "--json cp"],
  "port-forward": [WHOLE_WAY, "--json port-forward"],
  "pipe send": [WHOLE_WAY, "--json pipe send"],
  "pipe recv": [WHOLE_WAY, "--json pipe recv"],
  notify: [WHOLE_WAY, "notify web"],
  completion: ["completion.test.ts", "berth completion bash"],
};

type AnyCommand = ReturnType<typeof programOfReference>["commands"][number];

/** All commands that do something, by their words; those of operators too. */
export function everyCommand(): Map<string, AnyCommand> {
  const found = new Map<string, AnyCommand>();
  const add = (command: AnyCommand, above: string) => {
    const name = `${above} ${command.name()}`.trim();
    if (command.commands.length > 0) for (const one of command.commands) add(one as AnyCommand, name);
    else if (!command.name().startsWith("_")) found.set(name, command);
  };
  for (const command of programOfReference().commands) add(command, "");
  return found;
}
