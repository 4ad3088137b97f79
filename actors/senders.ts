import type { Definitions } from "./registry.ts";
import type { ActorsOf } from "./runtime/client.ts";
import type { Definition } from "./runtime/definition.ts";

/**
 * The sender of a message to an actor: a `gateway`, for a caller whom a route's guard has admitted; a `reconciler`, a
 * loop of an actor host that compares actual with desired state; another `actor`; the actor `itself`, as a timer
 * or as the reply to a send; or a `command` of an operator on a machine of the installation.
 */
export type Sender = "gateway" | "reconciler" | "actor" | "itself" | "command";

/**
 * The senders of every message. A message without a sender does not compile, an actor host refuses to start with it,
 * and a gateway or a reconciler cannot send messages that are not listed for it. `docs/permissions.md` has the same
 * table.
 */
export const SENDERS = {
  account: {
    signup: ["gateway"],
    login: ["gateway"],
    fail_login: ["gateway"],
    impersonate: ["gateway"],
    refresh: ["gateway"],
    logout: ["gateway"],
    end_session: ["gateway"],
    end_sessions: ["gateway"],
    change_password: ["gateway"],
    change_email: ["gateway"],
    enable_totp: ["gateway"],
    disable_totp: ["gateway"],
    prove: ["gateway"],
    replace_recovery_codes: ["gateway"],
    add_passkey: ["gateway"],
    rename_passkey: ["gateway"],
    remove_passkey: ["gateway"],
    start_recovery: ["gateway"],
    set_mail_notices: ["gateway"],
    set_billing_details: ["gateway"],
    request_email_verification: ["gateway"],
    open_email_verification: ["reconciler"],
    verify_email: ["gateway"],
    open_mail_recovery: ["reconciler"],
    recover: ["gateway"],
    suspend: ["gateway"],
    restore: ["gateway"],
    set_role: ["gateway", "command"],
    delete: ["gateway"],
    delete_by_operator: ["gateway"],
    record_tidied: ["reconciler"],
  },
  token: { create: ["gateway"], revoke: ["gateway"], revoke_all: ["actor"], expire: ["itself"] },
  device_sign_in: {
    create: ["gateway"],
    approve: ["gateway"],
    deny: ["gateway"],
    redeem: ["gateway"],
    expire: ["itself"],
  },
  recovery_request: { ask: ["gateway"], expire: ["itself"] },
  wallet: {
    transfer: ["gateway"],
    credit: ["gateway"],
    charge: ["actor"],
    refund: ["actor"],
    refund_charge: ["gateway"],
    deposit: ["actor"],
    forfeit: ["actor"],
    set_low_balance: ["gateway"],
  },
  top_up: {
    create: ["gateway"],
    claim: ["gateway"],
    release: ["gateway"],
    record_session: ["gateway"],
    settle: ["gateway"],
    end: ["gateway"],
    cancel: ["gateway"],
    expire: ["itself"],
    on_credited: ["itself"],
    resolve: ["gateway"],
  },
  payment_methods: { create: ["gateway"], update: ["gateway"], delete: ["gateway", "reconciler"] },
  invoice_book: { issue: ["gateway"] },
  ai_credit: {
    begin: ["reconciler"],
    record_end: ["reconciler"],
    record_key: ["reconciler"],
    record_limit: ["reconciler"],
  },
  codehost_account: {
    begin_link: ["gateway"],
    redeem_link: ["gateway"],
    link: ["gateway"],
    unlink: ["gateway", "reconciler"],
    claim: ["gateway"],
    on_held: ["itself"],
    on_deposited: ["itself"],
  },
  codehost_identity: { hold: ["actor"], release: ["actor"] },
  project: {
    create: ["gateway"],
    update: ["gateway"],
    delete: ["gateway", "reconciler"],
    set_registry_credential: ["gateway"],
    remove_registry_credential: ["gateway"],
  },
  pool: {
    create: ["gateway"],
    update: ["gateway"],
    delete: ["gateway", "reconciler"],
    invite: ["gateway"],
    accept: ["gateway"],
    reject: ["gateway", "reconciler"],
    change_role: ["gateway"],
    remove_member: ["gateway", "reconciler"],
  },
  container: {
    create: ["gateway"],
    update: ["gateway"],
    start: ["gateway"],
    stop: ["gateway", "reconciler"],
    restart: ["gateway"],
    pull: ["gateway"],
    set_volumes: ["gateway"],
    grant_permission: ["gateway"],
    revoke_permission: ["gateway", "reconciler"],
    expire_permissions: ["reconciler"],
    delete: ["gateway", "reconciler"],
    update_access: ["reconciler"],
    update_specs: ["reconciler"],
    report: ["reconciler"],
    record_terminal_opened: ["reconciler"],
    record_command: ["gateway"],
    mark_unreachable: ["reconciler"],
  },
  firewall: {
    add_rule: ["gateway"],
    toggle_rule: ["gateway"],
    remove_rules: ["gateway"],
    replace_rules: ["gateway"],
    set_rule_state: ["gateway"],
    remove_rule: ["gateway"],
    reset: ["gateway"],
    report: ["reconciler"],
    discard: ["reconciler"],
  },
  storage_share: {
    create: ["gateway"],
    update: ["gateway"],
    create_snapshot: ["gateway"],
    delete_snapshot: ["gateway"],
    restore: ["gateway"],
    delete: ["gateway", "reconciler"],
    report: ["reconciler"],
    take_scheduled_snapshot: ["reconciler"],
  },
  alias: {
    create: ["gateway"],
    update: ["gateway"],
    delete: ["gateway"],
    discard: ["gateway", "reconciler"],
    expire: ["itself"],
    set_domain: ["actor"],
  },
  domain: {
    claim: ["gateway"],
    check: ["gateway"],
    record_look: ["reconciler"],
    remove: ["gateway", "reconciler"],
  },
  acme_account: { create: ["reconciler"] },
  certificate: {
    want: ["gateway", "reconciler"],
    record_challenge: ["reconciler"],
    record_issued: ["reconciler"],
    record_failure: ["reconciler"],
    retry: ["gateway"],
    forget: ["reconciler"],
  },
  host: {
    create: ["gateway"],
    create_token: ["gateway"],
    update: ["gateway"],
    enrol: ["gateway"],
    remove: ["gateway"],
    record_ended_account: ["gateway"],
    report: ["reconciler"],
    record_silence: ["reconciler"],
    report_images: ["reconciler"],
  },
  server: {
    create: ["gateway"],
    update: ["gateway"],
    join: ["gateway", "reconciler"],
    leave: ["gateway", "reconciler"],
    delete: ["gateway"],
    rent: ["gateway"],
    on_payment_timed_out: ["itself"],
    on_paid: ["itself"],
    on_rental_begun: ["itself"],
    hand_over: ["actor"],
    release: ["actor"],
    prepare: ["actor"],
    apply_prepared: ["actor"],
    drop_prepared: ["actor"],
    clean: ["itself", "reconciler"],
    restock: ["reconciler"],
  },
  stock_import: { begin: ["gateway"], on_prepared: ["itself"], on_applied: ["itself"] },
  rental: {
    begin: ["actor"],
    move: ["reconciler"],
    reprice: ["actor"],
    announce_host: ["actor", "reconciler"],
    extend: ["gateway"],
    end: ["gateway"],
    terminate: ["gateway"],
    on_payment_timed_out: ["itself"],
    on_paid: ["itself"],
    send_notice: ["itself"],
    expire: ["itself", "reconciler"],
    set_auto_extension: ["gateway"],
    clear_auto_extension: ["gateway"],
    suspend_auto_extension: ["reconciler"],
    extend_automatically: ["itself"],
    await_delivery: ["reconciler"],
  },
  offer: {
    create: ["gateway"],
    update: ["gateway"],
    withdraw: ["gateway"],
    reserve: ["gateway"],
    on_reservation_begun: ["itself"],
  },
  reservation: {
    begin: ["actor"],
    await_payment: ["gateway"],
    on_payment_timed_out: ["itself"],
    on_paid: ["itself"],
    deliver: ["gateway"],
    on_handed_over: ["itself"],
    cancel: ["gateway"],
    cancel_by_user: ["gateway"],
  },
  image: {
    create: ["gateway"],
    update: ["gateway"],
    set_icon: ["gateway"],
    delete: ["gateway"],
    quote: ["actor"],
    rate: ["actor"],
  },
  event_log: {
    erase: ["gateway", "reconciler"],
    record_erasure: ["reconciler"],
    set_retention: ["gateway"],
    advance_retention: ["reconciler"],
  },
  webhook: {
    create: ["gateway"],
    update: ["gateway"],
    delete: ["gateway", "reconciler"],
    rotate_secret: ["gateway"],
    test: ["gateway"],
    redeliver: ["gateway"],
    disable: ["reconciler"],
  },
  inbox: {
    post: ["gateway", "reconciler", "actor"],
    read: ["gateway"],
    read_all: ["gateway"],
    delete: ["gateway", "reconciler"],
  },
  image_library: {
    import: ["gateway"],
    purchase: ["gateway"],
    on_quoted: ["itself"],
    on_paid: ["itself"],
    on_payment_timed_out: ["itself"],
    rate: ["gateway"],
    on_rated: ["itself"],
  },
} as const satisfies {
  readonly [Kind in keyof Definitions]: {
    readonly [Op in keyof Definitions[Kind]["on"]]: readonly [Sender, ...Sender[]];
  };
};

type Messages = typeof SENDERS;
type OpsOf<Kind extends keyof Definitions, By extends Sender> = {
  [Op in keyof Messages[Kind]]: Messages[Kind][Op] extends readonly (infer S)[]
    ? By extends S
      ? Op
      : never
    : never;
}[keyof Messages[Kind]];

/** The actors with the messages that one kind of sender may send. */
export type ActorsFor<By extends Sender> = {
  readonly [Kind in keyof Definitions]: (
    id: string,
  ) => Pick<
    ReturnType<ActorsOf<Definitions>[Kind]>,
    OpsOf<Kind, By> & keyof ReturnType<ActorsOf<Definitions>[Kind]>
  >;
};

/** @throws Error that names a message without a stated sender */
export function assertSendersStated(definitions: readonly Definition[]): void {
  const stated: Readonly<Record<string, Readonly<Record<string, readonly Sender[]>>>> = SENDERS;
  for (const { kind, on } of definitions) {
    const unstated = Object.keys(on as object).find((op) => !stated[kind]?.[op]?.length);
    if (unstated !== undefined)
      throw new Error(`${kind}.${unstated} must state who sends it, in actors/senders.ts`);
  }
}
