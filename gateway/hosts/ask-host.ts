import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Bus } from "../../actors/runtime/ports.ts";
import { DomainError } from "../../schemas/errors.ts";
import { type jsonOf, type Reader, storableJsonOf } from "../../schemas/received.ts";
import { type AgentOperation, agentSubject } from "../../schemas/subjects.ts";

/** Sends a message of NATS and returns its reply. Rejects when none comes in time. */
export type Request = (subject: string, text: string, timeoutMs: number) => Promise<string>;

/** What a host's agent is asked, and the form of its reply. */
export interface HostQuestion<T extends TSchema> {
  readonly op: AgentOperation;
  readonly form: T;
  readonly read: Reader<Static<T>>;
}

/**
 * @param lengthMax of the reply, in characters
 * @param reader `jsonOf` where any text is welcome, U+0000 too
 */
export const hostQuestion = <T extends TSchema>(
  op: AgentOperation,
  form: T,
  lengthMax: number,
  reader: typeof jsonOf = storableJsonOf,
): HostQuestion<T> => ({ op, form, read: reader(form, lengthMax) });

/** Asks a host's agent. @throws HOST_SILENT when it does not reply in time, or with something else than the question allows */
export type AskHost = <T extends TSchema>(
  serverName: string,
  question: HostQuestion<T>,
  input: object | null,
  timeoutMs: number,
) => Promise<Static<T>>;

const silent = () => new DomainError("HOST_SILENT", "The server's host does not answer");

export function askHost(request: Request, dropped: Bus["dropped"] = () => {}): AskHost {
  return async (serverName, { op, form, read }, input, timeoutMs) => {
    const text = input === null ? "" : JSON.stringify(input);
    const answer = await request(agentSubject(serverName, op), text, timeoutMs).catch(() => {
      throw silent();
    });
    const received = read(answer);
    if ("reason" in received) {
      dropped(`host-${op}`, `the reply of ${serverName} is ${received.reason}`);
      throw silent();
    }
    // Unknown fields of a host's reply are not passed on.
    return Value.Clean(form, received.value) as typeof received.value;
  };
}
