import { idOf } from "../../../actors/hosting/certificate/rules.ts";
import { newId } from "../../../actors/platform/ids.ts";
import { callback, opened, topUp } from "../routes/billing/top-up/processors.ts";
import { imageFields, inCatalogue } from "../routes/hosting/image/catalogue.ts";
import { inStock, rented } from "../routes/market/stock.ts";
import { type RepeatedCase, RULE, type World } from "./world.ts";

type Make = (world: World) => Promise<RepeatedCase>;

/** A change of a container that is deleted afterwards. */
const ofContainer =
  (method: string, rest: string, body?: unknown, headers?: RepeatedCase["headers"]): Make =>
  async ({ things, own, remove }) => {
    const path = `/containers/${await things.container()}`;
    return own(method, path + rest, body, remove(path), headers);
  };
/** A change of a firewall with one rule, of a container that is deleted afterwards. */
const ofFirewall =
  (method: string, rest: (rule: string) => string, body?: object, headers?: RepeatedCase["headers"]): Make =>
  async ({ things, own, remove }) => {
    const container = await things.container();
    const rule = await things.rule(container);
    const path = `/containers/${container}`;
    return own(method, `${path}/firewall/${rest(rule)}`, body, remove(path), headers);
  };
const ofEgress =
  (method: string, body?: object): Make =>
  async ({ things, own, remove, call }) => {
    const path = `/containers/${await things.container()}`;
    await call("POST", `${path}/firewall/egress`, RULE);
    return own(method, `${path}/firewall/egress`, body, remove(path));
  };
const ofAlias =
  (method: string, rest: string, body?: object): Make =>
  async ({ things, own, remove }) => {
    const container = await things.container();
    const path = `/proxy/aliases/${await things.alias(container)}`;
    return own(method, path + rest, body, remove(`/containers/${container}`));
  };
/** A change of an own domain, whose container is deleted afterwards. */
const ofDomain =
  (method: string, rest: string): Make =>
  async ({ things, own, remove, call, name }) => {
    const container = await things.container();
    const path = `/proxy/aliases/${await things.alias(container)}/domains`;
    const domain = `${name()}.example.org`;
    await call("POST", path, { domain });
    return own(method, `${path}/${domain}${rest}`, undefined, remove(`/containers/${container}`));
  };
const ofWebhook =
  (method: string, rest: string, body?: object): Make =>
  async ({ things, own, remove }) => {
    const path = `/webhooks/${await things.webhook()}`;
    return own(method, path + rest, body, remove(path));
  };
const ofMethod =
  (method: string, rest: string, body?: object): Make =>
  async ({ things, own, remove }) => {
    const path = `/wallet/payment-methods/${await things.method()}`;
    return own(method, path + rest, body, remove(path));
  };
const ofProject =
  (method: string, rest: string, body?: object): Make =>
  async ({ things, own, remove }) => {
    const path = `/projects/${await things.project()}`;
    return own(method, path + rest, body, remove(path));
  };
/** A create of something that is deleted afterwards. */
const creating =
  (path: string, body: (world: World) => Promise<object> | object): Make =>
  async (world) => {
    const key = { "idempotency-key": newId() };
    const asked = await body(world);
    return world.own(
      "POST",
      path,
      asked,
      async () => {
        const { body: again } = await world.call("POST", path, asked, key);
        return world.call("DELETE", `${path}/${again.data.id}`);
      },
      key,
    );
  };
const operating =
  (path: string, body: (world: World) => Promise<object> | object): Make =>
  async (world) => {
    const key = { "idempotency-key": newId() };
    const asked = await body(world);
    const after = async () => {
      const { body: again } = await world.operate("POST", path, asked, key);
      return world.operate("DELETE", `${path}/${again.data.id}`);
    };
    return { ...world.operated("POST", path, asked, after), headers: key };
  };
const answering =
  (how: "accept" | "reject"): Make =>
  async ({ things, call, guest, own, remove, id }) => {
    const pool = await things.pool();
    const invitation = await id(
      call("POST", `/pools/${pool}/members`, { username: guest.username, role: "user" }),
    );
    return { ...own("POST", `/pools/${invitation}/${how}`, undefined, remove(`/pools/${pool}`)), by: guest };
  };
