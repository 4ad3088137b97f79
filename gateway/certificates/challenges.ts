import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readKeyAuthorization } from "../../actors/hosting/certificate/queries.ts";
import { DomainError } from "../../schemas/errors.ts";
import { CHALLENGE_PATH, CHALLENGE_TOKEN } from "../../schemas/hosting/certificate.ts";
import { Strict } from "../../schemas/primitives.ts";
import { open } from "../auth/guards.ts";
import type { GatewayContext } from "../context.ts";

const Params = Strict({ token: Type.String({ pattern: CHALLENGE_TOKEN.source }) });

/** Answers an ACME authority that checks who controls a name of the API (RFC 8555 §8.3). */
export const challengeRoutes = ({ db }: GatewayContext) =>
  new Elysia()
    .use(open("an ACME authority has no credential, and a token that nobody can guess is asked for"))
    .get(
      `${CHALLENGE_PATH}:token`,
      async ({ params }) => {
        const answer = await readKeyAuthorization(db, params.token);
        if (answer === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no order waits for this token");
        return new Response(answer, { headers: { "content-type": "application/octet-stream" } });
      },
      {
        params: Params,
        detail: { hide: true },
      },
    );
