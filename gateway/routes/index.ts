import type { AnyElysia } from "elysia";
import { accountSessions } from "../auth/account-sessions.ts";
import { newSignIn } from "../auth/sign-in.ts";
import { challengeRoutes } from "../certificates/challenges.ts";
import { codehostSandboxRoutes } from "../codehost-sandbox/routes.ts";
import { consoleRoutes } from "../console/server/routes.ts";
import type { GatewayContext } from "../context.ts";
import { paymentCallbacks } from "../payments/callback.ts";
import { sandboxRoutes } from "../payments/sandbox/routes.ts";
import { accountRoutes } from "./accounts/account.ts";
import { codehostRoutes } from "./accounts/codehost.ts";
import { accountDeletionRoutes } from "./accounts/deletion.ts";
import { deviceSignInRoutes } from "./accounts/device-sign-in.ts";
import { emailVerificationRoutes } from "./accounts/email-verification.ts";
import { passkeyRoutes } from "./accounts/passkey.ts";
import { poolRoutes } from "./accounts/pool.ts";
import { projectRoutes } from "./accounts/project.ts";
import { quotaRoutes } from "./accounts/quota.ts";
import { recoveryRoutes } from "./accounts/recovery.ts";
import { registryCredentialRoutes } from "./accounts/registry-credential.ts";
import { secondFactorRoutes } from "./accounts/second-factor.ts";
import { securityRoutes } from "./accounts/security.ts";
import { sessionRoutes } from "./accounts/session.ts";
import { tokenRoutes } from "./accounts/token.ts";
import { eventRoutes } from "./activity/event.ts";
import { eventStreamRoutes } from "./activity/event-stream.ts";
import { mailSettingsRoutes } from "./activity/mail-settings.ts";
import { notificationRoutes } from "./activity/notification.ts";
import { unsubscribeRoutes } from "./activity/unsubscribe.ts";
import { webhookRoutes } from "./activity/webhook.ts";
import { webhookDeliveryRoutes } from "./activity/webhook-delivery.ts";
import { adminAuditRoutes } from "./admin/audit.ts";
import { adminCertificateRoutes } from "./admin/certificate.ts";
import { adminClusterRoutes } from "./admin/cluster.ts";
import { adminContainerRoutes } from "./admin/container.ts";
import { adminEventRoutes } from "./admin/event.ts";
import { adminHostRoutes } from "./admin/host.ts";
import { adminImageRoutes } from "./admin/image.ts";
import { adminOverviewRoutes } from "./admin/overview.ts";
import { adminPaymentReviewRoutes } from "./admin/payment-review.ts";
import { adminStockRoutes } from "./admin/stock.ts";
import { adminStockFileRoutes } from "./admin/stock-file.ts";
import { adminTransactionRoutes } from "./admin/transaction.ts";
import { adminUserRoutes } from "./admin/user.ts";
import { adminUserListRoutes } from "./admin/user-lists.ts";
import { adminWalletRoutes } from "./admin/wallet.ts";
import { billingDetailsRoutes } from "./billing/billing-details.ts";
import { invoiceRoutes } from "./billing/invoice.ts";
import { paymentMethodRoutes } from "./billing/payment-method.ts";
import { statementRoutes } from "./billing/statement.ts";
import { topUpRoutes } from "./billing/top-up.ts";
import { transactionRoutes } from "./billing/transaction.ts";
import { walletRoutes } from "./billing/wallet.ts";
import { aliasRoutes } from "./hosting/alias.ts";
import { certificateAuthorityRoutes } from "./hosting/certificate-authority.ts";
import { composeRoutes } from "./hosting/compose.ts";
import { containerRoutes } from "./hosting/container.ts";
import { containerCommandRoutes } from "./hosting/container-command.ts";
import { containerImageRoutes } from "./hosting/container-image.ts";
import { containerLogRoutes } from "./hosting/container-log.ts";
import { containerMetricsRoutes } from "./hosting/container-metrics.ts";
import { containerPermissionRoutes } from "./hosting/container-permission.ts";
import { containerUpdateRoutes } from "./hosting/container-update.ts";
import { containerVolumeRoutes } from "./hosting/container-volumes.ts";
import { domainRoutes } from "./hosting/domain.ts";
import { firewallRoutes } from "./hosting/firewall.ts";
import { hostEnrolmentRoutes } from "./hosting/host-enrolment.ts";
import { imageRoutes } from "./hosting/image.ts";
import { storageShareRoutes } from "./hosting/storage-share.ts";
import { storageSnapshotRoutes } from "./hosting/storage-snapshot.ts";
import { marketplaceRoutes } from "./market/marketplace.ts";
import { rentalRoutes } from "./market/rental.ts";
import { reservationRoutes } from "./market/reservation.ts";

/** Every noun that the API serves. */
export const routes = (
  context: GatewayContext,
  signIn = newSignIn(context),
  sessions = accountSessions(context, signIn),
): AnyElysia[] => [
  ...consoleRoutes(context, sessions),
  accountRoutes(context, sessions),
  securityRoutes(context, signIn),
  accountDeletionRoutes(context, signIn),
  secondFactorRoutes(context, signIn),
  passkeyRoutes(context, signIn),
  deviceSignInRoutes(context, sessions),
  recoveryRoutes(context, signIn),
  emailVerificationRoutes(context),
  adminUserRoutes(context, signIn),
  adminUserListRoutes(context),
  adminAuditRoutes(context),
  sessionRoutes(context),
  tokenRoutes(context),
  quotaRoutes(context),
  walletRoutes(context),
  topUpRoutes(context),
  paymentCallbacks(context),
  sandboxRoutes(context),
  codehostSandboxRoutes(context),
  adminPaymentReviewRoutes(context),
  paymentMethodRoutes(context),
  transactionRoutes(context),
  invoiceRoutes(context),
  billingDetailsRoutes(context),
  statementRoutes(context),
  codehostRoutes(context),
  projectRoutes(context),
  composeRoutes(context),
  registryCredentialRoutes(context),
  poolRoutes(context),
  containerRoutes(context),
  containerLogRoutes(context),
  containerMetricsRoutes(context),
  containerCommandRoutes(context),
  containerUpdateRoutes(context),
  containerPermissionRoutes(context),
  containerVolumeRoutes(context),
  containerImageRoutes(context),
  storageShareRoutes(context),
  storageSnapshotRoutes(context),
  firewallRoutes(context),
  aliasRoutes(context),
  certificateAuthorityRoutes(context),
  domainRoutes(context),
  eventRoutes(context),
  marketplaceRoutes(context),
  eventStreamRoutes(context),
  notificationRoutes(context),
  mailSettingsRoutes(context),
  unsubscribeRoutes(context),
  webhookRoutes(context),
  webhookDeliveryRoutes(context),
  ...rentalRoutes(context),
  reservationRoutes(context),
  imageRoutes(context),
  challengeRoutes(context),
  ...adminStockRoutes(context),
  ...adminStockFileRoutes(context),
  adminHostRoutes(context),
  adminContainerRoutes(context),
  hostEnrolmentRoutes(context),
  ...adminImageRoutes(context),
  adminWalletRoutes(context),
  adminTransactionRoutes(context),
  adminClusterRoutes(context),
  adminOverviewRoutes(context),
  adminCertificateRoutes(context),
  adminEventRoutes(context),
];
