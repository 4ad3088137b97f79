import type { Static, TSchema } from "@sinclair/typebox";
import type { DomainError, ErrorCode } from "../../schemas/errors.ts";
import type { RootTable } from "./table.ts";

/** A value of a column. Bigints and dates travel as text; objects are for `jsonb` columns. */
export type Column = string | number | bigint | boolean | Date | null | object;
export type Row = Readonly<Record<string, Column>>;

/**
 * What a handler may do besides returning its reply. Nothing takes effect until the handler returns: one that throws has
 * changed nothing. What it recorded is committed as a whole, before its reply leaves.
 */
export interface Context<State> {
  readonly actorId: string;
  /** The time of this message: one reading, so that all that it writes agrees. */
  readonly now: Date;
  /** The operation id as the caller gave it. */
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
   * Sets a timer of this actor, or sets it again: at its time the actor takes the operation as a message, at least once until a
   * change of it is committed. Several timers of one actor have names of their own.
   */
  setTimer(name: string, timer: Timer): void;
  clearTimer(name: string): void;
  /**
   * Sends a message to another actor: delivered at least once after the commit, under a key that makes it act once. The
   * reply comes as a message of its own; meanwhile this actor goes on.
   */
  send(name: string, message: Message, options?: SendOptions): void;
  /**
   * Takes a send back. Its reply still comes: the other actor's reply if it acted before it learned of this, else ABORTED, and
   * then it will never act.
   */
  abort(name: string): void;
  /** Whether a timer or a send of that name is still to be done. */
  isPending(name: string): boolean;
  /** What a handler returns when the reply to its request is sent at the end of a saga, by `completeSaga` under the same name. */
  awaitSaga(saga: string): AwaitedSaga;
  /** Ends a saga: the reply goes to all requests that wait for it, and to later ones under the same keys. */
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
  /** The actor's own operation that takes the reply, a `ReplyTo`. Without it the reply is dropped. */
  readonly onReply?: string;
  /** Comes back with the reply. */
  readonly context?: object;
}

/** Stands for a reply that is to come when a saga ends. */
export class AwaitedSaga {
  /** @param isJoined the saga began with another message, and may have ended already */
  constructor(
    readonly saga: string,
    readonly isJoined = false,
  ) {}
}

export interface CommandOptions<Input> {
  /**
   * What makes two inputs under one operation id the same request; everything by default. Replies to the same
   * fingerprint are replayed, another one is refused.
   */
  fingerprint?(input: Input): string;
  /** The code of that refusal. */
  reusedCode?: ErrorCode;
}

/** One thing that can happen to an actor: its input, its reply, and the synchronous rule between them. */
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

/** An actor as loaded: the version is that of its root row. */
export interface Loaded<State> {
  readonly version: number;
  readonly state: State;
}

// A table of commands over any input and reply: the inputs are checked against their schemas when they arrive.
// biome-ignore lint/suspicious/noExplicitAny: each command keeps its own types; the table only has to hold them
export type Commands<State> = Record<string, Command<State, any, any>>;

export type Conflict =
  | { readonly code: ErrorCode; readonly message: string }
  | ((detail: string) => DomainError);

export interface ActorOptions<State, On extends Commands<State>> {
  /** How its states are stored; the root row is left out where the state is null. */
  readonly table: RootTable<NoInfer<NonNullable<State>>>;
  /** The state of an actor that has no row. */
  empty(id: string): State;
  /** True when its handlers set timers or send messages: what is left of them is loaded with the actor. */
  readonly hasTasks?: boolean;
  /**
   * Constraints whose violation is a refusal and no fault: constraint name → code and message, or a function that makes the
   * refusal from the detail that the database gives.
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

/** Defines a kind of actor: how it is loaded, which row it keeps, and all that can happen to it. */
export function actor<Kind extends string, State, On extends Commands<State>>(
  kind: Kind,
  options: ActorOptions<State, On>,
): Definition<Kind, On> & ActorOptions<State, On> {
  return { kind, ...options };
}
