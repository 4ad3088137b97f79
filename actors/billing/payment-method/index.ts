import { Type } from "@sinclair/typebox";
import {
  ChangePaymentMethod,
  CreatePaymentMethod,
  PaymentMethod,
} from "../../../schemas/billing/payment-method.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { add, change, found, keptDetails, type Method, type Methods, NO_METHODS, remove } from "./rules.ts";
import { paymentMethodListTable, paymentMethodTable } from "./table.ts";

const Change = Strict({ id: Id, change: ChangePaymentMethod });

/** A user's payment methods. Keyed by user. */
export const paymentMethodsActor = actor("payment_methods", {
  table: paymentMethodListTable,
  empty: (): Methods => NO_METHODS,
  conflicts: { ...quotaConflicts("payment_methods_per_user"), ...deletedAccountConflict() },
  on: {
    create: command(CreatePaymentMethod, PaymentMethod, (before: Methods, input, ctx: Context<Methods>) => {
      const method: Method = {
        id: ctx.newId(),
        type: input.type,
        name: input.name,
        status: "active",
        details: keptDetails(input.type, input.details ?? {}),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      };
      const after = add(before, method, input.is_default ?? false);
      ctx.setState(after);
      ctx.insert("payment_methods", paymentMethodTable.row(ctx.actorId, method));
      return record(ctx.actorId, after, method);
    }),

    update: command(Change, PaymentMethod, (before: Methods, input, ctx: Context<Methods>) => {
      const after = change(before, input.id, input.change, ctx.now);
      const method = found(after, input.id);
      ctx.setState(after);
      ctx.update("payment_methods", paymentMethodTable.row(ctx.actorId, method));
      return record(ctx.actorId, after, method);
    }),

    delete: command(Strict({ id: Id }), Type.Object({}), (before: Methods, { id }, ctx: Context<Methods>) => {
      ctx.setState(remove(before, id));
      ctx.remove("payment_methods", { id });
      return {};
    }),
  },
});

const record = (userId: string, { defaultId }: Methods, method: Method): PaymentMethod => ({
  id: method.id,
  user_id: userId,
  type: method.type,
  name: method.name,
  status: method.status,
  details: method.details,
  is_default: method.id === defaultId,
  created_at: method.createdAt.toISOString(),
  updated_at: method.updatedAt.toISOString(),
});
