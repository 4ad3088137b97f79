import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { TypeRegistry } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { JWK } from "jose";
import postgres from "postgres";
import { readGeneralBalance } from "../../actors/billing/wallet/queries.ts";
import { TokenIssuer, TokenVerifier } from "../../gateway/auth/access-tokens.ts";
import { isText } from "../../schemas/text.ts";
import { Transfer } from "../../schemas/billing/wallet.ts";
import { begin } from "./begin.ts";
import { plpgsql } from "./plpgsql.ts";
import { type DoTransfer, prepare } from "./transfer.ts";

/**
 * A peer: `bun server.ts plpgsql|begin|read`. The same endpoint, token check and validation as Berth's gateway, and no more
 * than that: no request ids, metrics, error envelopes or actors.
 */

// The peers have a TypeBox of their own, which does not know the kind of our text.
TypeRegistry.Set<typeof Transfer>("Text", (schema, value) => typeof value === "string" && isText(schema, value));

const [name = ""] = process.argv.slice(2);
const { DATABASE_URL = "", PORT, POOL, BERTH_SIGNING_KEY_FILE = "" } = process.env;

const sql = postgres(DATABASE_URL, {
  max: Number(POOL),
  idle_timeout: 0,
  max_lifetime: null,
  connection: { application_name: `peer-${name}` },
  types: { bigint: postgres.BigInt },
  onnotice: () => {},
}) as postgres.Sql<{ bigint: bigint }>;

const key = createPrivateKey(await readFile(BERTH_SIGNING_KEY_FILE)).export({ format: "jwk" }) as JWK;
const tokens = new TokenVerifier((await TokenIssuer.create(key)).jwks(), async () => false);

/** A verified token is answered at once: `await` would cost a turn for nothing. */
const callerOf = (request: Request) =>
  tokens.verify((request.headers.get("authorization") ?? "").slice("Bearer ".length));

const newApp = () => new Elysia({ precompile: true, normalize: false });

const STATUS = { done: 200, replayed: 200, reused: 409, insufficient: 402 } as const;

const transfers = (doTransfer: DoTransfer) =>
  newApp().post(
    "/api/v1/wallet/transfers",
    async ({ request, body, status }) => {
      const verified = callerOf(request);
      const caller = verified instanceof Promise ? await verified : verified;
      const transfer = prepare(caller.userId, body, body.idempotency_key ?? request.headers.get("idempotency-key"));
      const { outcome, reply } = await doTransfer(transfer);
      const replayed = outcome === "replayed";
      if (outcome !== "done" && !replayed) return status(STATUS[outcome], { statusCode: STATUS[outcome], message: outcome });
      return { statusCode: 200, message: "Transfer completed", data: { ...reply, replayed } };
    },
    { body: Transfer },
  );

const balances = () =>
  newApp().get("/api/v1/wallet/balances/general", async ({ request }) => {
    const verified = callerOf(request);
    const caller = verified instanceof Promise ? await verified : verified;
    return { statusCode: 200, message: "General balance", data: await readGeneralBalance(sql, caller.userId) };
  });

const apps = {
  plpgsql: async () => transfers(await plpgsql(sql)),
  begin: async () => transfers(await begin(sql)),
  read: balances,
};
const app = await apps[name as keyof typeof apps]();
app.listen({ port: Number(PORT), hostname: "127.0.0.1" });

console.log(JSON.stringify({ msg: "ready" }));
process.on("SIGTERM", () => process.exit(0));
