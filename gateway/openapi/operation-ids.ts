/**
 * Ids of operations, by which generated clients name their functions: a verb and the thing, as in `listContainers`. A route whose path says
 * neither has its id in `detail.operationId`, or here.
 */

/** Segments that group paths and name nothing. */
const GROUPS = new Set(["api", "v1", "auth", "wallet", "payments", "proxy"]);
/** Words that end in `s` and are one thing. */
const SINGULAR = new Set(["jwks.json", "stats", "status"]);

const NAMED: Readonly<Record<string, string>> = {
  "GET /health/live": "getLiveness",
  "GET /health/ready": "getReadiness",
  "GET /.well-known/jwks.json": "getKeys",
  "POST /api/v1/auth/signup": "signUp",
  "POST /api/v1/auth/login": "signIn",
  "POST /api/v1/auth/login/second-factor": "proveSecondFactor",
  "POST /api/v1/auth/login/passkey-challenge": "beginPasskeySignIn",
  "POST /api/v1/auth/login/passkey": "signInByPasskey",
  "GET /api/v1/auth/second-factor": "getSecondFactor",
  "POST /api/v1/auth/second-factor/challenge": "createConfirmationChallenge",
  "POST /api/v1/auth/second-factor/totp": "beginTotpSetup",
  "PUT /api/v1/auth/second-factor/totp": "enableTotp",
  "DELETE /api/v1/auth/second-factor/totp": "disableTotp",
  "POST /api/v1/auth/second-factor/recovery-codes": "replaceRecoveryCodes",
  "POST /api/v1/auth/passkeys/challenge": "beginPasskeyRegistration",
  "POST /api/v1/auth/device": "beginDeviceSignIn",
  "POST /api/v1/auth/device/token": "redeemDeviceCode",
  "GET /api/v1/auth/device/:user_code": "getDeviceSignIn",
  "POST /api/v1/auth/device/:user_code/approve": "approveDeviceSignIn",
  "POST /api/v1/auth/device/:user_code/deny": "denyDeviceSignIn",
  "POST /api/v1/auth/refresh": "refreshSession",
  "POST /api/v1/auth/logout": "signOut",
  "GET /api/v1/auth/me": "getAccount",
  "PUT /api/v1/auth/password": "changePassword",
  "PUT /api/v1/auth/email": "changeEmail",
  "GET /api/v1/auth/audit": "listAuditEntries",
  "POST /api/v1/auth/recovery": "requestRecovery",
  "POST /api/v1/auth/recover": "recoverAccount",
  "POST /api/v1/auth/email/verification": "requestEmailVerification",
  "POST /api/v1/auth/email/verify": "verifyEmail",
  "POST /api/v1/admin/users/:id/recovery": "startRecovery",
  "POST /api/v1/auth/realm": "createRealmSession",
  "POST /api/v1/auth/impersonate": "impersonateUser",
  "POST /api/v1/auth/codehost": "beginCodehostLink",
  "DELETE /api/v1/auth/codehost": "deleteCodehostLink",
  "GET /api/v1/auth/codehost/callback": "completeCodehostLink",
  "GET /api/v1/wallet/codehost-bonus": "getCodehostBonus",
  "POST /api/v1/wallet/codehost-bonus/claim": "claimCodehostBonus",
  "GET /api/v1/wallet/balances/ai": "getAiBalance",
  "GET /api/v1/wallet/balances/general": "getGeneralBalance",
  "GET /api/v1/wallet/balances": "getBalances",
  "GET /api/v1/wallet/payment-availability": "getPaymentAvailability",
  "GET /api/v1/wallet/ai-fee-history": "listAiFees",
  "POST /api/v1/wallet/payments/cardpay/checkout": "createCardpayCheckout",
  "POST /api/v1/wallet/payments/cryptopay/invoice": "createCryptopayInvoice",
  "POST /api/v1/callbacks/cardpay": "receiveCardpayCallback",
  "POST /api/v1/callbacks/cryptopay": "receiveCryptopayCallback",
  "PUT /api/v1/wallet/payment-methods/:id/default": "setDefaultPaymentMethod",
  "GET /api/v1/wallet/billing-details": "getBillingDetails",
  "GET /api/v1/wallet/invoices/:id/pdf": "downloadInvoice",
  "POST /api/v1/wallet/invoices/generate/:id": "generateInvoice",
  "GET /api/v1/pools/invitations/pending": "listPendingInvitations",
  "POST /api/v1/pools/:id/members": "invitePoolMember",
  "POST /api/v1/pools/:id/accept": "acceptInvitation",
  "POST /api/v1/pools/:id/reject": "rejectInvitation",
  "POST /api/v1/containers/:id/access": "createContainerAccess",
  "POST /api/v1/containers/:id/exec": "runCommand",
  "GET /api/v1/containers/:id/metrics": "getContainerMetrics",
  "GET /api/v1/containers/:id/logs": "getContainerLog",
  "GET /api/v1/containers/:id/firewall/rules": "listFirewallRules",
  "PUT /api/v1/containers/:id/firewall/rules": "replaceFirewallRules",
  "POST /api/v1/containers/:id/firewall/reset": "resetFirewall",
  "PATCH /api/v1/containers/:id/firewall/rules/:rule_id": "updateFirewallRule",
  "DELETE /api/v1/containers/:id/firewall/rules/:rule_id": "deleteFirewallRule",
  "POST /api/v1/containers/:id/firewall/ingress": "createIngressRule",
  "PATCH /api/v1/containers/:id/firewall/ingress": "updateIngressRules",
  "DELETE /api/v1/containers/:id/firewall/ingress": "deleteIngressRules",
  "POST /api/v1/containers/:id/firewall/egress": "createEgressRule",
  "PATCH /api/v1/containers/:id/firewall/egress": "updateEgressRules",
  "DELETE /api/v1/containers/:id/firewall/egress": "deleteEgressRules",
  "PATCH /api/v1/proxy/aliases/:id/state": "setAliasState",
  "GET /api/v1/proxy/domains": "listDomains",
  "GET /api/v1/proxy/aliases/:id/domains": "listAliasDomains",
  "POST /api/v1/proxy/aliases/:id/domains": "addAliasDomain",
  "POST /api/v1/proxy/aliases/:id/domains/:domain/check": "checkAliasDomain",
  "DELETE /api/v1/proxy/aliases/:id/domains/:domain": "removeAliasDomain",
  "GET /api/v1/events/stream": "streamEvents",
  "POST /api/v1/events/cleanup": "cleanUpEvents",
  "GET /api/v1/servers/available": "listAvailableServers",
  "POST /api/v1/offers/:id/reserve": "reserveOffer",
  "GET /api/v1/notifications/public": "listPublicNotifications",
  "PUT /api/v1/notifications/:id/read": "markNotificationRead",
  "PUT /api/v1/notifications/read-all": "markAllNotificationsRead",
  "GET /api/v1/notifications/summary": "getNotificationSummary",
  "POST /api/v1/admin/notifications": "sendNotification",
  "GET /api/v1/servers": "listRentedServers",
  "GET /api/v1/servers/:id": "getRentedServer",
  "GET /api/v1/servers/:id/runtime": "getServerUsage",
  "GET /api/v1/servers/:id/metrics": "getServerMetrics",
  "GET /api/v1/rentals/:id/runtime": "getRentalUsage",
  "GET /api/v1/rentals/:id/metrics": "getRentalMetrics",
  "GET /api/v1/images/public": "listPublicImages",
  "GET /api/v1/images/public/:id": "getPublicImage",
  "GET /api/v1/images/:id/icon": "getImageIcon",
  "GET /api/v1/images/user": "listUserImages",
  "POST /api/v1/images/import/:id": "importImage",
  "POST /api/v1/images/rate/:id": "rateImage",
  "POST /api/v1/images/purchase/:id": "purchaseImage",
  "POST /api/v1/admin/wallets/:userId/credit": "creditWallet",
  "POST /api/v1/admin/payments/reviews/:id/resolve": "resolvePaymentReview",
  "GET /api/v1/admin/payments/reviews": "listPaymentReviews",
  "GET /api/v1/admin/payments/reviews/:id": "getPaymentReview",
  "PUT /api/v1/admin/images/:id/icon": "setImageIcon",
  "POST /api/v1/webhooks/:id/secret": "rotateWebhookSecret",
  "GET /api/v1/admin/stock": "exportStock",
  "POST /api/v1/admin/stock": "importStock",
  "GET /api/v1/admin/cluster": "getCluster",
  "GET /api/v1/admin/overview": "getOverview",
};

