import { ValidationError } from "../../../schemas/errors.ts";
import type { Container } from "../../../schemas/hosting/container.ts";
import {
  AGENT_PROGRAMS,
  ALIAS_PROTOCOLS,
  DISPLAY_PROGRAM,
  isDeclarable,
} from "../../../schemas/hosting/program.ts";

/**
 * Refuses an alias to a program that its container lacks, and says how an image declares it (spec, control plane §4.5). Text that is
 * no name of a program is left to the actor, which refuses it.
 *
 * @throws ValidationError naming `body.program`
 */
export function assertHasProgram({ image }: Pick<Container, "image">, program: string): void {
  const name = program.split(":")[0] ?? "";
  if (!isDeclarable(name)) return;
  // Without an image, what its user installs is all that anybody can know; the page of the display says what is missing.
  if (image === null && name === DISPLAY_PROGRAM) return;
  if (image !== null && image.programs === undefined)
    throw lacking("the container's image has not been pulled yet, and says only then which programs it has");
  const declared = image?.programs ?? [];
  if (declared.includes(name)) return;
  const has = [...AGENT_PROGRAMS, ...declared, ...ALIAS_PROTOCOLS].join(", ");
  throw lacking(
    `the container has no program ${name}: an image declares it by the label berth.program.${name}=<port>[/path], ` +
      `and how it is started by berth.program.${name}.command. This container has ${has}`,
  );
}

const lacking = (message: string) => new ValidationError("body.program", message);
