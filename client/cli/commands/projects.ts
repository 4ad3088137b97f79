import { UsageError } from "../failures.ts";
import { addList, type CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { reply } from "../read.ts";
import { addRegistries } from "./project-registries.ts";

export const projects: CommandGroup = (program, cli) => {
  program.commandsGroup("Containers:");
  const group = program
    .command("projects")
    .summary("groups of containers")
    .description("Projects group containers, and are a part of their addresses.");
  addList(group, cli, NOUNS.project, "List your projects.");
  group
    .command("create")
    .argument("<name>")
    .option("--description <text>", "what it is for")
    .description("Create a project.")
    .action(async (name, { description }) => {
      const body = { name, ...(description === undefined ? {} : { description }) };
      const { data } = await reply((await cli.api()).POST("/api/v1/projects", { body }));
      await cli.print.done(`Created project ${data.name}: ${data.id}.`, data);
    });
  group
    .command("update")
    .argument("<project>")
    .option("--name <name>", "another name")
    .option("--description <text>", "what it is for")
    .description("Rename a project, or say what it is for.")
    .action(async (given, { name, description }) => {
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
      };
      if (Object.keys(body).length === 0) throw new UsageError("give what is to be changed");
      const id = await idOf(cli, NOUNS.project, given);
      const request = { params: { path: { id } }, body };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/projects/{id}", request));
      await cli.print.done(`Changed project ${data.name}.`, data);
    });
  addRegistries(group, cli);
  group
    .command("delete")
    .argument("<project>")
    .description("Delete a project that has no containers.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.project, given);
      await cli.confirm(`Delete the project ${given}?`);
      await reply((await cli.api()).DELETE("/api/v1/projects/{id}", { params: { path: { id } } }));
      await cli.print.done(`Deleted project ${given}.`, { id });
    });
};