const deciding =
  (how: "approve" | "deny"): Make =>
  async ({ stack, own, call }) => {
    const { body } = await stack.call("POST", "/api/v1/auth/device", { body: { client_name: "a program" } });
    const path = `/auth/device/${body.data.user_code}`;
    return own("POST", `${path}/${how}`, undefined, () => call("POST", `${path}/deny`));
  };
const extending =
  (kind: "rentals" | "servers"): Make =>
  async ({ stack, user, own, name }) => {
    const { rental } = await rented(stack, user, name());
    const body = { expected_rental_end: rental.rental_end, additional_days: 7, max_charge_cents: 700 };
    // The rental is over: a new request would be refused.
    return own("POST", `/${kind}/${rental.id}/extend`, body, async () => {
      await stack.db`UPDATE rentals SET rental_end = now() - interval '1 day' WHERE id = ${rental.id}`;
    });
  };
const ending =
  (kind: "rentals" | "servers"): Make =>
  async ({ stack, user, own, name, discard }) => {
    const { rental, serverId } = await rented(stack, user, name());
    const body = { expected_rental_end: rental.rental_end };
    return own("POST", `/${kind}/${rental.id}/end`, body, discard(`/admin/servers/${serverId}`));
  };
const cancelling =
  (provider: "cardpay" | "cryptopay"): Make =>
  async ({ stack, user, own }) => {
    const { body } = await topUp(stack, user, { amount: "10" }, provider);
    return own("POST", `/wallet/payments/${provider}/intents/${body.data.intent.id}/cancel`);
  };

