import { idOf } from "../../../actors/hosting/certificate/rules.ts";
import { newId } from "../../../actors/platform/ids.ts";
import { SHARE_BYTES } from "../../../schemas/hosting/storage-share.ts";
import type { StackClient, TestUser } from "../../harness/stack-client.ts";
import { as, makePool } from "../routes/accounts/pool/team.ts";
import { callback, opened, topUp } from "../routes/billing/top-up/processors.ts";
import { rentServer, tenant } from "../routes/hosting/container/hosting.ts";
import { inCatalogue } from "../routes/hosting/image/catalogue.ts";
import { inStock } from "../routes/market/stock.ts";

/** A list of the API that a test can add to. */
export interface SeededList {
  /** Its address, with ids in place of their names. */
  readonly path: string;
  readonly user: TestUser;
  add(n: number): Promise<unknown>;
  /** Deletes an item; left out where nothing deletes one. */
  remove?(id: string): Promise<unknown>;
  /** Sorts that the list has besides its own, as `sort_by`. */
  readonly sorts?: readonly string[];
}

const UNREACHABLE_WEBHOOK = { url: "https://hooks.invalid/", event_types: ["container.error"] };

/** A name in another case of letters than the one before, since orders by name ignore case. */
const nameOf = (letter: string, n: number) => `${n % 2 === 0 ? letter : letter.toUpperCase()}${n}`;

const issuedUntil = (day: number) => ({
  ...{ chain: "chain", sealed_key: "key", not_before: new Date(0).toISOString() },
  not_after: new Date(Date.UTC(2100, 0, 1 + (day % 4))).toISOString(),
});

