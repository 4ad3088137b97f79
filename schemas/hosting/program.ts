import { Type } from "@sinclair/typebox";

/**
 * Programs of a container to which an alias leads by name (control plane §2 "Proxy alias"). Every container has those of its host's agent;
 * an image declares more by labels, `berth.program.<name>=<port>[/path]`.
 */

/** What an agent serves for each of its containers. An image cannot take these names. */
export const AGENT_PROGRAMS = ["terminal", "pipe", "notifications", "files"] as const;

/** Served by the agent, with the display of the container: an image declares that it has one. */
export const DISPLAY_PROGRAM = "display";

/** The protocols to which an alias leads by port. No program has such a name. */
export const ALIAS_PROTOCOLS = ["http", "https", "ssh"] as const;

const NAME = "^[a-z][a-z0-9-]{0,31}$";
const NAME_FORM = new RegExp(NAME);

export const ProgramName = Type.String({
  pattern: NAME,
  description: "1 to 32 of a-z, 0-9 and hyphen, beginning with a letter",
});

/** Programs that an image may declare. A person chooses among them. */
export const PROGRAMS_MAX = 16;

/** Whether an alias may name it: a program of the agent, or one that an image may declare. */
export const isProgramName = (name: string): boolean =>
  NAME_FORM.test(name) && !ALIAS_PROTOCOLS.some((protocol) => protocol === name);

/** Whether an image may declare a program of this name. */
export const isDeclarable = (name: string): boolean =>
  isProgramName(name) && !AGENT_PROGRAMS.some((program) => program === name);
