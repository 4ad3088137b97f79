import { Elysia } from "elysia";
import { EnrolHost, HostCredentialReply } from "../../../schemas/hosting/host.ts";
import { open } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { created, errors } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";

/** Tokens cannot be guessed; the limit bounds the reads that guesses cost. */
const ENROLMENTS_PER_ADDRESS = { name: "enrolment", limit: 30, windowSeconds: 60 };

/** A machine joins (docs/decisions/0059-joining-hosts.md). */
export const hostEnrolmentRoutes = ({ enrolments, addressOf }: GatewayContext) => {
  const tries = new RateLimiter(ENROLMENTS_PER_ADDRESS);
  return new Elysia({ prefix: "/api/v1/hosts", detail: { tags: ["Administration"] } })
    .use(open("a machine that joins has no credential but the one-time token that an administrator gave"))
    .post(
      "/enrol",
      async (ctx) => {
        enforceLimit(tries, addressOf(ctx), ctx.set.headers);
        return created("Host joined", await enrolments.enrol(ctx.body));
      },
      {
        body: EnrolHost,
        response: {
          201: HostCredentialReply,
          ...errors("ENROLMENT_INVALID", "ENROLMENT_UNAVAILABLE", "RATE_LIMITED"),
        },
        detail: {
          summary: "A machine joins with its one-time token",
          description:
            "`berth agent join` sends it. The private key stays on the machine; the reply has a credential for the public one, which the agent renews by itself. " +
            "It reaches the subjects of this host and no other. With `expected_name` a token of another host is refused before it is used.",
          "x-idempotency-key": false,
        },
      },
    );
};