/** The id of a route: of its own where it has one in the table, else made from its method and path. */
export function operationIdOf(method: string, path: string): string {
  const clean = path.replace(/(.)\/$/, "$1");
  return NAMED[`${method} ${clean}`] ?? derived(method, clean.split("/").filter(Boolean));
}

/** `GET …/pools/:id/members` is `listPoolMembers`; `POST …/containers/:id/start` is `startContainer`. */
function derived(method: string, segments: readonly string[]): string {
  const isItem = segments.at(-1)?.startsWith(":") ?? false;
  const words = segments.filter((one) => !one.startsWith(":") && !GROUPS.has(one));
  const last = words.at(-1) ?? "root";
  const context = words.slice(0, -1).map((one) => camel(singular(one)));
  const thing = (word: string) => [...context, camel(word)].join("");
  const isMany = !isItem && last.endsWith("s") && !SINGULAR.has(last);
  if (method === "POST" && !isMany) return lower(camel(last)) + context.join("");
  if (method === "GET" && isMany) return `list${thing(last)}`;
  const verb = VERBS[method] ?? method.toLowerCase();
  return verb + thing(isItem || method === "POST" ? singular(last) : last);
}

const VERBS: Readonly<Record<string, string>> = {
  GET: "get",
  POST: "create",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

function singular(word: string): string {
  if (SINGULAR.has(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=s|x|sh|ch)es$|(?<!s)s$/, "");
}

const camel = (word: string): string =>
  word
    .split(/[^A-Za-z0-9]+/)
    .map((part) => (part[0] ?? "").toUpperCase() + part.slice(1))
    .join("");

const lower = (word: string): string => (word[0] ?? "").toLowerCase() + word.slice(1);
