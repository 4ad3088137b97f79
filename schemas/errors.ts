/**
 * Every machine-readable code of a reply and its HTTP status: the only place where a code is mapped to a status
 * (spec, control plane §7; further codes are additions of Berth).
 */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  INSUFFICIENT_BALANCE: 400,
  INVALID_ALIAS_FORMAT: 400,
  /**
   * A callback without a valid and recent signature of the processor. The reply does not say which of the two is
   * wrong.
   */
  INVALID_SIGNATURE: 400,
  /** A recovery link that was used or replaced, has expired, or never was. */
  RECOVERY_INVALID: 400,
  /** A challenge of a sign-in that was used, has expired, or is for something else. */
  CHALLENGE_INVALID: 400,
  /** What a browser says of a passkey does not fit its challenge, this address or its signature. */
  PASSKEY_INVALID: 400,
  /** Nobody has approved the program yet: it asks again (RFC 8628 §3.5). */
  AUTHORIZATION_PENDING: 400,
  /** The program asks more often than it was told. */
  SLOW_DOWN: 400,
  /** The code of a program was used, has expired, or never was. */
  DEVICE_CODE_INVALID: 400,
  /** A machine's one-time token that was used or replaced, has expired, or never was. */
  ENROLMENT_INVALID: 400,
  CODEHOST_DENIED: 400,
  CODEHOST_LINK_INVALID: 400,
  IMAGE_ALREADY_OWNED: 400,
  IMAGE_NOT_FREE: 400,
  INVALID_ICON_FORMAT: 400,
  /** A file of servers with cells that cannot be read or break a rule; `data.errors` has their lines and columns. */
  INVALID_CSV: 400,
  /** An ambiguous request to an edge. */
  BAD_REQUEST: 400,
  PATH_LEAVES_TARGET: 400,

  MISSING_TOKEN: 401,
  INVALID_TOKEN: 401,
  INVALID_CREDENTIALS: 401,
  /** The password is right, and the account has a second factor: `data` has the challenge for it. */
  SECOND_FACTOR_REQUIRED: 401,
  /** A request to an edge carries a credential of the API. */
  CONTAINER_TOKEN_REQUIRED: 401,

  INSUFFICIENT_PERMISSIONS: 403,
  /** The quota is used up (docs/limits.md). */
  QUOTA_EXCEEDED: 403,
  /** The present password of somebody who is signed in: their session is good, so it is no 401. */
  WRONG_PASSWORD: 403,
  /** The second factor is missing, wrong, or was used already. */
  SECOND_FACTOR_WRONG: 403,
  /** The operator's settings require a second factor of administrators, and this one has none. */
  SECOND_FACTOR_SETUP_REQUIRED: 403,
  /** The person whom a program asked has refused. */
  DEVICE_DENIED: 403,
  /** An administrator has closed the account. */
  ACCOUNT_SUSPENDED: 403,
  FORBIDDEN_ORIGIN: 403,
  HTTPS_REQUIRED: 403,

  ROUTE_NOT_FOUND: 404,
  /** The path contains text that does not have the form of an id. */
  RECORD_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  PROJECT_NOT_FOUND: 404,
  REGISTRY_CREDENTIAL_NOT_FOUND: 404,
  SERVER_NOT_FOUND: 404,
  HOST_NOT_FOUND: 404,
  RENTAL_NOT_FOUND: 404,
  IMAGE_NOT_FOUND: 404,
  CONTAINER_NOT_FOUND: 404,
  FIREWALL_RULE_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  OFFER_NOT_FOUND: 404,
  POOL_NOT_FOUND: 404,
  MEMBER_NOT_FOUND: 404,
  INVITATION_NOT_FOUND: 404,
  RESERVATION_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  SECOND_FACTOR_NOT_FOUND: 404,
  PASSKEY_NOT_FOUND: 404,
  ALIAS_NOT_FOUND: 404,
  DOMAIN_NOT_FOUND: 404,
  CERTIFICATE_NOT_FOUND: 404,
  PAYMENT_INTENT_NOT_FOUND: 404,
  REVIEW_NOT_FOUND: 404,
  PAYMENT_METHOD_NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  INVOICE_NOT_FOUND: 404,
  CODEHOST_NOT_CONFIGURED: 404,
  NOTIFICATION_NOT_FOUND: 404,
  CONTAINER_PERMISSION_NOT_FOUND: 404,
  STORAGE_SHARE_NOT_FOUND: 404,
  STORAGE_SNAPSHOT_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  WEBHOOK_DELIVERY_NOT_FOUND: 404,
  ADDRESS_NOT_FOUND: 404,
  /** The container's image declares no such program. */
  PROGRAM_NOT_FOUND: 404,

  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  LENGTH_REQUIRED: 411,

  /** The account is suspended already, or is not. */
  ACCOUNT_STATE_CONFLICT: 409,
  PASSKEY_EXISTS: 409,
  /** Browsers reach this installation by a number, and passkeys need a host name. */
  PASSKEYS_UNAVAILABLE: 409,
  PASSKEY_LIMIT: 409,
  USERNAME_TAKEN: 409,
  EMAIL_TAKEN: 409,
  NAME_TAKEN: 409,
  PROJECT_NOT_EMPTY: 409,
  CONTAINER_STATE_CONFLICT: 409,
  /** The command of this key may have run, and its host keeps no result of it. */
  COMMAND_RESULT_GONE: 409,
  ALIAS_IN_USE: 409,
  ALIAS_RESERVED: 409,
  ALIAS_EXPIRED: 409,
  DOMAIN_IN_USE: 409,
  FIREWALL_RULE_EXISTS: 409,
  FIREWALL_BYTE_LIMIT: 409,
  BALANCE_LIMIT: 409,
  CHARGE_CONFIRMATION_REQUIRED: 409,
  SETUP_FEE_CONFIRMATION_REQUIRED: 409,
  CHARGE_EXCEEDS_MAX: 409,
  CHARGE_MISMATCH: 409,
  EXTENSION_ALREADY_APPLIED: 409,
  RENTAL_ENDED: 409,
  RESERVATION_STATE_CONFLICT: 409,
  PAYMENT_STATE_CONFLICT: 409,
  CONTAINER_PERMISSION_LIMIT: 409,
  CONTAINER_ROLE_EXISTS: 409,
  ACCOUNT_IN_USE: 409,
  BALANCE_LEFT: 409,
  LAST_ADMINISTRATOR: 409,
  SERVER_IN_USE: 409,
  /** A server was changed after it was read, or an import changes it at the moment. */
  STOCK_CHANGED: 409,
  /** The server has no room left for a storage share of this size. */
  SERVER_STORAGE_EXCEEDED: 409,
  STORAGE_SHARE_IN_USE: 409,
  STORAGE_SHARE_MOUNTED: 409,
  STORAGE_SHARE_STATE_CONFLICT: 409,
  STORAGE_SNAPSHOT_LIMIT: 409,
  ALREADY_INVITED: 409,
  ALREADY_MEMBER: 409,
  DEFAULT_POOL: 409,
  POOL_NOT_EMPTY: 409,
  POOL_OWNER: 409,
  SERVER_NOT_AVAILABLE: 409,
  /** No agent of this server has ever connected. */
  HOST_NOT_JOINED: 409,
  SERVER_SMALLER_THAN_ORDERED: 409,
  SHARED_HOST: 409,
  /** An administrator empties the machine: it takes no new containers. */
  HOST_DRAINING: 409,
  /** The machine still has containers. */
  HOST_IN_USE: 409,
  /** The users of this installation's NATS are kept by hand. */
  ENROLMENT_UNAVAILABLE: 409,
  INVOICE_EXISTS: 409,
  INBOX_LIMIT: 409,
  WEBHOOK_DISABLED: 409,
  /** The operation was aborted before it was executed, and will never be executed. */
  ABORTED: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  TRANSFER_IDEMPOTENCY_KEY_REUSED: 409,
  TRANSFER_FEE_CHANGED: 409,

  PAYMENT_PROVIDER_DISABLED: 409,
  /** The operator has set no key with which secrets could be encrypted. */
  SECRETS_NOT_CONFIGURED: 409,
  /** The operator has set no mail server. */
  MAIL_NOT_CONFIGURED: 409,
  /** The transaction is none that charges for a sale. */
  NOT_REFUNDABLE: 409,
  REFUND_EXCEEDS_CHARGE: 409,
  REVIEW_RESOLVED: 409,
  REVIEW_NOT_CREDITABLE: 409,

  /** The record has changed since the caller read it (`If-Match`). */
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** A host name whose target does not speak HTTP. */
  NOT_HTTP: 421,
  INVALID_IMAGE_ID: 422,
  /** A change of the whole record says which version of it was read (`If-Match`). */
  PRECONDITION_REQUIRED: 428,
  RATE_LIMITED: 429,
  HEADER_TOO_LARGE: 431,

  INTERNAL_ERROR: 500,
  TRANSFER_CODING_UNKNOWN: 501,

  /** The code host did not reply, or its reply was invalid. */
  CODEHOST_FAILED: 502,
  TARGET_UNREACHABLE: 502,
  /** The host could not start the command. */
  COMMAND_FAILED: 502,

  OVERLOADED: 503,
  /** An actor whose record cannot be read is quarantined for a while. */
  QUARANTINED: 503,
  UNAVAILABLE: 503,
  HOST_SILENT: 503,
  /** The processor did not reply as expected. Nothing was paid, and the request may be retried with the same key. */
  PAYMENT_PROVIDER_UNAVAILABLE: 503,
  CONTAINER_NOT_RUNNING: 503,
  /** A program that the container's image declares has been started, and does not answer yet. */
  PROGRAM_STARTING: 503,

  TARGET_TIMEOUT: 504,
  HTTP_VERSION_NOT_SUPPORTED: 505,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The `error` member of the envelope: the status in words. */
export const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  422: "Unprocessable Entity",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
};

/**
 * A request that was understood and refused. Thrown where the rule is checked, in an actor or in a route; the gateway
 * converts it to the error envelope. Everything in it may be shown to the caller.
 */
export class DomainError extends Error {
  override readonly name = "DomainError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/**
 * A value that does not match its schema or breaks another rule about its form. `field` is a dotted path such as
 * `body.amount`. If several fields are invalid, `data.fields` lists all of them.
 */
export class ValidationError extends DomainError {
  constructor(
    readonly field: string,
    message: string,
    others: readonly { field: string; message: string }[] = [],
  ) {
    const all = others.length === 0 ? {} : { fields: [{ field, message }, ...others] };
    super("VALIDATION_ERROR", `${field}: ${message}`, { field, ...all });
  }
}
