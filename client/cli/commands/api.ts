import { readFile } from "node:fs/promises";
import { Argument } from "@commander-js/extra-typings";
import { errorOf } from "../../errors.ts";
import { retryingFetch } from "../../retrying-fetch.ts";
import { UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const api: CommandGroup = (program, cli) => {
  program
    .command("api")
    .summary("make any request of the API")
    .description("Make any request of the API as the user who is signed in, and print the reply.")
    .addArgument(new Argument("<method>", METHODS.join(", ")).argParser(methodOf))
    .argument("<path>", "such as /api/v1/containers, or containers")
    .option("-f, --field <name=value...>", "a field of the body: JSON where the value is JSON, else text")
    .option("-d, --data <json>", "the body; @file reads a file, @- the input")
    .option("-H, --header <name:value...>", "a header field")
    .addHelpText("after", "\nExamples:\n  berth api GET containers\n  berth api POST projects -f name=shop")
    .action(async (method, path, options) => {
      const headers = new Headers({ authorization: `Bearer ${await cli.session.token()}` });
      for (const field of options.header ?? []) {
        const at = field.indexOf(":");
        if (at < 1) throw new UsageError(`"${field}" is not a header such as If-Match: "3"`);
        headers.set(field.slice(0, at).trim(), field.slice(at + 1).trim());
      }
      const body = await bodyOf(options, () => new Response(cli.io.input()).text());
      if (body !== undefined) headers.set("content-type", "application/json");
      const key = cli.options().idempotencyKey;
      if (key !== undefined) headers.set("idempotency-key", key);
      const { context } = await cli.session.context();
      const url = new URL(path.startsWith("/") ? path : `/api/v1/${path}`, context.url);
      const init = { method, headers, ...(body === undefined ? {} : { body }) };
      const response = await retryingFetch()(new Request(url.href, init));
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
      if (!response.ok) throw errorOf(response, isJson ? JSON.parse(text) : undefined);
      if (isJson) await cli.print.json(JSON.parse(text));
      else await cli.io.out(text);
    });
};

function methodOf(text: string): (typeof METHODS)[number] {
  const method = METHODS.find((one) => one === text.toUpperCase());
  if (method === undefined) throw new UsageError(`"${text}" is not one of ${METHODS.join(", ")}`);
  return method;
}

async function bodyOf(
  { field, data }: { field?: string[]; data?: string },
  input: () => Promise<string>,
): Promise<string | undefined> {
  if (data === "@-") return input();
  if (data?.startsWith("@")) return readFile(data.slice(1), "utf8");
  if (data !== undefined) return data;
  if (field === undefined) return undefined;
  const fields = field.map((text) => {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === "") throw new UsageError(`"${text}" is not a field such as name=shop`);
    return [name, jsonOrText(value)];
  });
  return JSON.stringify(Object.fromEntries(fields));
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
