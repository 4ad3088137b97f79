import { type Answer, decode, encode, type Packet, RECURSION_AVAILABLE } from "dns-packet";

/** What is replied to a question for a container of the same project. */

/** A container, as others of its project find it. */
export interface NamedContainer {
  readonly name: string;
  readonly address: string;
}

/** An address stays a container's for good; its name can go to another one. */
const TTL_SECONDS = 5;
const AUTHORITATIVE_ANSWER = 1 << 10;
const RECURSION_DESIRED = 1 << 8;
const REVERSE = ".in-addr.arpa";

/**
 * The reply to a question about one of these containers; null: the question is for other name servers.
 *
 * @throws when it is no question of one name
 */
export function localReply(query: Uint8Array, project: readonly NamedContainer[]): Buffer | null {
  const packet = decode(Buffer.from(query));
  const [question, ...more] = packet.questions ?? [];
  if (packet.type !== "query" || question === undefined || more.length > 0)
    throw new RangeError("not a question for one name");
  const { name, type } = question;
  const wanted = name.toLowerCase();
  const answers = wanted.endsWith(REVERSE)
    ? reverseAnswers(name, wanted, project)
    : addressAnswers(name, wanted, type ?? "A", project);
  return answers === null ? null : replyTo(packet, answers);
}

/** Null: no container has the name. A container without an address of the wanted type still has the name. */
function addressAnswers(
  name: string,
  wanted: string,
  type: string,
  project: readonly NamedContainer[],
): Answer[] | null {
  const found = project.find((one) => one.name === wanted);
  if (found === undefined) return null;
  return type === "A" || type === "ANY" ? [{ type: "A", name, ttl: TTL_SECONDS, data: found.address }] : [];
}

function reverseAnswers(name: string, wanted: string, project: readonly NamedContainer[]): Answer[] | null {
  const address = wanted.slice(0, -REVERSE.length).split(".").reverse().join(".");
  const found = project.find((one) => one.address === address);
  return found === undefined ? null : [{ type: "PTR", name, ttl: TTL_SECONDS, data: found.name }];
}

const replyTo = ({ id, flags = 0, questions }: Packet, answers: Answer[]): Buffer =>
  encode({
    ...{ type: "response", id: id ?? 0, questions: questions ?? [], answers },
    flags: AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | (flags & RECURSION_DESIRED),
  });

const SERVER_FAILURE = 2;
/** Says that nobody could be asked, so that the program need not wait any longer. */
export function failureReply(query: Uint8Array): Buffer {
  const { id, flags = 0, questions } = decode(Buffer.from(query));
  return encode({
    ...{ type: "response", id: id ?? 0, questions: questions ?? [] },
    flags: SERVER_FAILURE | RECURSION_AVAILABLE | (flags & RECURSION_DESIRED),
  });
}
