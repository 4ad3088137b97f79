import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { fromMicros, toMicros } from "../../../platform/money.ts";
import { type AiProvider, noSuchKey, ProviderError } from "./provider.ts";

/**
 * OpenRouter's keys API (https://openrouter.ai/docs/features/provisioning-api-keys): a key's limit and usage are USD
 * as JSON numbers, over its whole life; its hash is its id. Creating a key is not idempotent.
 */

/** A page holds a hundred keys. A list of more than a million keys counts as faulty. */
const PAGES_MAX = 10_000;

const Key = Type.Object({
  hash: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String(),
  limit: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  usage: Type.Number({ minimum: 0 }),
});
const OneKey = Type.Object({ data: Key });
const ManyKeys = Type.Object({ data: Type.Array(Type.Pick(Key, ["hash", "name"])) });

/** After this status it is unknown whether the request was carried out. */
const REQUEST_TIMEOUT = 408;
/**
 * Statuses from the provider itself. Others of 500 and above come from a proxy in front of it, while the provider may
 * still be working.
 */
const OVER = new Set([500, 503]);
/** Error codes of connections that were never established. */
const NEVER_REACHED = new Set(["ConnectionRefused", "ECONNREFUSED", "ENOTFOUND", "FailedToOpenSocket"]);

export function openRouter(baseUrl: string, provisioningKey: string): AiProvider {
  async function ask<T extends TSchema>(
    method: string,
    path: string,
    body: string | undefined,
    reply: T,
    signal: AbortSignal,
  ): Promise<Static<T>> {
    const response = await fetch(`${baseUrl}/keys${path}`, {
      method,
      signal,
      redirect: "error",
      headers: {
        authorization: `Bearer ${provisioningKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    }).catch((error) => {
      const nothingDone = NEVER_REACHED.has((error as { code?: string }).code ?? "");
      throw new ProviderError(`no response: ${(error as Error).message}`, { nothingDone });
    });
    // The body is not quoted: after the creation of a key it holds the key.
    const { status } = response;
    if (status === 404) throw noSuchKey();
    if (!response.ok) {
      const nothingDone = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
      const isOver = nothingDone || OVER.has(status);
      throw new ProviderError(`${method} of a key: status ${status}`, { nothingDone, isOver });
    }
    const value: unknown = await response.json().catch((error) => {
      throw new ProviderError(`the response broke off: ${(error as Error).name}`, {});
    });
    if (!Value.Check(reply, value)) throw new ProviderError("the response does not match its schema", {});
    return value;
  }

  // The limit is formatted by hand: a JavaScript number cannot hold 18 digits.
  const limitOf = (micros: bigint) => `"limit":${fromMicros(micros)}`;

  return {
    name: "openrouter",
    async find(name, signal) {
      let offset = 0;
      for (let page = 0; page < PAGES_MAX; page++) {
        const { data } = await ask("GET", `?offset=${offset}`, undefined, ManyKeys, signal);
        const found = data.find((key) => key.name === name);
        if (found !== undefined) return found.hash;
        if (data.length === 0) return undefined;
        offset += data.length;
      }
      throw new ProviderError("the list of keys has no end", { nothingDone: true });
    },
    async create(name, limitMicros, signal) {
      const body = `{"name":${JSON.stringify(name)},${limitOf(limitMicros)}}`;
      const { data } = await ask("POST", "", body, OneKey, signal);
      return data.hash;
    },
    async setLimit(keyId, limitMicros, signal) {
      const body = `{${limitOf(limitMicros)}}`;
      await ask("PATCH", `/${encodeURIComponent(keyId)}`, body, OneKey, signal);
    },
    async read(keyId, signal) {
      const { data } = await ask("GET", `/${encodeURIComponent(keyId)}`, undefined, OneKey, signal);
      return {
        limitMicros: data.limit === null ? null : toMicros(data.limit),
        usageMicros: toMicros(data.usage),
      };
    },
  };
}
