import { Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import {
  ChangeHost,
  ForcedRemoval,
  HostFacts,
  HostName,
  PreparedImages,
} from "../../../schemas/hosting/host.ts";
import { Strict, Timestamp } from "../../../schemas/primitives.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { enrol, type HostState, newEnrolment, newHost, remove } from "./rules.ts";
import { hostTable } from "./table.ts";

type State = HostState | null;
type Ctx = Context<State>;

const Nothing = Type.Object({});
const TokenHash = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of a one-time token" });
/** The reply names the token that counts: a repeated request has made another one in vain. */
const TokenMade = Type.Object({ expires_at: Timestamp, token_hash: TokenHash });
const Account = Type.String({ pattern: "^A[A-Z2-7]{55}$", description: "public key of a NATS account" });
const EnrolInput = Strict({
  token_hash: TokenHash,
  account: Account,
  public_key: Type.String({ maxLength: 64 }),
  facts: HostFacts,
});

/** Machines that run an agent. Keyed by host. */
export const hostActor = actor("host", {
  table: hostTable,
  empty: (): State => null,
  conflicts: { host_machines_name: { code: "NAME_TAKEN", message: "there is a host of this name" } },
  on: {
    create: operatorCommand(
      Strict({ name: HostName, token_hash: TokenHash }),
      TokenMade,
      (host: State, { name, token_hash }, ctx: Ctx, operator) => {
        const after = host ?? newHost(name, token_hash, ctx.now);
        ctx.setState(after);
        recordPrivilegedAct(ctx, operator, { act: "host_added", resourceId: ctx.actorId, data: { name } });
        return { token_hash, expires_at: after.enrolment?.expires_at ?? ctx.now.toISOString() };
      },
      { fingerprint: ({ name }) => name },
    ),

    /** A new one-time token; a former one that was not used is worth nothing any more. */
    create_token: operatorCommand(
      Strict({ token_hash: TokenHash }),
      TokenMade,
      (state: State, { token_hash }, ctx: Ctx, operator) => {
        const host = requireHost(state);
        const enrolment = newEnrolment(token_hash, ctx.now);
        ctx.setState({ ...host, enrolment });
        const data = { name: host.name };
        recordPrivilegedAct(ctx, operator, { act: "host_token_created", resourceId: ctx.actorId, data });
        return { token_hash, expires_at: enrolment.expires_at };
      },
      { fingerprint: () => "" },
    ),

    update: operatorCommand(ChangeHost, Nothing, (state: State, { draining }, ctx: Ctx, operator) => {
      const host = requireHost(state);
      ctx.setState({ ...host, draining });
      const data = { name: host.name, draining };
      recordPrivilegedAct(ctx, operator, { act: "host_updated", resourceId: ctx.actorId, data });
      return {};
    }),

    /** The machine joins. */
    enrol: command(EnrolInput, Nothing, (state: State, input, ctx: Ctx) => {
      const { token_hash: tokenHash, account, public_key: publicKey, facts } = input;
      ctx.setState(enrol(requireHost(state), { tokenHash, account, publicKey, facts }, ctx.now));
      return {};
    }),

    /** Its agent has answered. */
    report: command(Strict({ facts: HostFacts }), Nothing, (state: State, { facts }, ctx: Ctx) => {
      ctx.setState({ ...requireHost(state), facts, lastSeenAt: ctx.now, silentSince: null });
      return {};
    }),

    /** Its agent has said how far it is with the images that it should keep ready. */
    report_images: command(PreparedImages, Nothing, (state: State, { images }, ctx: Ctx) => {
      ctx.setState({ ...requireHost(state), preparedImages: images });
      return {};
    }),

    /** Its agent has missed pings. */
    record_silence: command(Strict({}), Nothing, (state: State, _input, ctx: Ctx) => {
      const host = requireHost(state);
      if (host.silentSince === null) ctx.setState({ ...host, silentSince: ctx.now });
      return {};
    }),

    /** Removes the machine for good. Its credential ends with its account. */
    remove: operatorCommand(
      Strict({ forced: Type.Optional(ForcedRemoval) }),
      Nothing,
      (state: State, { forced }, ctx: Ctx, operator) => {
        const host = requireHost(state);
        ctx.setState(remove(host, ctx.now));
        const data = { name: host.name, ...(forced === undefined ? {} : { force: true, ...forced }) };
        recordPrivilegedAct(ctx, operator, { act: "host_removed", resourceId: ctx.actorId, data });
        return {};
      },
      // A repeated request finds no rentals any more.
      { fingerprint: () => "" },
    ),

    /** NATS refuses this account from now on. */
    record_ended_account: command(
      Strict({ account: Account }),
      Nothing,
      (host: State, { account }, ctx: Ctx) => {
        if (host === null) return {};
        ctx.setState({ ...host, endedAccounts: host.endedAccounts.filter((ended) => ended !== account) });
        return {};
      },
    ),
  },
});

function requireHost(host: State): HostState {
  if (host === null || host.removedAt !== null) throw new DomainError("HOST_NOT_FOUND", "Host not found");
  return host;
}
