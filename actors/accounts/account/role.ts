import { Type } from "@sinclair/typebox";
import { MachineOperator } from "../../../schemas/accounts/audit.ts";
import { Role } from "../../../schemas/accounts/auth.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { Name } from "../../../schemas/text.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import type { Context } from "../../runtime/definition.ts";
import { type Account, assertActive, endSessions } from "./rules.ts";
import type { SecurityOptions } from "./security.ts";

type State = Account | null;
type Ctx = Context<State>;

const RoleInput = Strict({
  role: Role,
  reason: Name(500),
  /** Where a command on a machine of the installation asks, and no administrator. */
  machine: Type.Optional(MachineOperator),
});
const RoleSet = Type.Object({ former: Role, ended: Type.Array(Id) });

export const roleCommands = ({ requireAccount, revoke }: SecurityOptions) => ({
  /**
   * Makes an account an administrator's or a user's. Who is no administrator any more is signed out everywhere: access tokens say the
   * role. That one administrator remains, a trigger of the database checks in the commit.
   *
   * @throws INSUFFICIENT_PERMISSIONS for an administrator whom another one demotes: nobody takes another's power
   */
  set_role: operatorCommand(
    RoleInput,
    RoleSet,
    (state: State, { role, reason, machine }, ctx: Ctx, operator) => {
      const before = requireAccount(state);
      const former = before.role;
      if (former === role) return { former, ended: [] };
      assertActive(before);
      if (role === "user" && machine === undefined && operator?.id !== ctx.actorId)
        throw new DomainError(
          "INSUFFICIENT_PERMISSIONS",
          "Administrators are not demoted by others: the command `berth admin demote`, on a machine of the installation, does it",
        );
      const { account, ended } =
        role === "user" ? endSessions(before, undefined) : { account: before, ended: [] };
      ctx.setState({ ...account, role });
      if (ended.length > 0) revoke(ctx, ended, "role changed", operator?.id ?? ctx.actorId);
      const data = { from: former, to: role, reason };
      recordPrivilegedAct(ctx, machine ?? operator, { act: "role_changed", userId: ctx.actorId, data });
      return { former, ended: ended.map(({ id }) => id) };
    },
  ),
});
