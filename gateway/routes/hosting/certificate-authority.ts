import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DomainError } from "../../../schemas/errors.ts";
import { open } from "../../auth/guards.ts";
import { AUTHORITY_PATH } from "../../console/paths.ts";
import type { GatewayContext } from "../../context.ts";
import { errors } from "../../http/envelope.ts";

const Pem = Type.Unsafe<Response>(
  Type.String({ contentMediaType: "application/x-pem-file", description: "certificates in PEM" }),
);

/** The authority to trust where hosts' certificates are not of a public one. */
export const certificateAuthorityRoutes = ({ readEdgeAuthority }: GatewayContext) =>
  new Elysia({ detail: { tags: ["Proxy aliases"] } })
    .use(open("a certificate is public, and whoever opens a name of a container may need it"))
    .get(
      AUTHORITY_PATH,
      async () => {
        const pem = await readEdgeAuthority();
        if (pem === undefined)
          throw new DomainError(
            "CERTIFICATE_NOT_FOUND",
            "The certificates of this installation need no authority of their own",
          );
        return new Response(pem, {
          headers: {
            "content-type": "application/x-pem-file",
            "content-disposition": 'attachment; filename="berth-ca.pem"',
          },
        });
      },
      {
        response: { 200: Pem, ...errors("CERTIFICATE_NOT_FOUND") },
        detail: {
          summary: "The authority of the certificates of containers' addresses",
          "x-no-example": "the reply is a file of certificates",
          description:
            "A file for browsers and programs that are to trust the https addresses of containers, where the operator uses an authority of their own. It is good for those names alone. 404 where a public authority has signed them.",
        },
      },
    );
