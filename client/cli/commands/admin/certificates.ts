import type { CertificateRecord } from "../../../index.ts";
import { type CommandGroup, limitOption, printRows, sortOption } from "../../groups.ts";
import { idOf } from "../../lookup.ts";
import { NOUNS } from "../../nouns.ts";
import { page, type ReadPage, ROWS_MAX, reply } from "../../read.ts";

/** Certificates from the ACME authority. */
export const adminCertificates: CommandGroup = (parent, cli) => {
  const group = parent.command("certificates").description("Certificates from the ACME authority.");
  group
    .command("list")
    .option("--failing", "only those whose last order failed")
    .addOption(limitOption(ROWS_MAX))
    .addOption(sortOption())
    .description("List certificates, the soonest to end first.")
    .action(({ failing, ...options }) =>
      printRows(cli, NOUNS.certificate, failing ? readFailing : NOUNS.certificate.read, options),
    );
  group
    .command("retry")
    .argument("<certificate>", "its name or id")
    .description("Order a certificate now, without waiting for its next try.")
    .action(async (given) => {
      const params = { path: { id: await idOf(cli, NOUNS.certificate, given) } };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/admin/certificates/{id}/retry", { params }),
      );
      await cli.print.done(`The certificate of ${data.name} is ordered now.`, data);
    });
};

const readFailing: ReadPage<CertificateRecord> = async (api, query) => {
  const params = { query: { ...query, state: "failing" as const } };
  const { data } = await reply(api.GET("/api/v1/admin/certificates", { params }));
  return page(data.certificates, data.pagination);
};
