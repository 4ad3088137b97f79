import type { Static, TSchema } from "@sinclair/typebox";
import type { DomainError, ErrorCode } from "../../schemas/errors.ts";
import type { RootTable } from "./table.ts";

/** A value of a column. Bigints and dates travel as text; objects are for `jsonb` columns. */
export type Column = string | number | bigint | boolean | Date | null | object;
export type Row = Readonly<Record<string, Column>>;

/**
 * What a handler may do besides returning its reply. Nothing takes effect until the handler returns; a handler that
 * throws has changed nothing. Its changes are committed together, before its reply is sent.
 */
export interface Context<State> {
  readonly actorId: string;
  /** The time of this message: a single reading, so that all its rows have the same time. */
  readonly now: Date;
  /** The operation id from the caller. */
  readonly key: string;
  newId(): string;
  /** Replaces the actor's state; its root row is written from it, under the runtime's version check. */
  setState(next: State): void;
  /** Writes a child row. `update` takes the whole row, `remove` at least its primary key. */
  insert(table: string, row: Row): void;
  update(table: string, row: Row): void;
  remove(table: string, row: Row): void;
  /** Adds an effect to the outbox: delivered after the commit, in order, at least once. */
  emit(topic: string, body: object): void;
  /**
   * Sets a timer of this actor, or sets it again: at its time the actor receives the operation as a message, repeated
   * until its change is committed. The timers of an actor have different names.
   */
  setTimer(name: string, timer: Timer): void;
  clearTimer(name: string): void;
  /**
   * Sends a message to another actor: delivered at least once after the commit, under a key that makes it act once.
   * The reply arrives as another message; this actor does not wait for it.
   */
  send(name: string, message: Message, options?: SendOptions): void;
  /**
   * Aborts a send. Its reply still arrives: the other actor's reply if it has acted already, else ABORTED, and then
   * it will never act.
   */
  abort(name: string): void;
  /** Whether a timer or a send of that name is still to be done. */
  isPending(name: string): boolean;
  /**
   * Returned by a handler whose request gets its reply at the end of a saga, from `completeSaga` with the same name.
   */
  awaitSaga(saga: string): AwaitedSaga;
  /** Completes a saga: the reply goes to all requests that wait for it, and to later ones under the same keys. */
  completeSaga(saga: string, reply: object | DomainError): void;
}

/** An operation of an actor, addressed and not yet sent. */
export interface Message {
  readonly kind: string;
  readonly actor: string;
  readonly op: string;
  readonly input: object;
}

export interface Timer {
  readonly at: Date;
  /** One of the actor's own operations. */
  readonly op: string;
  readonly input?: object;
}

export interface SendOptions {
  /** The operation id at the other actor; minted when left out. */
  readonly key?: string;
  /** The actor's own operation that handles the reply, a `ReplyTo`. Without it the reply is dropped. */
  readonly onReply?: string;
  /** Passed to `onReply` with the reply. */
  readonly context?: object;
}

/** The result of a handler whose reply is sent when a saga ends. */
export class AwaitedSaga {
  /** @param isJoined the saga began with another message, and may have ended already */
  constructor(
    readonly saga: string,
    readonly isJoined = false,
  ) {}
}

export interface CommandOptions<Input> {
  /**
   * The part of the input that identifies the request under an operation id; by default the whole input. A request
   * with the same fingerprint gets the first reply again; one with another is refused.
   */
  fingerprint?(input: Input): string;
  /** The code of that refusal. */
  reusedCode?: ErrorCode;
}

/** An operation of an actor: its input, its reply, and the synchronous handler. */
export interface Command<State, Input, Output> {
  readonly input: TSchema;
  readonly output: TSchema;
  handle(state: State, input: Input, ctx: Context<State>): Output | AwaitedSaga;
  readonly options: CommandOptions<Input>;
}

export function command<State, I extends TSchema, O extends TSchema>(
  input: I,
  output: O,
  handle: (state: State, input: Static<I>, ctx: Context<State>) => Static<O> | AwaitedSaga,
  options: CommandOptions<Static<I>> = {},
): Command<State, Static<I>, Static<O>> {
  return { input, output, handle, options };
}

/** A loaded actor with the version of its root row. */
export interface Loaded<State> {
  readonly version: number;
  readonly state: State;
}

// Commands with any input and reply: inputs are checked against their schemas when they arrive.
// biome-ignore lint/suspicious/noExplicitAny: each command keeps its own types; the table only has to hold them
export type Commands<State> = Record<string, Command<State, any, any>>;

export type Conflict =
  | { readonly code: ErrorCode; readonly message: string }
  | ((detail: string) => DomainError);

export interface ActorOptions<State, On extends Commands<State>> {
  /** How its states are stored. An actor whose state is null has no root row. */
  readonly table: RootTable<NoInfer<NonNullable<State>>>;
  /** The state of an actor that has no row. */
  empty(id: string): State;
  /** True if its handlers set timers or send messages: the pending ones are loaded with the actor. */
  readonly hasTasks?: boolean;
  /**
   * Constraints whose violation is a refusal and not a fault: constraint name → code and message, or a function that
   * makes the refusal from the database's detail message.
   */
  readonly conflicts?: Readonly<Record<string, Conflict>>;
  readonly on: On;
}

export interface Definition<Kind extends string = string, On = unknown> {
  readonly kind: Kind;
  readonly on: On;
}

/** A definition as the runtime holds it. The state's type is the definition's own business. */
// biome-ignore lint/suspicious/noExplicitAny: one runtime holds actors of many states
export type AnyDefinition = Definition<string, Commands<any>> & Omit<ActorOptions<any, Commands<any>>, "on">;

/** Defines a kind of actor: its table and its operations. */
export function actor<Kind extends string, State, On extends Commands<State>>(
  kind: Kind,
  options: ActorOptions<State, On>,
): Definition<Kind, On> & ActorOptions<State, On> {
  return { kind, ...options };
}
