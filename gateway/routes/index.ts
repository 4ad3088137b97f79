import type { AnyElysia } from "elysia";
import type { Berth } from "../context.ts";
import { paymentCallbacks } from "../payments/callback.ts";
import { sandboxRoutes } from "../payments/sandbox/routes.ts";
import { accountRoutes } from "./accounts/account.ts";
import { codehostRoutes } from "./accounts/codehost.ts";
import { poolRoutes } from "./accounts/pool.ts";
import { projectRoutes } from "./accounts/project.ts";
import { quotaRoutes } from "./accounts/quota.ts";
import { sessionRoutes } from "./accounts/session.ts";
import { tokenRoutes } from "./accounts/token.ts";
import { eventRoutes } from "./activity/event.ts";
import { eventStreamRoutes } from "./activity/event-stream.ts";
import { notificationRoutes } from "./activity/notification.ts";
import { clusterRoutes } from "./admin/cluster.ts";
import { catalogueRoutes } from "./admin/image.ts";
import { paymentReviewRoutes } from "./admin/payment-review.ts";
import { stockRoutes } from "./admin/stock.ts";
import { adminRoutes } from "./admin/wallet.ts";
import { invoiceRoutes } from "./billing/invoice.ts";
import { paymentMethodRoutes } from "./billing/payment-method.ts";
import { topUpRoutes } from "./billing/top-up.ts";
import { transactionRoutes } from "./billing/transaction.ts";
import { walletRoutes } from "./billing/wallet.ts";
import { aliasRoutes } from "./hosting/alias.ts";
import { containerRoutes } from "./hosting/container.ts";
import { firewallRoutes } from "./hosting/firewall.ts";
import { imageRoutes } from "./hosting/image.ts";
import { marketplaceRoutes } from "./market/marketplace.ts";
import { rentalRoutes } from "./market/rental.ts";
import { reservationRoutes } from "./market/reservation.ts";

/** Every noun that the API serves. */
export const routes = (berth: Berth): AnyElysia[] => [
  accountRoutes(berth),
  sessionRoutes(berth),
  tokenRoutes(berth),
  quotaRoutes(berth),
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
