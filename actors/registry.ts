import { accountActor } from "./account/index.ts";
import { aiCreditActor } from "./ai-credit/index.ts";
import { aliasActor } from "./alias/index.ts";
import { codehostAccountActor, codehostIdentityActor } from "./codehost/index.ts";
import { containerActor } from "./container/index.ts";
import { eventLogActor } from "./event/index.ts";
import { firewallActor } from "./firewall/index.ts";
import { imageActor } from "./image/index.ts";
import { imageLibraryActor } from "./image-library/index.ts";
import { inboxActor } from "./inbox/index.ts";
import { invoiceBookActor } from "./invoice/index.ts";
import { offerActor } from "./offer/index.ts";
import { paymentMethodsActor } from "./payment-method/index.ts";
import { poolActor } from "./pool/index.ts";
import { projectActor } from "./project/index.ts";
import { rentalActor } from "./rental/index.ts";
import { reservationActor } from "./reservation/index.ts";
import { serverActor } from "./server/index.ts";
import type { Settings } from "./settings.ts";
import { tokenActor } from "./token/index.ts";
import { topUpActor } from "./top-up/index.ts";
import { walletActor } from "./wallet/index.ts";

/** Every kind of actor that Berth has. */
export const definitions = (
  settings: Pick<
    Settings,
    "aiCreditFeeBps" | "firewall" | "graceMs" | "reservedAliases" | "seller" | "codehostBonus"
  >,
) => ({
  account: accountActor,
  token: tokenActor,
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
  alias: aliasActor({ reserved: settings.reservedAliases }),
  server: serverActor({ graceMs: settings.graceMs }),
  rental: rentalActor,
  offer: offerActor,
  reservation: reservationActor,
  image: imageActor,
  event_log: eventLogActor,
  inbox: inboxActor,
  image_library: imageLibraryActor,
});

export type Definitions = ReturnType<typeof definitions>;
