import { Elysia } from "elysia";
import { listCertificates, readCertificate } from "../../../actors/hosting/certificate/queries.ts";
import { DomainError } from "../../../schemas/errors.ts";
import {
  CERTIFICATES_SORT,
  CertificateReply,
  CertificatesQuery,
  CertificatesReply,
} from "../../../schemas/hosting/certificate.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";
import { timeIn } from "../../http/time.ts";

/** Certificates from the ACME authority, for administrators (docs/certificates.md). */
export const adminCertificateRoutes = ({ db, actors, credentials }: GatewayContext) => {
  const read = async (id: string) => {
    const certificate = await readCertificate(db, id);
    if (certificate === undefined) throw new DomainError("CERTIFICATE_NOT_FOUND", "Certificate not found");
    return certificate;
  };

  return new Elysia({ prefix: "/api/v1/admin/certificates", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/certificates", query, LIST_PAGE, CERTIFICATES_SORT);
        const { ends_before } = query;
        const endsBefore = ends_before === undefined ? undefined : timeIn("query.ends_before", ends_before);
        const { rows: certificates, total, next } = await listCertificates(db, query, endsBefore, page);
        return ok("Certificates", {
          certificates,
          count: total,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: CertificatesQuery,
        response: { 200: CertificatesReply },
        detail: {
          summary: "Certificates from the ACME authority, the soonest to end first",
          description:
            "Names that have no certificate yet come before these. Narrowed by `state`, `purpose`, `ends_before` and `search`. Certificates of files are not among them.",
        },
      },
    )
    .post(
      "/:id/retry",
      async ({ params, operation, operator }) => {
        await read(params.id);
        await actors.certificate(params.id).retry({ operator }, operation);
        return ok("The certificate is ordered now", await read(params.id));
      },
      {
        params: IdParams,
        response: { 200: CertificateReply, ...errors("CERTIFICATE_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED") },
        detail: {
          summary: "Order a certificate now, without waiting for its next try",
          description:
            "The reply comes before the order ends: read the list again. The certificate in use stays in use. One that is issued is renewed before its time. " +
            "Authorities limit how often a name is tried in an hour.",
        },
      },
    );
};
