import { createHash } from "node:crypto";
import { Elysia } from "elysia";
import { readAlias } from "../../../actors/hosting/alias/queries.ts";
import { type DomainAlias, listDomains, listOwnDomains } from "../../../actors/hosting/domain/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import { edgeUrl } from "../../../schemas/addresses.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import {
  AddDomain,
  DOMAINS_SORT,
  type Domain,
  type DomainClaim,
  DomainParams,
  DomainReply,
  DomainsPageReply,
  DomainsQuery,
  DomainsReply,
  PROOF_LABEL,
} from "../../../schemas/hosting/domain.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import type { ContainerAct } from "../../../schemas/permissions.ts";
import { ID_LENGTH, IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { reachableContainer } from "./container.ts";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
/** The actor of a domain. */
const actorOf = (domain: string): string => hashOf(domain).slice(0, ID_LENGTH);

/** Users' own domains of an alias: who may expose its container may add and remove them. */
export const domainRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, newId, edge, publicUrl } = context;

  const shownOf =
    ({ alias, server_name, container_id }: DomainAlias) =>
    ({ token, ...claim }: DomainClaim): Domain => ({
      ...claim,
      alias,
      container_id,
      url: `https://${claim.domain}${edge.httpsPort === 443 ? "" : `:${edge.httpsPort}`}`,
      txt_name: `${PROOF_LABEL}.${claim.domain}`,
      txt_value: token,
      cname_target: new URL(edgeUrl(alias, server_name, edge)).hostname,
    });

  /** @throws ALIAS_NOT_FOUND, also for an alias of somebody else */
  async function aliasFor(caller: Caller, act: ContainerAct, id: string) {
    const missing = new DomainError("ALIAS_NOT_FOUND", "Proxy alias not found");
    const found = await readAlias(db, id);
    if (found === undefined) throw missing;
    const container = await reachableContainer(context, caller, act, found.alias.container_id).catch(
      (error) => {
        throw error instanceof DomainError && error.code === "CONTAINER_NOT_FOUND" ? missing : error;
      },
    );
    return { alias: found.alias, container };
  }

  async function claimOf(caller: Caller, { id, domain }: DomainParams) {
    const { alias } = await aliasFor(caller, "expose", id);
    const claim = (await listDomains(db, id)).find((one) => one.domain === domain.toLowerCase());
    if (claim === undefined) throw new DomainError("DOMAIN_NOT_FOUND", "The alias has no such domain");
    return { alias, claim };
  }

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read", { realm: true }))
    .get(
      "/domains",
      async ({ caller, query }) => {
        const page = listPage(ownList("domains", caller), query, LIST_PAGE, DOMAINS_SORT);
        const { rows, next, total } = await listOwnDomains(db, caller, query, page);
        return ok("Domains", {
          domains: rows.map(({ claim, alias }) => shownOf(alias)(claim)),
          count: total,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: DomainsQuery,
        response: { 200: DomainsPageReply },
        detail: { summary: "Your own domains of all proxy aliases, with their proofs, oldest first" },
      },
    )
    .get(
      "/aliases/:id/domains",
      async ({ caller, params }) => {
        const { alias } = await aliasFor(caller, "read", params.id);
        return ok("Domains", { domains: (await listDomains(db, params.id)).map(shownOf(alias)) });
      },
      {
        params: IdParams,
        response: { 200: DomainsReply, ...errors("ALIAS_NOT_FOUND") },
        detail: { summary: "Your own domains that lead to a proxy alias, with their proofs" },
      },
    );

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/aliases/:id/domains",
      async ({ caller, params, body, operation }) => {
        const { alias, container } = await aliasFor(caller, "expose", params.id);
        const domain = body.domain.toLowerCase();
        if (`.${domain}`.endsWith(`.${edge.containerDomain}`) || domain === new URL(publicUrl).hostname)
          throw new ValidationError("body.domain", "is a name of this service: use the alias itself");
        const id = actorIdFor(`domain ${params.id}`, caller.userId, operation, newId);
        const { value } = await actors.domain(actorOf(domain)).claim(
          {
            id,
            domain,
            user_id: alias.user_id,
            project_id: alias.project_id,
            container_id: container.id,
            alias_id: alias.id,
            server_id: alias.server_id,
            // The same for every claim of the user, so that a record may stay where it is.
            token: `berth-${hashOf(`${alias.user_id} ${domain}`).slice(0, 40)}`,
          },
          operation.scopedTo(caller.userId),
        );
        return created("Domain added: prove that it is yours", shownOf(alias)(value));
      },
      {
        params: IdParams,
        body: AddDomain,
        response: {
          201: DomainReply,
          ...errors("ALIAS_NOT_FOUND", "DOMAIN_IN_USE", "QUOTA_EXCEEDED", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Let a domain of your own lead to a proxy alias",
          description:
            "Prove that the domain is yours by a TXT record, or by a CNAME of the domain to the alias's own name; either is looked for from now on, and again every few hours once it is found. " +
            "Then visitors of the domain reach the alias. A domain that another account has proven stays theirs until their proof is gone for three days, or they remove it.",
        },
      },
    )
    .post(
      "/aliases/:id/domains/:domain/check",
      async ({ caller, params, operation }) => {
        const { alias, claim } = await claimOf(caller, params);
        const { value } = await actors
          .domain(actorOf(claim.domain))
          .check({ id: claim.id }, operation.scopedTo(caller.userId));
        return ok("The proof is looked for now", shownOf(alias)(value));
      },
      {
        params: DomainParams,
        response: { 200: DomainReply, ...errors("ALIAS_NOT_FOUND", "DOMAIN_NOT_FOUND") },
        detail: { summary: "Have the proof of a domain looked for now, also after it has failed" },
      },
    )
    .delete(
      "/aliases/:id/domains/:domain",
      async ({ caller, params, operation }) => {
        const { claim } = await claimOf(caller, params);
        await actors
          .domain(actorOf(claim.domain))
          .remove({ id: claim.id }, operation.scopedTo(caller.userId));
        return done("Domain removed");
      },
      {
        params: DomainParams,
        response: { 200: EmptyReply, ...errors("ALIAS_NOT_FOUND", "DOMAIN_NOT_FOUND") },
        detail: { summary: "Give a domain up: it leads to the alias no longer, and is free for others" },
      },
    );

  return new Elysia({ prefix: "/api/v1/proxy", detail: { tags: ["Proxy aliases"] } })
    .use(reading)
    .use(writing);
};
