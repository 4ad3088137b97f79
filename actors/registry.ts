import { accountActor } from "./accounts/account/index.ts";
import { codehostAccountActor, codehostIdentityActor } from "./accounts/codehost/index.ts";
import { deviceSignInActor } from "./accounts/device-sign-in/index.ts";
import { poolActor } from "./accounts/pool/index.ts";
import { projectActor } from "./accounts/project/index.ts";
import { recoveryRequestActor } from "./accounts/recovery-request/index.ts";
import { tokenActor } from "./accounts/token/index.ts";
import { eventLogActor } from "./activity/event/index.ts";
import { inboxActor } from "./activity/inbox/index.ts";
import { webhookActor } from "./activity/webhook/index.ts";
import { aiCreditActor } from "./billing/ai-credit/index.ts";
import { invoiceBookActor } from "./billing/invoice/index.ts";
import { paymentMethodsActor } from "./billing/payment-method/index.ts";
import { topUpActor } from "./billing/top-up/index.ts";
import { walletActor } from "./billing/wallet/index.ts";
import { aliasActor } from "./hosting/alias/index.ts";
import { acmeAccountActor, certificateActor } from "./hosting/certificate/index.ts";
import { containerActor } from "./hosting/container/index.ts";
import { domainActor } from "./hosting/domain/index.ts";
import { firewallActor } from "./hosting/firewall/index.ts";
import { hostActor } from "./hosting/host/index.ts";
import { imageActor } from "./hosting/image/index.ts";
import { imageLibraryActor } from "./hosting/image-library/index.ts";
import { storageShareActor } from "./hosting/storage-share/index.ts";
import { offerActor } from "./market/offer/index.ts";
import { rentalActor } from "./market/rental/index.ts";
import { reservationActor } from "./market/reservation/index.ts";
import { serverActor } from "./market/server/index.ts";
import { stockImportActor } from "./market/stock-import/index.ts";
import type { Settings } from "./platform/settings.ts";

/** Every kind of actor that Berth has. */
export const definitions = (
  settings: Pick<
    Settings,
    "aiCreditFeeBps" | "firewall" | "graceMs" | "reservedAliases" | "seller" | "codehostBonus" | "quotas"
  >,
) => ({
  account: accountActor,
  token: tokenActor,
  device_sign_in: deviceSignInActor,
  recovery_request: recoveryRequestActor,
  wallet: walletActor({ aiCreditFeeBps: settings.aiCreditFeeBps }),
  top_up: topUpActor,
  payment_methods: paymentMethodsActor,
  invoice_book: invoiceBookActor(settings.seller),
  ai_credit: aiCreditActor,
  codehost_account: codehostAccountActor(settings.codehostBonus),
  codehost_identity: codehostIdentityActor,
  project: projectActor,
  pool: poolActor,
  container: containerActor,
  firewall: firewallActor(settings.firewall),
  storage_share: storageShareActor,
  alias: aliasActor({ reserved: settings.reservedAliases, quotas: settings.quotas }),
  domain: domainActor,
  acme_account: acmeAccountActor,
  certificate: certificateActor,
  host: hostActor,
  server: serverActor({ graceMs: settings.graceMs }),
  stock_import: stockImportActor,
  rental: rentalActor,
  offer: offerActor,
  reservation: reservationActor,
  image: imageActor,
  event_log: eventLogActor,
  inbox: inboxActor,
  webhook: webhookActor,
  image_library: imageLibraryActor,
});

export type Definitions = ReturnType<typeof definitions>;