/** Every list of the API, by its path in OpenAPI. */
export async function seededLists(stack: StackClient): Promise<Record<string, SeededList>> {
  const [ours, operator, guest, { user: other }] = await Promise.all([
    tenant(stack, "lists"),
    stack.user({ role: "admin" }),
    stack.user(),
    tenant(stack, "lists-other"),
  ]);
  const { user, projectId } = ours;
  await stack.actors.wallet(user.id).credit({ amount: "500", reason: "test", idempotency_key: "lists" });
  const call = as(stack, user);
  const operate = as(stack, operator);
  const key = () => ({ idempotency_key: crypto.randomUUID() });
  const container = await ours.container("listed");
  const offer = newId();
  const addOffer = (id: string, name: string) =>
    stack.actors.offer(id).create({
      name,
      lead_time_hours: 24,
      pricing_rules: { "7": 0 },
      setup_fee_rules: {},
      setup_fee_cents: 0,
      specs: {},
    });
  await addOffer(offer, "offer");
  const webhook = (await as(stack, guest)("POST", "/webhooks", UNREACHABLE_WEBHOOK)).body.data.id;
  const guestServer = await rentServer(stack, guest, "lists-guest");
  const guestProject = (await as(stack, guest)("POST", "/projects", { name: "shares" })).body.data.id;
  const shared = {
    project_id: guestProject,
    server_id: guestServer,
    name: "data",
    size_bytes: SHARE_BYTES.minimum,
  };
  const share = (await as(stack, guest)("POST", "/storage-shares", shared)).body.data.id;
  const alias = { container_id: container, program: "http", index: 80 };
  const named = (await call("POST", "/proxy/aliases", alias)).body.data.id;
  const credit = (n: number) =>
    stack.actors
      .wallet(user.id)
      .credit({ amount: `${n % 3}.50`, reason: "test", idempotency_key: `lists-${n}` });
  const notify = (fields: object) =>
    operate("POST", "/admin/notifications", { title: "t", body: "b", ...fields });
  const rent = (n: number) => rentServer(stack, user, `rented-${crypto.randomUUID().slice(0, 8)}-${n}`);
  const reserve = () => call("POST", `/offers/${offer}/reserve`, { days: 7, max_charge_cents: 0, ...key() });
  /** Of the oldest transaction without one; there is a transaction for it in any case. */
  const invoice = async () => {
    await stack.actors
      .wallet(user.id)
      .credit({ amount: "1.50", reason: "test", idempotency_key: crypto.randomUUID() });
    const { body } = await call("GET", "/wallet/transactions?limit=100&sort_order=asc");
    const { body: invoices } = await call("GET", "/wallet/invoices?limit=100");
    const billed = new Set(
      invoices.data.invoices.map((invoice: { transaction_id: string }) => invoice.transaction_id),
    );
    const left = body.data.find(({ id }: { id: string }) => !billed.has(id));
    await call("POST", `/wallet/invoices/generate/${left.id}`);
  };
  const own = (path: string, rest: Omit<SeededList, "path" | "user">): SeededList => ({
    path,
    user,
    ...rest,
  });
  const forOperator = (path: string, rest: Omit<SeededList, "path" | "user">): SeededList => ({
    path,
    user: operator,
    ...rest,
  });
  const withdrawOffer = (id: string) => operate("DELETE", `/admin/offers/${id}`);
  const intents = (provider: "cardpay" | "cryptopay") =>
    own(`/api/v1/wallet/payments/${provider}/intents`, {
      add: () => topUp(stack, user, { amount: "10", ...key() }, provider),
    });

  return {
    "/api/v1/auth/tokens": own("/api/v1/auth/tokens", {
      add: (n) => call("POST", "/auth/tokens", { name: nameOf("t", n), permissions: [] }),
      remove: (id) => call("DELETE", `/auth/tokens/${id}`),
    }),
    "/api/v1/auth/sessions": own("/api/v1/auth/sessions", {
      add: () =>
        stack.call("POST", "/api/v1/auth/login", {
          body: { username: user.username, password: user.password },
        }),
    }),
    "/api/v1/auth/audit": own("/api/v1/auth/audit", {
      add: () =>
        stack.call("POST", "/api/v1/auth/login", {
          body: { username: user.username, password: user.password },
        }),
    }),
    "/api/v1/wallet/payments/cardpay/intents": intents("cardpay"),
    "/api/v1/wallet/payments/cryptopay/intents": intents("cryptopay"),
    "/api/v1/admin/payments/reviews": forOperator("/api/v1/admin/payments/reviews", {
      add: async () => {
        const { id, session } = await opened(stack, other, "25");
        await callback(stack, { intent: id, session, cents: 2_400 });
      },
    }),
    "/api/v1/wallet/payment-methods": own("/api/v1/wallet/payment-methods", {
      add: (n) => call("POST", "/wallet/payment-methods", { type: "bank", name: nameOf("m", n) }),
      remove: (id) => call("DELETE", `/wallet/payment-methods/${id}`),
    }),
    "/api/v1/wallet/transactions": own("/api/v1/wallet/transactions", {
      add: credit,
      sorts: ["id", "transaction_type", "status", "amount", "updated_at"],
    }),
    "/api/v1/wallet/ai-fee-history": own("/api/v1/wallet/ai-fee-history", {
      add: (n) => call("POST", "/wallet/transfers", { amount: `${(n % 3) + 1}`, ...key() }),
      sorts: ["amount", "transaction_id"],
    }),
    "/api/v1/wallet/invoices": own("/api/v1/wallet/invoices", {
      add: invoice,
      sorts: ["id", "invoice_number", "amount", "status", "paid_date"],
    }),
    "/api/v1/projects": own("/api/v1/projects", {
      add: (n) => call("POST", "/projects", { name: nameOf("p", n) }),
      remove: (id) => call("DELETE", `/projects/${id}`),
    }),
    "/api/v1/pools": own("/api/v1/pools", {
      add: (n) => makePool(stack, user, nameOf("pool", n)),
      remove: (id) => call("DELETE", `/pools/${id}`),
    }),
    "/api/v1/pools/invitations/pending": {
      path: "/api/v1/pools/invitations/pending",
      user: guest,
      add: async (n) => {
        const pool = await makePool(stack, other, `team-${n}`);
        await as(stack, other)("POST", `/pools/${pool}/members`, { username: guest.username, role: "user" });
      },
      remove: (id) => as(stack, guest)("POST", `/pools/${id}/reject`),
    },
    "/api/v1/containers": own(`/api/v1/containers?project_id=${projectId}`, {
      add: (n) => ours.create(`c${n}`),
      remove: (id) => ours.call("DELETE", `/${id}`),
    }),
    "/api/v1/containers/{id}/firewall/rules": own(`/api/v1/containers/${container}/firewall/rules`, {
      add: (n) =>
        ours.call("POST", `/${container}/firewall/${n % 2 === 0 ? "ingress" : "egress"}`, {
          action: "allow",
          protocol: "tcp",
          description: "",
          destination_port: String(n + 1),
        }),
    }),
    "/api/v1/containers/{id}/permissions": own(`/api/v1/containers/${container}/permissions`, {
      add: async () =>
        ours.call("POST", `/${container}/permissions`, { username: (await stack.user()).username }),
      remove: (id) => ours.call("DELETE", `/${container}/permissions/${id}`),
    }),
    "/api/v1/storage-shares": own(`/api/v1/storage-shares?project_id=${projectId}`, {
      add: (n) =>
        call("POST", "/storage-shares", {
          ...{
            project_id: projectId,
            server_id: ours.serverId,
            name: nameOf("s", n),
            size_bytes: SHARE_BYTES.minimum,
          },
        }),
      remove: (id) => call("DELETE", `/storage-shares/${id}`),
    }),
    "/api/v1/storage-shares/{id}/snapshots": {
      path: `/api/v1/storage-shares/${share}/snapshots`,
      user: guest,
      add: (n) => as(stack, guest)("POST", `/storage-shares/${share}/snapshots`, { name: nameOf("s", n) }),
      remove: (id) => as(stack, guest)("DELETE", `/storage-shares/${share}/snapshots/${id}`),
    },
    "/api/v1/proxy/aliases": own("/api/v1/proxy/aliases", {
      add: (n) => call("POST", "/proxy/aliases", { container_id: container, program: "http", index: n + 1 }),
      remove: (id) => call("DELETE", `/proxy/aliases/${id}`),
    }),
    "/api/v1/proxy/domains": own("/api/v1/proxy/domains", {
      add: (n) =>
        call("POST", `/proxy/aliases/${named}/domains`, { domain: `${nameOf("d", n)}.lists.example` }),
    }),
    "/api/v1/events": own("/api/v1/events?resource_type=auth_token", {
      add: (n) => call("POST", "/auth/tokens", { name: `e${n}`, permissions: [] }),
      remove: (id) => call("DELETE", `/events/${id}`),
      sorts: ["event_type"],
    }),
    "/api/v1/offers": own("/api/v1/offers", {
      add: (n) => addOffer(newId(), nameOf("offer", n % 2)),
      remove: withdrawOffer,
    }),
    "/api/v1/servers/available": own("/api/v1/servers/available", {
      add: (n) => inStock(stack, `stock-${n}`, { prices: { "7": 700 * (n % 3) + 100 } }),
      remove: (id) => operate("DELETE", `/admin/servers/${id}`),
    }),
    "/api/v1/webhooks": own("/api/v1/webhooks", {
      add: () => call("POST", "/webhooks", UNREACHABLE_WEBHOOK),
      remove: (id) => call("DELETE", `/webhooks/${id}`),
    }),
    "/api/v1/webhooks/{id}/deliveries": {
      path: `/api/v1/webhooks/${webhook}/deliveries`,
      user: guest,
      add: () => as(stack, guest)("POST", `/webhooks/${webhook}/test`),
    },
    "/api/v1/notifications": own("/api/v1/notifications", { add: () => notify({ user_id: user.id }) }),
    "/api/v1/notifications/public": own("/api/v1/notifications/public", {
      add: () => notify({ public: true }),
    }),
    "/api/v1/rentals": own("/api/v1/rentals", { add: rent }),
    "/api/v1/servers": own("/api/v1/servers", { add: rent }),
    "/api/v1/reservations": own("/api/v1/reservations", { add: reserve }),
    "/api/v1/images/public": own("/api/v1/images/public", {
      add: (n) =>
        inCatalogue(stack, { alias: `${nameOf("public", n)}-${crypto.randomUUID()}`, price: String(n % 2) }),
      remove: (id) => operate("DELETE", `/admin/images/${id}`),
      sorts: ["alias", "added_date", "price", "rating"],
    }),
    "/api/v1/images/user": own("/api/v1/images/user", {
      add: async () =>
        call("POST", `/images/import/${await inCatalogue(stack, { alias: `user-${crypto.randomUUID()}` })}`),
    }),
    "/api/v1/admin/hosts": forOperator("/api/v1/admin/hosts", {
      add: (n) => operate("POST", "/admin/hosts", { name: `listed-${n}` }),
      remove: (id) => operate("DELETE", `/admin/hosts/${id}`),
    }),
    "/api/v1/admin/certificates": forOperator("/api/v1/admin/certificates", {
      add: async (n) => {
        const name = `c${n}.lists.example`;
        const certificate = stack.actors.certificate(idOf(name));
        await certificate.want({ name, purpose: "name", user_id: user.id });
        if (n % 2 === 0) await certificate.record_issued(issuedUntil(n));
        if (n % 3 === 0) await certificate.record_failure({ error: "the name leads elsewhere" });
      },
    }),
    "/api/v1/admin/users": forOperator("/api/v1/admin/users", { add: () => stack.user() }),
    "/api/v1/admin/audit": forOperator(`/api/v1/admin/audit?user_id=${guest.id}`, {
      add: (n) =>
        operate("POST", `/admin/wallets/${guest.id}/credit`, {
          amount: "1",
          reason: "test",
          idempotency_key: `audited-${n}`,
        }),
    }),
    "/api/v1/admin/users/{id}/transactions": forOperator(`/api/v1/admin/users/${guest.id}/transactions`, {
      add: (n) =>
        stack.actors
          .wallet(guest.id)
          .credit({ amount: "1", reason: "test", idempotency_key: `managed-${n}` }),
    }),
    "/api/v1/admin/users/{id}/reservations": forOperator(`/api/v1/admin/users/${user.id}/reservations`, {
      add: reserve,
    }),
    "/api/v1/admin/users/{id}/invoices": forOperator(`/api/v1/admin/users/${user.id}/invoices`, {
      add: invoice,
    }),
    "/api/v1/admin/containers": forOperator(`/api/v1/admin/containers?user_id=${user.id}`, {
      add: (n) => ours.create(`m${n}`),
      remove: (id) => ours.call("DELETE", `/${id}`),
    }),
    "/api/v1/admin/servers": forOperator("/api/v1/admin/servers", {
      add: (n) => inStock(stack, `admin-${n}`),
    }),
    "/api/v1/admin/offers": forOperator("/api/v1/admin/offers", {
      add: (n) => addOffer(newId(), nameOf("admin", n)),
    }),
    "/api/v1/admin/reservations": forOperator("/api/v1/admin/reservations", {
      add: reserve,
      remove: (id) => operate("POST", `/admin/reservations/${id}/cancel`),
    }),
    "/api/v1/admin/events": forOperator(
      `/api/v1/admin/events?user_id=${user.id}&event_type=project.created`,
      {
        add: () => call("POST", "/projects", { name: `event-${crypto.randomUUID()}` }),
      },
    ),
    "/api/v1/admin/images": forOperator("/api/v1/admin/images", {
      add: (n) => inCatalogue(stack, { alias: `${nameOf("admin", n)}-${crypto.randomUUID()}` }),
      remove: (id) => operate("DELETE", `/admin/images/${id}`),
    }),
  };
}
