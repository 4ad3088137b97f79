import { FileError } from "../../compose/file-error.ts";
import { asFile, rulesOf, type WantedRule } from "../../compose/rules.ts";
import type { FirewallRule } from "../../index.ts";

/** Reads a file of firewall rules. Values may be numbers where the API takes text, as YAML reads `443`. @throws FileError */
export async function readRules(text: string, file: string): Promise<WantedRule[]> {
  const { parse } = await import("yaml");
  return rulesOf(parseOrRefuse(() => parse(text), file) as unknown, file);
}

export async function writeRules(rules: readonly FirewallRule[]): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(asFile(rules));
}

function parseOrRefuse<Content>(parse: () => Content, file: string): Content {
  try {
    return parse();
  } catch (error) {
    throw new FileError(file, { path: "", line: null }, `not YAML: ${(error as Error).message}`);
  }
}
