import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import { HostRegistryCredential } from "../../schemas/accounts/registry-credential.ts";
import type { Credentials } from "../containers/images/registries.ts";

/**
 * Asks the control plane for the credential that a container's project has for a registry. While it does not reply, images are pulled without one:
 * public ones are had, and a private one is tried again.
 *
 * @param ask sends a request and resolves with its reply
 */
export const registryCredentials =
  (ask: (text: string) => Promise<string>, log: Logger) =>
  async (containerId: string, registry: string): Promise<Credentials | null> => {
    try {
      const reply: unknown = JSON.parse(await ask(JSON.stringify({ container_id: containerId })));
      if (!Value.Check(HostRegistryCredential, reply) || reply === null) return null;
      return reply.registry === registry ? { username: reply.username, password: reply.password } : null;
    } catch (error) {
      log.warn(
        { container: containerId, error: String(error) },
        "credentials for its registry are not known now",
      );
      return null;
    }
  };
