import { ProviderError } from "./provider.ts";

/** Asks a provider with a time limit, even if the call ignores the abort signal. @throws ProviderError */
export async function withTimeLimit<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(ms);
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const expire = () => reject(new ProviderError(`no response within ${ms} ms`, {}));
  limit.addEventListener("abort", expire, { once: true });
  try {
    return await Promise.race([ask(limit), expired]);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError("the provider failed", { cause: error });
  } finally {
    limit.removeEventListener("abort", expire);
  }
}
