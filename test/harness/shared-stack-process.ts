import { SHARED_OPTIONS } from "./shared-stack.ts";
import { startStack } from "./stack.ts";
import type { StackAddress } from "./stack-client.ts";

/** The shared control plane in a process of its own, until its parent closes its input. */

const stack = await startStack(SHARED_OPTIONS);
const { url, databaseUrl, databaseUrls, natsUrl, signingKeyFile, logs } = stack;
console.log(
  JSON.stringify({ url, databaseUrl, databaseUrls, natsUrl, signingKeyFile, logs } satisfies StackAddress),
);
await Bun.stdin.text();
await stack.stop();
process.exit(0);
