import { readCredentialsForHost } from "../../actors/accounts/project/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import {
  type HostRegistryCredential,
  placeOfPassword,
  RegistryCredentialQuery,
} from "../../schemas/accounts/registry-credential.ts";
import { parseImageReference } from "../../schemas/hosting/image-reference.ts";
import { storableJsonOf } from "../../schemas/received.ts";
import type { SecretBox } from "../../system/secret-box.ts";

/** An id in JSON. */
const QUERY_LENGTH_MAX = 128;
export const readCredentialQuery = storableJsonOf(RegistryCredentialQuery, QUERY_LENGTH_MAX);

/**
 * The credential that a host needs for the image of one of its containers, and no other: of the container's project, for the image's
 * registry. It is asked for at each pull, so that it is stored on no host and in no stream.
 *
 * @param secrets null: the operator has set no key, and so there are none
 */
export async function registryCredentialFor(
  db: Sql,
  secrets: SecretBox | null,
  serverName: string,
  { container_id }: { container_id: string },
): Promise<HostRegistryCredential> {
  const found = await readCredentialsForHost(db, serverName, container_id);
  if (found === undefined || secrets === null) return null;
  const { registry } = parseImageReference(found.image);
  const stored = found.credentials.find((one) => one.registry === registry);
  const password = stored && secrets.open(stored.sealed, placeOfPassword(found.projectId, registry));
  return stored === undefined || password == null ? null : { registry, username: stored.username, password };
}
