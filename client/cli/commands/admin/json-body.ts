import { readFile } from "node:fs/promises";
import type { Cli } from "../../cli.ts";
import { UsageError } from "../../failures.ts";

/** The body of a request from a YAML or JSON file; `-` is the input. The API names fields that are wrong. */
export async function bodyFrom<Body>(cli: Cli, file: string): Promise<Body> {
  const text = file === "-" ? await new Response(cli.io.input()).text() : await readFile(file, "utf8");
  const { parse } = await import("yaml");
  try {
    return parse(text) as Body;
  } catch (error) {
    throw new UsageError(`${file} is neither YAML nor JSON: ${(error as Error).message}`);
  }
}
