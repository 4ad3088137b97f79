import * as account from "../../schemas/accounts/account.ts";
import * as audit from "../../schemas/accounts/audit.ts";
import * as codehost from "../../schemas/accounts/codehost.ts";
import * as deletion from "../../schemas/accounts/deletion.ts";
import * as deviceSignIn from "../../schemas/accounts/device-sign-in.ts";
import * as pool from "../../schemas/accounts/pool.ts";
import * as project from "../../schemas/accounts/project.ts";
import * as quota from "../../schemas/accounts/quota.ts";
import * as registryCredential from "../../schemas/accounts/registry-credential.ts";
import * as secondFactor from "../../schemas/accounts/second-factor.ts";
import * as security from "../../schemas/accounts/security.ts";
import * as token from "../../schemas/accounts/token.ts";
import * as user from "../../schemas/accounts/user.ts";
import * as mail from "../../schemas/activity/mail.ts";
import * as notification from "../../schemas/activity/notification.ts";
import * as webhook from "../../schemas/activity/webhook.ts";
import * as billingDetails from "../../schemas/billing/billing-details.ts";
import * as invoice from "../../schemas/billing/invoice.ts";
import * as paymentMethod from "../../schemas/billing/payment-method.ts";
import * as statement from "../../schemas/billing/statement.ts";
import * as topUp from "../../schemas/billing/top-up.ts";
import * as transaction from "../../schemas/billing/transaction.ts";
import * as wallet from "../../schemas/billing/wallet.ts";
import * as cluster from "../../schemas/cluster.ts";
import * as envelope from "../../schemas/envelope.ts";
import * as events from "../../schemas/events.ts";
import * as alias from "../../schemas/hosting/alias.ts";
import * as certificate from "../../schemas/hosting/certificate.ts";
import * as compose from "../../schemas/hosting/compose.ts";
import * as container from "../../schemas/hosting/container.ts";
import * as containerCommand from "../../schemas/hosting/container-command.ts";
import * as containerLog from "../../schemas/hosting/container-log.ts";
import * as containerPermission from "../../schemas/hosting/container-permission.ts";
import * as containerSettings from "../../schemas/hosting/container-settings.ts";
import * as domain from "../../schemas/hosting/domain.ts";
import * as firewall from "../../schemas/hosting/firewall.ts";
import * as healthCheck from "../../schemas/hosting/health-check.ts";
import * as host from "../../schemas/hosting/host.ts";
import * as image from "../../schemas/hosting/image.ts";
import * as metrics from "../../schemas/hosting/metrics.ts";
import * as storageShare from "../../schemas/hosting/storage-share.ts";
import * as usage from "../../schemas/hosting/usage.ts";
import * as volume from "../../schemas/hosting/volume.ts";
import * as offer from "../../schemas/market/offer.ts";
import * as rental from "../../schemas/market/rental.ts";
import * as server from "../../schemas/market/server.ts";
import * as stockImport from "../../schemas/market/stock-import.ts";
import * as overview from "../../schemas/overview.ts";
import * as paging from "../../schemas/paging.ts";
import * as sorts from "../../schemas/sorting.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";

/** The modules whose exports are the names of shapes in the document. */
const MODULES: readonly Readonly<Record<string, unknown>>[] = [
  ...[
    envelope,
    paging,
    sorts,
    account,
    audit,
    security,
    deletion,
    secondFactor,
    deviceSignIn,
    codehost,
    pool,
    project,
    quota,
    registryCredential,
    token,
    user,
    mail,
    notification,
    webhook,
    billingDetails,
    invoice,
    paymentMethod,
  ],
  ...[
    statement,
    topUp,
    transaction,
    wallet,
    cluster,
    overview,
    events,
    alias,
    domain,
    certificate,
    compose,
    container,
    containerCommand,
    containerLog,
    containerSettings,
    firewall,
    healthCheck,
    host,
    image,
    containerPermission,
    storageShare,
    volume,
    metrics,
    usage,
    offer,
    rental,
    server,
    stockImport,
  ],
];

/** A shape, and what is told of it where it is used. */
export interface NamedShape {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** What makes a shape the same as another: all of it but its own description. */
const keyOf = ({ description: _, ...schema }: JsonSchema): string => JSON.stringify(schema);

/**
 * Each shape under the name of its exported schema, so that code, document and clients use one name. Written when this module is loaded:
 * the framework changes schemas later.
 */
const SHAPES: readonly NamedShape[] = MODULES.flatMap((module) => Object.entries(module))
  .filter(([, value]) => isShape(value))
  .map(([name, value]) => ({ name: name.replace(/Schema$/, ""), schema: jsonSchema(value as never) }))
  // Where two names have one shape the first is taken.
  .reverse();

let byKey: ReadonlyMap<string, NamedShape> | undefined;

/** The named shape that a schema is, whatever its own description says; undefined where it has no name. */
export function namedShape(schema: JsonSchema): NamedShape | undefined {
  byKey ??= new Map(SHAPES.map((shape) => [keyOf(shape.schema), shape]));
  return byKey.get(keyOf(schema));
}

/** Objects and sets of words have names; plain texts and numbers do not. */
function isShape(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { type, anyOf, allOf } = value as JsonSchema;
  return type === "object" || Array.isArray(allOf) || (Array.isArray(anyOf) && anyOf.length > 1);
}
