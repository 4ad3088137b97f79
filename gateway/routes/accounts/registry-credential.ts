import { Elysia } from "elysia";
import { listRegistryCredentials } from "../../../actors/accounts/project/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  PutRegistryCredential,
  placeOfPassword,
  RegistryCredentialReply,
  RegistryCredentialsReply,
  RegistryParams,
  registryOf,
} from "../../../schemas/accounts/registry-credential.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import { inRealm } from "../../auth/realm.ts";
import type { GatewayContext } from "../../context.ts";
import { done, errors, ok } from "../../http/envelope.ts";

/** The credentials by which hosts pull images for a project. Passwords are encrypted here, and leave for the project's hosts alone. */
export const registryCredentialRoutes = ({ db, actors, credentials, secrets }: GatewayContext) => {
  const own = async (caller: Caller, id: string) => {
    const listed = await listRegistryCredentials(db, caller.userId, id);
    if (listed === undefined || !inRealm(caller, id))
      throw new DomainError("PROJECT_NOT_FOUND", "Project not found");
    return listed;
  };
  const sealed = (projectId: string, registry: string, password: string): string => {
    if (secrets === null)
      throw new DomainError(
        "SECRETS_NOT_CONFIGURED",
        "the password cannot be stored: the operator has set no key for secrets (BERTH_SECRETS_KEY_FILE)",
      );
    return secrets.seal(password, placeOfPassword(projectId, registry));
  };

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read", { realm: true }))
    .get(
      "/:id/registry-credentials",
      async ({ caller, params }) =>
        ok("Registry credentials", { registry_credentials: await own(caller, params.id) }),
      {
        params: IdParams,
        response: { 200: RegistryCredentialsReply, ...errors("PROJECT_NOT_FOUND") },
        detail: { summary: "The registries for which a project has credentials, without passwords" },
      },
    );

  const changing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .put(
      "/:id/registry-credentials/:registry",
      async ({ caller, params, body, operation }) => {
        await own(caller, params.id);
        const registry = registryOf(params.registry);
        if (body.username.includes(":")) throw new ValidationError("body.username", "must have no colon");
        const { value } = await actors
          .project(params.id)
          .set_registry_credential(
            { registry, username: body.username, sealed: sealed(params.id, registry, body.password) },
            operation,
          );
        return ok("Registry credential set", value);
      },
      {
        params: RegistryParams,
        body: PutRegistryCredential,
        response: {
          200: RegistryCredentialReply,
          ...errors(
            "PROJECT_NOT_FOUND",
            "QUOTA_EXCEEDED",
            "SECRETS_NOT_CONFIGURED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Set a project's credential for a registry",
          description:
            "Hosts use it for the images of this project's containers from now on. A container whose image could not be pulled is tried again by itself.",
        },
      },
    )
    .delete(
      "/:id/registry-credentials/:registry",
      async ({ caller, params, operation }) => {
        await own(caller, params.id);
        await actors
          .project(params.id)
          .remove_registry_credential({ registry: registryOf(params.registry) }, operation);
        return done("Registry credential removed");
      },
      {
        params: RegistryParams,
        response: {
          200: EmptyReply,
          ...errors("PROJECT_NOT_FOUND", "REGISTRY_CREDENTIAL_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Remove a project's credential for a registry; containers that have their image keep it",
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/projects", detail: { tags: ["Projects"] } })
    .use(reading)
    .use(changing);
};
