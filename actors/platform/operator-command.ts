import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Operator } from "../../schemas/accounts/audit.ts";
import { Strict } from "../../schemas/primitives.ts";
import type { AwaitedSaga, Command, CommandOptions, Context } from "../runtime/definition.ts";

/** Who asks for a command, where an administrator does. */
interface Asked {
  readonly operator?: Operator;
}

type Handler<State, I extends TSchema, O extends TSchema> = (
  state: State,
  input: Static<I>,
  ctx: Context<State>,
  operator: Operator | undefined,
) => Static<O> | AwaitedSaga;

/**
 * A command that administrators give. The handler gets the administrator, for `recordPrivilegedAct`. It is
 * no part of the operation's fingerprint, since a repeated request has another request id.
 *
 *     delete: operatorCommand(Strict({}), Nothing, (state, _input, ctx, operator) => {
 *       ctx.setState({ ...state, status: "retired" });
 *       recordPrivilegedAct(ctx, operator, { act: "server_removed", resourceId: ctx.actorId });
 *       return {};
 *     })
 */
export function operatorCommand<State, I extends TObject, O extends TSchema>(
  input: I,
  output: O,
  handle: Handler<State, I, O>,
  { fingerprint = JSON.stringify, ...options }: CommandOptions<Static<I>> = {},
): Command<State, Static<I> & Asked, Static<O>> {
  const asked = Strict({ ...input.properties, operator: Type.Optional(Operator) });
  const handleAsked = (state: State, { operator, ...rest }: Asked, ctx: Context<State>) =>
    handle(state, rest as Static<I>, ctx, operator);
  const withoutOperator = ({ operator: _, ...rest }: Asked): string => fingerprint(rest as Static<I>);
  return {
    input: asked,
    output,
    handle: handleAsked as Command<State, Static<I> & Asked, Static<O>>["handle"],
    options: { ...options, fingerprint: withoutOperator as CommandOptions<Static<I> & Asked>["fingerprint"] },
  } as Command<State, Static<I> & Asked, Static<O>>;
}
