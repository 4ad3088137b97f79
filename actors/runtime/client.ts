import type { Command, Definition } from "./definition.ts";
import { Caller, type CallerOptions, type CallOptions, type CallReply } from "./transport/caller.ts";

type Input<C> = C extends Command<infer _S, infer I, infer _O> ? I : never;
type Output<C> = C extends Command<infer _S, infer _I, infer O> ? O : never;

/** The operations of one actor, with the types of its definition. */
export type ActorHandle<D> =
  D extends Definition<string, infer On>
    ? {
        [Op in keyof On]: (input: Input<On[Op]>, options?: CallOptions) => Promise<CallReply<Output<On[Op]>>>;
      }
    : never;

/** All kinds of actors, as a caller uses them: `actors.wallet(userId).transfer({ amount: "25" })`. */
export type ActorsOf<Definitions extends Record<string, Definition>> = {
  readonly [Kind in keyof Definitions]: (id: string) => ActorHandle<Definitions[Kind]>;
};

export interface Client<Definitions extends Record<string, Definition>> {
  readonly actors: ActorsOf<Definitions>;
  close(): void;
}

/**
 * Connects a caller to the actors. Operations reject with a `DomainError` of the actor's; with `OverloadedError` when
 * nothing was done; with `UnavailableError` when the outcome is unknown and the same key makes a retry safe.
 *
 *     const { actors } = connectClient<Definitions>({ caller, bus, clock, leases });
 *     const { value, replayed } = await actors.wallet(userId).transfer({ amount: "25" }, { key, hasClientKey: true });
 */
export function connectClient<Definitions extends Record<string, Definition>>(
  options: CallerOptions | Caller,
): Client<Definitions> {
  const caller = options instanceof Caller ? options : new Caller(options);
  // The handles exist only in the types: any kind and operation becomes a message, and its host refuses an unknown one.
  const actors = new Proxy({} as ActorsOf<Definitions>, {
    get: (_target, kind) => (actor: string) =>
      new Proxy(
        {},
        {
          get: (_handle, op) => (input: unknown, call?: CallOptions) =>
            caller.call(String(kind), actor, String(op), input, call),
        },
      ),
  });
  return { actors, close: () => caller.close() };
}
