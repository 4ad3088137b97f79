import type { RegistryCredential } from "../../index.ts";
import type { Cli } from "../cli.ts";
import type { Command } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { time } from "../output/format.ts";
import { inputText, reply } from "../read.ts";

const COLUMNS = {
  REGISTRY: ({ registry }: RegistryCredential) => registry,
  USER: ({ username }: RegistryCredential) => username,
  CHANGED: ({ updated_at }: RegistryCredential) => time(updated_at),
};

/** `berth projects registries`: what a project's hosts sign in with to pull its images. */
export function addRegistries(parent: Command, cli: Cli): void {
  const group = parent
    .command("registries")
    .description("Credentials of a project for private registries of images.");
  group
    .command("list")
    .argument("<project>")
    .description("List the registries for which a project has credentials. Passwords are never shown.")
    .action(async (given) => {
      const params = { path: { id: await idOf(cli, NOUNS.project, given) } };
      const { data } = await reply(
        (await cli.api()).GET("/api/v1/projects/{id}/registry-credentials", { params }),
      );
      await cli.print.list(
        data.registry_credentials,
        COLUMNS,
        "The project has no credentials for registries.",
      );
    });
  group
    .command("set")
    .argument("<project>")
    .argument("<registry>", "such as ghcr.io or registry.example:5000; Docker Hub is docker.io")
    .requiredOption("--username <name>", "the user at the registry")
    .option("--password-stdin", "read the password or access token from the input")
    .description("Set the credential of a project for a registry.")
    .action(async (given, registry, { username, passwordStdin }) => {
      const id = await idOf(cli, NOUNS.project, given);
      const password = passwordStdin
        ? (await inputText(cli)).replace(/\r?\n$/, "")
        : await cli.askSecret("Password or access token:", "--password-stdin");
      const { data } = await reply(
        (await cli.api()).PUT("/api/v1/projects/{id}/registry-credentials/{registry}", {
          params: { path: { id, registry } },
          body: { username, password },
        }),
      );
      await cli.print.done(`Images of ${data.registry} are pulled as ${data.username}.`, data);
    });
  group
    .command("remove")
    .argument("<project>")
    .argument("<registry>")
    .description("Remove the credential of a project for a registry.")
    .action(async (given, registry) => {
      const id = await idOf(cli, NOUNS.project, given);
      await cli.confirm(`Remove the credential for ${registry}?`);
      const params = { path: { id, registry } };
      await reply(
        (await cli.api()).DELETE("/api/v1/projects/{id}/registry-credentials/{registry}", { params }),
      );
      await cli.print.done(`Removed the credential for ${registry}.`, { registry });
    });
}
