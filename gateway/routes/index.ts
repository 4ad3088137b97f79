import type { AnyElysia } from "elysia";
import type { Berth } from "../berth.ts";
import { paymentCallbacks } from "../callbacks/payment.ts";
import { sandboxRoutes } from "../sandbox/routes.ts";
import { accountRoutes } from "./account.ts";
import { adminRoutes } from "./admin.ts";
import { aliasRoutes } from "./alias.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { clusterRoutes } from "./cluster.ts";
import { codehostRoutes } from "./codehost.ts";
import { containerRoutes } from "./container.ts";
import { eventRoutes } from "./event.ts";
import { eventStreamRoutes } from "./event-stream.ts";
import { firewallRoutes } from "./firewall.ts";
import { imageRoutes } from "./image.ts";
import { invoiceRoutes } from "./invoice.ts";
import { marketplaceRoutes } from "./marketplace.ts";
import { notificationRoutes } from "./notification.ts";
import { paymentMethodRoutes } from "./payment-method.ts";
import { paymentReviewRoutes } from "./payment-review.ts";
import { poolRoutes } from "./pool.ts";
import { projectRoutes } from "./project.ts";
import { rentalRoutes } from "./rental.ts";
import { reservationRoutes } from "./reservation.ts";
import { stockRoutes } from "./stock.ts";
import { tokenRoutes } from "./token.ts";
import { topUpRoutes } from "./top-up.ts";
import { transactionRoutes } from "./transaction.ts";
import { walletRoutes } from "./wallet.ts";

/** Every noun that the API serves. */
export const routes = (berth: Berth): AnyElysia[] => [
  accountRoutes(berth),
  tokenRoutes(berth),
  walletRoutes(berth),
  topUpRoutes(berth),
  paymentCallbacks(berth),
  sandboxRoutes(berth),
  paymentReviewRoutes(berth),
  paymentMethodRoutes(berth),
  transactionRoutes(berth),
  invoiceRoutes(berth),
  codehostRoutes(berth),
  projectRoutes(berth),
  poolRoutes(berth),
  containerRoutes(berth),
  firewallRoutes(berth),
  aliasRoutes(berth),
  eventRoutes(berth),
  marketplaceRoutes(berth),
  eventStreamRoutes(berth),
  notificationRoutes(berth),
  ...rentalRoutes(berth),
  reservationRoutes(berth),
  imageRoutes(berth),
  ...stockRoutes(berth),
  ...catalogueRoutes(berth),
  adminRoutes(berth),
  clusterRoutes(berth),
];