/** Each operation that takes a key, by its id in OpenAPI. */
export const CASES: Readonly<Record<string, Make>> = {
  createProject: creating("/projects", ({ name }) => ({ name: name() })),
  updateProject: ofProject("PATCH", "", { description: "changed" }),
  deleteProject: ofProject("DELETE", ""),
  updateProjectRegistryCredential: ofProject("PUT", "/registry-credentials/ghcr.io", {
    username: "u",
    password: "p",
  }),
  async deleteProjectRegistryCredential({ things, call, own, remove }) {
    const path = `/projects/${await things.project()}`;
    const credential = `${path}/registry-credentials/ghcr.io`;
    await call("PUT", credential, { username: "u", password: "p" });
    return own("DELETE", credential, undefined, remove(path));
  },
  createToken: async ({ own }) => {
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    // The time that the request names has passed.
    return own("POST", "/auth/tokens", { name: "t", permissions: [], expires_at }, () =>
      Bun.sleep(Date.parse(expires_at) - Date.now() + 1),
    );
  },
  async deleteToken({ call, own, id }) {
    return own(
      "DELETE",
      `/auth/tokens/${await id(call("POST", "/auth/tokens", { name: "t", permissions: [] }))}`,
    );
  },
  deleteSessions: async ({ own }) => own("DELETE", "/auth/sessions?keep_current=true"),
  async deleteSession({ stack, user, own, call }) {
    await stack.call("POST", "/api/v1/auth/login", {
      body: { username: user.username, password: user.password },
    });
    const { body } = await call("GET", "/auth/sessions");
    const other = body.data.sessions.find(({ current }: { current: boolean }) => !current);
    return own("DELETE", `/auth/sessions/${other.id}`);
  },
  approveDeviceSignIn: deciding("approve"),
  denyDeviceSignIn: deciding("deny"),
  deleteCodehostLink: async ({ own }) => own("DELETE", "/auth/codehost"),

  createPool: creating("/pools", ({ name }) => ({ name: name() })),
  async updatePool({ things, own, remove }) {
    const path = `/pools/${await things.pool()}`;
    return own("PUT", path, { description: "changed" }, remove(path));
  },
  async deletePool({ things, own }) {
    return own("DELETE", `/pools/${await things.pool()}`);
  },
  async invitePoolMember({ things, guest, own, remove }) {
    const path = `/pools/${await things.pool()}`;
    return own("POST", `${path}/members`, { username: guest.username, role: "user" }, remove(path));
  },
  async updatePoolMember({ things, own, remove }) {
    const pool = await things.pool();
    const path = `/pools/${pool}/members/${await things.member(pool)}`;
    return own("PUT", path, { role: "admin" }, remove(path));
  },
  async deletePoolMember({ things, own, remove }) {
    const pool = await things.pool();
    const path = `/pools/${pool}/members/${await things.member(pool)}`;
    return own("DELETE", path, undefined, remove(`/pools/${pool}`));
  },
  acceptInvitation: answering("accept"),
  rejectInvitation: answering("reject"),

  createContainer: creating("/containers", ({ projectId, serverId, name }) => ({
    ...{ project_id: projectId, server_id: serverId, name: name() },
  })),
  deleteContainer: ofContainer("DELETE", ""),
  async updateContainer({ stack, things, own, serverId }) {
    const path = `/containers/${await things.container()}`;
    // Its server has less memory from then on: a new request would be refused.
    const shrink = () => stack.actors.server(serverId).update({ specs: { ram_gb: 1 } });
    await stack.actors.server(serverId).update({ specs: { ram_gb: 8 } });
    return own("PATCH", path, { resources: { memory_bytes: 2 ** 31 } }, shrink, { "if-match": "*" });
  },
  startContainer: ofContainer("POST", "/start"),
  stopContainer: ofContainer("POST", "/stop"),
  restartContainer: ofContainer("POST", "/restart"),
  async pullContainer({ ours, own, remove, name, id }) {
    const path = `/containers/${await id(ours.create(name(), { image: "registry.invalid/a:1" }))}`;
    return own("POST", `${path}/pull`, undefined, remove(path));
  },
  updateContainerVolumes: ofContainer("PUT", "/volumes", { volumes: [] }),
  async createContainerPermission({ things, guest, own }) {
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    const body = { username: guest.username, expires_at };
    return own("POST", `/containers/${await things.container()}/permissions`, body, () =>
      Bun.sleep(Date.parse(expires_at) - Date.now() + 1),
    );
  },
  async deleteContainerPermission({ things, guest, call, own, remove }) {
    const path = `/containers/${await things.container()}`;
    await call("POST", `${path}/permissions`, { username: guest.username });
    return own("DELETE", `${path}/permissions/${guest.id}`, undefined, remove(path));
  },

  createIngressRule: ofContainer("POST", "/firewall/ingress", RULE),
  createEgressRule: ofContainer("POST", "/firewall/egress", RULE),
  updateIngressRules: ofFirewall("PATCH", () => "ingress", { state: "disabled" }),
  updateEgressRules: ofEgress("PATCH", { state: "disabled" }),
  deleteIngressRules: ofFirewall("DELETE", () => "ingress", { all: true }),
  deleteEgressRules: ofEgress("DELETE", { all: true }),
  resetFirewall: ofFirewall("POST", () => "reset"),
  replaceFirewallRules: ofContainer(
    "PUT",
    "/firewall/rules",
    { rules: [{ direction: "ingress", ...RULE }] },
    { "if-match": "*" },
  ),
  updateFirewallRule: ofFirewall("PATCH", (rule) => `rules/${rule}`, { state: "disabled" }),
  deleteFirewallRule: ofFirewall("DELETE", (rule) => `rules/${rule}`),

  async createAlias({ things, own, remove }) {
    const container_id = await things.container();
    return own(
      "POST",
      "/proxy/aliases",
      { container_id, program: "http", index: 1 },
      remove(`/containers/${container_id}`),
    );
  },
  updateAlias: ofAlias("PATCH", "", { target_path: "/a" }),
  setAliasState: ofAlias("PATCH", "/state", { enabled: false }),
  deleteAlias: ofAlias("DELETE", ""),

  async addAliasDomain({ things, own, remove, name }) {
    const container = await things.container();
    const path = `/proxy/aliases/${await things.alias(container)}/domains`;
    return own("POST", path, { domain: `${name()}.example.org` }, remove(`/containers/${container}`));
  },
  checkAliasDomain: ofDomain("POST", "/check"),
  removeAliasDomain: ofDomain("DELETE", ""),

  createStorageShare: creating("/storage-shares", ({ share, name }) => ({ ...share, name: name() })),
  async updateStorageShare({ things, own, remove, name }) {
    const path = `/storage-shares/${await things.share()}`;
    return own("PATCH", path, { name: name() }, remove(path));
  },
  async deleteStorageShare({ things, own }) {
    return own("DELETE", `/storage-shares/${await things.share()}`);
  },
  async createStorageShareSnapshot({ things, own, remove }) {
    const path = `/storage-shares/${await things.share()}`;
    return own("POST", `${path}/snapshots`, { name: "s" }, remove(path));
  },
  async deleteStorageShareSnapshot({ things, own, remove }) {
    const share = await things.share();
    const path = `/storage-shares/${share}`;
    return own("DELETE", `${path}/snapshots/${await things.snapshot(share)}`, undefined, remove(path));
  },
  async restoreStorageShareSnapshot({ things, own, remove }) {
    const share = await things.share();
    const path = `/storage-shares/${share}`;
    return own("POST", `${path}/snapshots/${await things.snapshot(share)}/restore`, undefined, remove(path));
  },

  createWebhook: creating("/webhooks", () => ({ url: "https://hooks.invalid/" })),
  updateWebhook: ofWebhook("PATCH", "", { description: "changed" }),
  deleteWebhook: ofWebhook("DELETE", ""),
  rotateWebhookSecret: ofWebhook("POST", "/secret", {}),
  testWebhook: ofWebhook("POST", "/test"),
  async redeliverWebhookDelivery({ things, call, own, remove, until }) {
    const path = `/webhooks/${await things.webhook()}`;
    await call("POST", `${path}/test`);
    const [delivery] = await until(async () => {
      const { deliveries } = (await call("GET", `${path}/deliveries`)).body.data;
      return deliveries.length > 0 && deliveries;
    });
    return own("POST", `${path}/deliveries/${delivery.id}/redeliver`, undefined, remove(path));
  },

  createPaymentMethod: creating("/wallet/payment-methods", ({ name }) => ({ type: "bank", name: name() })),
  updatePaymentMethod: ofMethod("PUT", "", { status: "inactive" }),
  setDefaultPaymentMethod: ofMethod("PUT", "/default"),
  deletePaymentMethod: ofMethod("DELETE", ""),
  createTransfer: async ({ own, user, stack }) =>
    own("POST", "/wallet/transfers", { amount: "1" }, () =>
      stack.actors.wallet(user.id).credit({ amount: "1", reason: "test", idempotency_key: newId() }),
    ),

  async rentServer({ stack, own, name, discard }) {
    const server = await inStock(stack, name());
    const body = { rental_days: 7, max_charge_cents: 700 };
    return own("POST", `/servers/${server}/rent`, body, discard(`/admin/servers/${server}`));
  },
  endRental: ending("rentals"),
  endServer: ending("servers"),
  async cancelReservation({ things, own }) {
    return own("POST", `/reservations/${await things.reservation()}/cancel`);
  },
  cancelCardpayIntent: cancelling("cardpay"),
  cancelCryptopayIntent: cancelling("cryptopay"),
  extendRental: extending("rentals"),
  extendServer: extending("servers"),
  async reserveOffer({ things, own, operate }) {
    const path = `/offers/${await things.offer()}`;
    const headers = { "idempotency-key": newId() };
    const body = { days: 7, max_charge_cents: 100 };
    const cancel = async () => {
      const { body } = await operate("GET", "/admin/reservations?limit=500");
      const made = body.data.reservations.find((one: { offer_id: string }) => path.endsWith(one.offer_id));
      await operate("POST", `/admin/reservations/${made.id}/cancel`);
      return operate("DELETE", `/admin${path}`);
    };
    return own("POST", `${path}/reserve`, body, cancel, headers);
  },

  async importImage({ stack, own, discard }) {
    const image = await inCatalogue(stack);
    return own("POST", `/images/import/${image}`, undefined, discard(`/admin/images/${image}`));
  },
  async purchaseImage({ stack, own, discard }) {
    const image = await inCatalogue(stack, { price: "1" });
    return own("POST", `/images/purchase/${image}`, undefined, discard(`/admin/images/${image}`));
  },
  async rateImage({ stack, own, discard }) {
    const image = await inCatalogue(stack);
    return own("POST", `/images/rate/${image}`, { rating: 4 }, discard(`/admin/images/${image}`));
  },

  async deleteEvent({ call, things, own, until }) {
    const project = await things.project();
    const [event] = await until(async () => {
      const { events } = (await call("GET", `/events?resource_id=${project}`)).body.data;
      return events.length > 0 && events;
    });
    return own("DELETE", `/events/${event.id}`);
  },
  async deleteEvents({ things, own, until, call }) {
    const project = await things.project();
    await until(
      async () => (await call("GET", `/events?resource_id=${project}`)).body.data.events.length > 0,
    );
    return own("DELETE", "/events", { resource_id: project });
  },
  async deleteNotification({ things, user, own }) {
    return own("DELETE", `/notifications/${await things.notice(user.id)}`);
  },
  async markNotificationRead({ things, user, own, discard }) {
    const notice = await things.notice(user.id);
    return own("PUT", `/notifications/${notice}/read`, undefined, discard(`/admin/notifications/${notice}`));
  },
  async markAllNotificationsRead({ things, user, own }) {
    return own("PUT", "/notifications/read-all", undefined, () => things.notice(user.id));
  },

  sendNotification: operating("/admin/notifications", ({ user }) => ({
    ...{ user_id: user.id, title: "t", body: "b" },
  })),
  async deleteAdminNotification({ things, user, operated }) {
    return operated("DELETE", `/admin/notifications/${await things.notice(user.id)}`);
  },
  cleanUpEvents: async ({ operated }) => operated("POST", "/events/cleanup", { retention_days: 365 }),
  createAdminHost: operating("/admin/hosts", ({ name }) => ({ name: name() })),
  async retryAdminCertificate({ stack, operated, name }) {
    const domain = `${name()}.example.org`;
    const certificate = stack.actors.certificate(idOf(domain));
    await certificate.want({ name: domain, purpose: "name", user_id: null });
    return operated("POST", `/admin/certificates/${idOf(domain)}/retry`);
  },
  async tokenAdminHost({ operate, operated, discard, name, id }) {
    const path = `/admin/hosts/${await id(operate("POST", "/admin/hosts", { name: name() }))}`;
    return operated("POST", `${path}/token`, undefined, discard(path));
  },
  async updateAdminHost({ operate, operated, discard, name, id }) {
    const path = `/admin/hosts/${await id(operate("POST", "/admin/hosts", { name: name() }))}`;
    return operated("PATCH", path, { draining: true }, discard(path));
  },
  async deleteAdminHost({ operate, operated, name, id }) {
    return operated("DELETE", `/admin/hosts/${await id(operate("POST", "/admin/hosts", { name: name() }))}`);
  },
  createAdminImage: operating("/admin/images", () => imageFields()),
  async updateAdminImage({ stack, operated, discard }) {
    const path = `/admin/images/${await inCatalogue(stack)}`;
    return operated("PATCH", path, { description: "changed" }, discard(path));
  },
  async deleteAdminImage({ stack, operated }) {
    return operated("DELETE", `/admin/images/${await inCatalogue(stack)}`);
  },
  createAdminServer: operating("/admin/servers", ({ name }) => ({ name: name(), specs: {} })),
  async updateAdminServer({ stack, operated, discard, name }) {
    const path = `/admin/servers/${await inStock(stack, name())}`;
    return operated("PATCH", path, { specs: {} }, discard(path));
  },
  async deleteAdminServer({ stack, operated, name }) {
    return operated("DELETE", `/admin/servers/${await inStock(stack, name())}`);
  },
  createAdminOffer: operating("/admin/offers", () => ({
    ...{ name: "o", pricing_rules: { "7": 100 }, lead_time_hours: 1, specs: {} },
  })),
  async updateAdminOffer({ things, operated, discard }) {
    const path = `/admin/offers/${await things.offer()}`;
    return operated("PATCH", path, { name: "changed" }, discard(path));
  },
  async deleteAdminOffer({ things, operated }) {
    return operated("DELETE", `/admin/offers/${await things.offer()}`);
  },
  async cancelAdminReservation({ things, operated }) {
    return operated("POST", `/admin/reservations/${await things.reservation()}/cancel`);
  },
  async deliverAdminReservation({ stack, things, operated, name }) {
    const server_id = await inStock(stack, name());
    return operated("POST", `/admin/reservations/${await things.reservation()}/deliver`, { server_id });
  },
  async resolvePaymentReview({ stack, user, operated }) {
    const { id, session } = await opened(stack, user, "25");
    await callback(stack, { intent: id, session, cents: 2_400 });
    const [review] = await stack.db<{ id: string }[]>`SELECT id FROM payment_reviews WHERE intent_id = ${id}`;
    const body = { action: "dismiss", note: "test" };
    return operated("POST", `/admin/payments/reviews/${review?.id}/resolve`, body);
  },
  async creditWallet({ stack, user, operated }) {
    return operated("POST", `/admin/wallets/${user.id}/credit`, { amount: "1", reason: "test" }, () =>
      stack.actors.wallet(user.id).credit({ amount: "1", reason: "test", idempotency_key: newId() }),
    );
  },
  async refundAdminTransaction({ stack, user, operated }) {
    const charge = { amount_cents: 100, transaction_type: "rental", reason: "test" } as const;
    const { value } = await stack.actors.wallet(user.id).charge(charge);
    return operated("POST", `/admin/transactions/${value.transaction_id}/refund`, { reason: "test" });
  },
  async updateAdminUser({ stack, operator, operated }) {
    const { id } = await stack.user();
    const body = { role: "admin", reason: "test", current_password: operator.password };
    // Who gives up the role is a user again.
    return operated("PATCH", `/admin/users/${id}`, body, () =>
      stack.actors.account(id).set_role({
        ...{ role: "user", reason: "test" },
        machine: { id: null, request_id: "test", address: "test" },
      }),
    );
  },
  async suspendAdminUser({ stack, operated, operate }) {
    const path = `/admin/users/${(await stack.user()).id}`;
    return operated("POST", `${path}/suspend`, { reason: "test" }, () =>
      operate("POST", `${path}/restore`, { reason: "test" }),
    );
  },
  async restoreAdminUser({ stack, operated, operate }) {
    const path = `/admin/users/${(await stack.user()).id}`;
    await operate("POST", `${path}/suspend`, { reason: "test" });
    return operated("POST", `${path}/restore`, { reason: "test" }, () =>
      operate("POST", `${path}/suspend`, { reason: "test" }),
    );
  },
  async deleteAdminUser({ stack, operated }) {
    return operated("DELETE", `/admin/users/${(await stack.user()).id}`, { reason: "test" });
  },
};

/** What takes a key, and whose first reply does not come again, with the reason. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  signUp: "the reply has tokens, which are not kept; the account is made once",
  signOut: "the session of the request has ended: 401",
  deleteAccount: "the session of the request has ended: 401",
  runCommand: "its output may be a secret; its host keeps it for two minutes, and the command runs once",
  claimCodehostBonus: "its actor keeps the outcome, and `retry` and `error` are none",
  createCardpayCheckout: "the original intent comes again, as it is now (spec, control plane §4.9)",
  createCryptopayInvoice: "the original intent comes again, as it is now (spec, control plane §4.9)",
  updatePasskey: "a passkey takes an authenticator; the reply has no data",
  setImageIcon: "its body is bytes, tested below",
  importStock: "its body is bytes, tested below",
};
