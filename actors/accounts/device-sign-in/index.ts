import { type Static, Type } from "@sinclair/typebox";
import { Approval, ClientName } from "../../../schemas/accounts/device-sign-in.ts";
import { programName } from "../../../schemas/accounts/user-agent.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { recordAudit } from "../../platform/record-audit.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { type Decider, type DeviceSignInState, decide, redeem } from "./rules.ts";
import { deviceSignInTable } from "./table.ts";

type State = DeviceSignInState | null;
type Ctx = Context<State>;

const Done = Type.Object({});
const SecretHash = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the program's secret" });
/** `sessions_epoch`: the account's, as the gateway has read it before it sends. */
const By = Strict({ user_id: Id, session_id: Id, sessions_epoch: Type.Integer() });

/** Sessions may have been ended between a request and its repetition. */
const REPEATED = {
  fingerprint: ({ user_id, session_id }: Static<typeof By>) => JSON.stringify([user_id, session_id]),
};

const deciderOf = ({ user_id, session_id, sessions_epoch }: Static<typeof By>): Decider => ({
  userId: user_id,
  sessionId: session_id,
  sessionsEpoch: sessions_epoch,
});

/** Sign-ins of programs that a person approves. Keyed by sign-in; they are deleted when they expire. */
export const deviceSignInActor = actor("device_sign_in", {
  table: deviceSignInTable,
  hasTasks: true,
  empty: (): State => null,
  conflicts: {
    // About once in a hundred million.
    device_sign_ins_user_code: { code: "UNAVAILABLE", message: "no code is free: try again" },
  },
  on: {
    create: command(
      Strict({
        secret_hash: SecretHash,
        user_code: Type.String(),
        client_name: ClientName,
        address: Nullable(Type.String({ maxLength: 64 })),
        user_agent: Nullable(Type.String({ maxLength: 512 })),
        lifetime_seconds: Type.Integer({ minimum: 1 }),
      }),
      Done,
      (state: State, input, ctx: Ctx) => {
        if (state !== null) throw idempotencyKeyReused();
        const expiresAt = new Date(ctx.now.getTime() + input.lifetime_seconds * 1_000);
        ctx.setState({
          secretHash: input.secret_hash,
          userCode: input.user_code,
          clientName: input.client_name,
          address: input.address,
          userAgent: input.user_agent,
          status: "pending",
          userId: null,
          sessionId: null,
          sessionsEpoch: null,
          createdAt: ctx.now,
          expiresAt,
        });
        ctx.setTimer("expire", { at: expiresAt, op: "expire" });
        return {};
      },
    ),

    approve: command(
      By,
      Done,
      (state: State, input, ctx: Ctx) => {
        const approved = decide(state, "approved", deciderOf(input), ctx.now);
        if (approved === state) return {};
        ctx.setState(approved);
        const { clientName: client_name, address, userAgent: user_agent } = approved;
        const data = { client_name, address, program: programName(user_agent), user_agent };
        recordAudit(ctx, { act: "device_approved", userId: input.user_id, by: input.user_id, data });
        return {};
      },
      REPEATED,
    ),

    deny: command(
      By,
      Done,
      (state: State, input, ctx: Ctx) => {
        const denied = decide(state, "denied", deciderOf(input), ctx.now);
        if (denied !== state) ctx.setState(denied);
        return {};
      },
      REPEATED,
    ),

    /** Lets the program in: once. Whether the session that approved it goes on, the account sees. */
    redeem: command(
      Strict({ secret_hash: SecretHash }),
      Approval,
      (state: State, { secret_hash }, ctx: Ctx) => {
        const redeemed = redeem(state, secret_hash, ctx.now);
        ctx.setState(redeemed);
        const { userId: user_id, sessionId: session_id, sessionsEpoch: sessions_epoch } = redeemed;
        return { user_id, session_id, sessions_epoch };
      },
    ),

    expire: command(Strict({}), Done, (state: State, _input, ctx: Ctx) => {
      if (state !== null) ctx.setState(null);
      return {};
    }),
  },
});
