import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { ValidationError } from "../errors.ts";
import { ImageReferenceError, parseImageReference } from "../hosting/image-reference.ts";
import { Id, Nullable, Strict, Timestamp } from "../primitives.ts";
import { Name, Text } from "../text.ts";

/** A project's credentials for registries of images: the password is write only (docs/images.md). */

/** Of a project; most have one or two. */
export const REGISTRY_CREDENTIALS_MAX = 16;

const Registry = Type.String({
  minLength: 1,
  maxLength: 260,
  description:
    "the registry's host, with its port if it has one, as references of images begin; Docker Hub is `docker.io`",
});
export const RegistryParams = Strict({ id: Id, registry: Registry });

export const PutRegistryCredential = Strict({
  username: Type.Unsafe<string>({
    ...Name(255),
    description: "the user at the registry: one line, not blank, without a colon",
  }),
  password: Text({
    minLength: 1,
    maxLength: 8_192,
    description: "a password or an access token; no reply shows it",
  }),
});

export const RegistryCredential = Type.Object({
  registry: Type.String(),
  username: Type.String(),
  updated_at: Timestamp,
});
export type RegistryCredential = Static<typeof RegistryCredential>;

export const RegistryCredentialReply = Reply(RegistryCredential);
export const RegistryCredentialsReply = Reply(
  Type.Object({
    registry_credentials: Type.Array(RegistryCredential, { maxItems: REGISTRY_CREDENTIALS_MAX }),
  }),
);

/** As it is stored. */
export const StoredRegistryCredential = Type.Object({
  ...RegistryCredential.properties,
  sealed: Type.String(),
});
export type StoredRegistryCredential = Static<typeof StoredRegistryCredential>;

/** The place of a password, for its encryption: copied to another project or registry it cannot be decrypted. */
export const placeOfPassword = (projectId: string, registry: string) =>
  `registry credential ${projectId} ${registry}`;

/** The registry as references have it. @throws ValidationError */
export function registryOf(text: string): string {
  try {
    // What is no registry counts as a part of the name.
    const { registry, repository } = parseImageReference(`${text}/name/of`);
    if (repository === "name/of") return registry;
  } catch (error) {
    if (!(error instanceof ImageReferenceError)) throw error;
  }
  throw new ValidationError("path.registry", "must be a registry such as ghcr.io or registry.example:5000");
}

/** An agent asks for the credential that the image of a container takes. */
export const RegistryCredentialQuery = Type.Object({ container_id: Id });
/** Null: its project has none for the registry of its image. */
export const HostRegistryCredential = Nullable(
  Type.Object({ registry: Type.String(), username: Type.String(), password: Type.String() }),
);
export type HostRegistryCredential = Static<typeof HostRegistryCredential>;
