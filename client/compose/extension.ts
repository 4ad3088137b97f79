import type { ComposeDocument, Path } from "./document.ts";
import type { Place } from "./file-error.ts";
import { rulesOf, type WantedRule } from "./rules.ts";
import { assertKeys, listOf, sizeOf, textOf } from "./values.ts";

/** What `x-berth` of a service says: what compose has no words for. */

export interface WantedAlias {
  readonly name: string;
  readonly program: string;
  readonly port: number | string | null;
  readonly at: Place;
}

export interface BerthPart {
  readonly server: string | undefined;
  readonly secrets: readonly string[];
  readonly diskBytes: number | null;
  /** Undefined: the rules stay as they are. */
  readonly firewall: readonly WantedRule[] | undefined;
  readonly aliases: readonly WantedAlias[];
}

const KEYS = ["server", "secrets", "disk", "firewall", "alias"];

export function berthPartOf(file: ComposeDocument, value: unknown, path: Path): BerthPart {
  const given = assertKeys(file, value, path, KEYS);
  const at = (key: string): Path => [...path, key];
  return {
    server: given.server === undefined ? undefined : textOf(file, given.server, at("server")),
    secrets: listOf(file, given.secrets, at("secrets")).map((one, index) =>
      textOf(file, one, [...at("secrets"), index]),
    ),
    diskBytes: given.disk === undefined ? null : sizeOf(file, given.disk, at("disk")),
    firewall: given.firewall === undefined ? undefined : firewallOf(file, given.firewall, at("firewall")),
    aliases: aliasesOf(file, given.alias, at("alias")),
  };
}

function firewallOf(file: ComposeDocument, value: unknown, path: Path): WantedRule[] {
  try {
    return rulesOf(value, path.join("."));
  } catch (error) {
    throw file.fault(path, (error as Error).message);
  }
}

function aliasesOf(file: ComposeDocument, value: unknown, path: Path): WantedAlias[] {
  return listOf(file, value, path).map((one, index) => {
    const at = [...path, index];
    const given = assertKeys(file, one, at, ["name", "program", "port"]);
    if (given.name === undefined) throw file.fault(at, "an alias has a name");
    const port =
      typeof given.port === "number"
        ? given.port
        : given.port === undefined
          ? null
          : textOf(file, given.port, at);
    const program = given.program === undefined ? "http" : textOf(file, given.program, at);
    return { name: textOf(file, given.name, at), program, port, at: file.placeOf(at) };
  });
}
