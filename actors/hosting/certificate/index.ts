import { Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import { CertificateName, CertificatePurpose, Challenge } from "../../../schemas/hosting/certificate.ts";
import { Id, Nullable, Strict, Timestamp } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { type AcmeAccountState, type CertificateState, wanted, withFailure, withIssued } from "./rules.ts";
import { acmeAccountTable, certificateTable } from "./table.ts";

type State = CertificateState | null;
type Ctx = Context<State>;

const Done = Type.Object({});

/** The certificate of one name, and its order at the authority. Keyed by `idOf` the name. The orders are the reconciler's work. */
export const certificateActor = actor("certificate", {
  table: certificateTable,
  empty: (): State => null,
  on: {
    /** Keeps a certificate for a name from now on. One that is kept already stays as it is. */
    want: command(
      Strict({ name: CertificateName, purpose: CertificatePurpose, user_id: Nullable(Id) }),
      Done,
      (state: State, { name, purpose, user_id }, ctx: Ctx) => {
        if (state === null) ctx.setState(wanted(name, purpose, user_id, ctx.now));
        return {};
      },
    ),

    /** What the authority finds under the name while it checks an order; null: the check is over. */
    record_challenge: command(
      Strict({ challenge: Nullable(Challenge) }),
      Done,
      (state: State, { challenge }, ctx: Ctx) => {
        if (state !== null) ctx.setState({ ...state, challenge });
        return {};
      },
    ),

    record_issued: command(
      Strict({
        chain: Type.String(),
        sealed_key: Type.String(),
        not_before: Timestamp,
        not_after: Timestamp,
      }),
      Done,
      (state: State, { chain, sealed_key, not_before, not_after }, ctx: Ctx) => {
        const dates = { notBefore: new Date(not_before), notAfter: new Date(not_after) };
        if (state !== null) ctx.setState(withIssued(state, { chain, sealedKey: sealed_key, ...dates }));
        return {};
      },
      { fingerprint: ({ not_after }) => not_after },
    ),

    record_failure: command(Strict({ error: Type.String() }), Done, (state: State, { error }, ctx: Ctx) => {
      if (state !== null) ctx.setState(withFailure(state, error, ctx.now));
      return {};
    }),

    /** An administrator wants it ordered now. The count of failures stays: if this one fails too, the next try is as late. */
    retry: operatorCommand(Strict({}), Done, (state: State, _input, ctx: Ctx, operator) => {
      if (state === null) throw new DomainError("CERTIFICATE_NOT_FOUND", "Certificate not found");
      ctx.setState({ ...state, dueAt: ctx.now });
      const data = { name: state.name };
      recordPrivilegedAct(ctx, operator, { act: "certificate_retried", resourceId: ctx.actorId, data });
      return {};
    }),

    /** Keeps no certificate for the name any more. */
    forget: command(Strict({}), Done, (state: State, _input, ctx: Ctx) => {
      if (state !== null) ctx.setState(null);
      return {};
    }),
  },
});

/** The account at an ACME authority, which all actor hosts share. Keyed by `idOf` the directory's URL. */
export const acmeAccountActor = actor("acme_account", {
  table: acmeAccountTable,
  empty: (): AcmeAccountState | null => null,
  on: {
    /** The first key stays: whoever comes later uses it. */
    create: command(
      Strict({ directory_url: Type.String(), sealed_key: Type.String() }),
      Type.Object({ sealed_key: Type.String() }),
      (
        state: AcmeAccountState | null,
        { directory_url, sealed_key },
        ctx: Context<AcmeAccountState | null>,
      ) => {
        if (state !== null) return { sealed_key: state.sealedKey };
        ctx.setState({ directoryUrl: directory_url, sealedKey: sealed_key, createdAt: ctx.now });
        return { sealed_key };
      },
    ),
  },
});
