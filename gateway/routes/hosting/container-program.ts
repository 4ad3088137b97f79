import { ValidationError } from "../../../schemas/errors.ts";
import type { Container } from "../../../schemas/hosting/container.ts";
import {
  AGENT_PROGRAMS,
  ALIAS_PROTOCOLS,
  DISPLAY_PROGRAM,
  isDeclarable,
  isProgramName,
} from "../../../schemas/hosting/program.ts";

type WithImage = Pick<Container, "image">;

/**
 * Refuses an alias to a program that its container lacks, and says how an image declares it (spec, control plane §4.5). Text that is
 * no name of a program is left to the actor, which refuses it.
 *
 * @throws ValidationError naming `body.program`
 */
export function assertHasProgram(container: WithImage, program: string): void {
  const name = program.split(":")[0] ?? "";
  if (isDeclarable(name)) assertDeclared(container, name, "body.program", ALIAS_PROTOCOLS);
}

/** Refuses services that a container lacks. @throws ValidationError naming the service in `body.services` */
export function assertHasServices(container: WithImage, services: readonly string[]): void {
  for (const [index, name] of services.entries()) {
    const field = `body.services.${index}`;
    if (!isProgramName(name)) throw new ValidationError(field, `${name} is a protocol, no service`);
    if (isDeclarable(name)) assertDeclared(container, name, field, []);
  }
}

function assertDeclared({ image }: WithImage, name: string, field: string, others: readonly string[]): void {
  // Without an image, what its user installs is all that anybody can know; the page of the display says what is missing.
  if (image === null && name === DISPLAY_PROGRAM) return;
  if (image !== null && image.programs === undefined)
    throw new ValidationError(
      field,
      "the container's image has not been pulled yet, and says only then which programs it has",
    );
  const declared = image?.programs ?? [];
  if (declared.includes(name)) return;
  const has = [...AGENT_PROGRAMS, ...declared, ...others].join(", ");
  throw new ValidationError(
    field,
    `the container has no program ${name}: an image declares it by the label berth.program.${name}=<port>[/path], ` +
      `and how it is started by berth.program.${name}.command. This container has ${has}`,
  );
}
