import type { Domain } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { type Command, limitOption, printRows, sortOption } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { time } from "../output/format.ts";
import { page, type ReadPage, ROWS_MAX, reply } from "../read.ts";

const COLUMNS = {
  DOMAIN: ({ domain }: Domain) => domain,
  ALIAS: ({ alias }: Domain) => alias,
  STATE: ({ state }: Domain) => state,
  CHECKED: ({ checked_at }: Domain) => (checked_at === null ? "" : time(checked_at)),
  "NEXT CHECK": ({ next_check_at }: Domain) => (next_check_at === null ? "" : time(next_check_at)),
  PROBLEM: ({ error }: Domain) => error ?? "",
};

/** `berth alias domains`: domains of one's own that lead to an alias. */
export function addDomains(parent: Command, cli: Cli): void {
  const group = parent.command("domains").description("Domains of your own that lead to an alias.");
  group
    .command("list")
    .argument("[alias]", "left out: the domains of all your aliases")
    .addOption(limitOption(ROWS_MAX))
    .addOption(sortOption())
    .description("List your domains, of one alias or of all, and whether they are proven.")
    .action(async (given, options) => {
      const alias_id = given === undefined ? undefined : await idOf(cli, NOUNS.alias, given);
      const read: ReadPage<Domain> = async (api, query) => {
        const params = { query: { ...query, ...(alias_id === undefined ? {} : { alias_id }) } };
        const { data } = await reply(api.GET("/api/v1/proxy/domains", { params }));
        return page(data.domains, data.pagination);
      };
      await printRows(cli, { columns: COLUMNS, empty: "There are no domains of your own." }, read, options);
    });
  group
    .command("add")
    .argument("<alias>")
    .argument("<domain>", "such as shop.example.com")
    .description("Let a domain of your own lead to an alias. Prints what proves that it is yours.")
    .action(async (given, domain) => {
      const params = { path: { id: await idOf(cli, NOUNS.alias, given) } };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/proxy/aliases/{id}/domains", { params, body: { domain } }),
      );
      const proofs = `${data.txt_name} TXT "${data.txt_value}"\n${data.domain} CNAME ${data.cname_target}`;
      await cli.print.done(`Make one of these records:\n${proofs}`, data);
    });
  group
    .command("check")
    .argument("<alias>")
    .argument("<domain>")
    .description("Have the proof of a domain looked for now.")
    .action(async (given, domain) => {
      const params = { path: { id: await idOf(cli, NOUNS.alias, given), domain } };
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/proxy/aliases/{id}/domains/{domain}/check", { params }),
      );
      await cli.print.done(`The proof of ${domain} is looked for now.`, data);
    });
  group
    .command("remove")
    .argument("<alias>")
    .argument("<domain>")
    .description("Give a domain up: it leads to the alias no longer.")
    .action(async (given, domain) => {
      const params = { path: { id: await idOf(cli, NOUNS.alias, given), domain } };
      await cli.confirm(`Remove ${domain}?`);
      await reply((await cli.api()).DELETE("/api/v1/proxy/aliases/{id}/domains/{domain}", { params }));
      await cli.print.done(`Removed ${domain}.`, { domain });
    });
}
