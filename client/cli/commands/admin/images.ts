import type { ChangeImage, CreateImage } from "../../../index.ts";
import { addList, type CommandGroup } from "../../groups.ts";
import { idOf } from "../../lookup.ts";
import { NOUNS } from "../../nouns.ts";
import { reply } from "../../read.ts";
import { bodyFrom } from "./json-body.ts";

const FILE = "-f, --file <file>";
const FILE_TEXT = "YAML or JSON with the fields of the API; - reads the input";

export const adminImages: CommandGroup = (parent, cli) => {
  const noun = NOUNS["stock-image"];
  const group = parent.command("images").description("The catalogue of images.");
  addList(group, cli, noun, "List all images, also those that are not public.");
  group
    .command("add")
    .requiredOption(FILE, FILE_TEXT)
    .description("Add an image to the catalogue.")
    .action(async ({ file }) => {
      const body = await bodyFrom<CreateImage>(cli, file);
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/images", { body }));
      await cli.print.done(`Added ${data.alias}: ${data.id}.`, data);
    });
  group
    .command("update")
    .argument("<stock-image>")
    .requiredOption(FILE, FILE_TEXT)
    .description("Change an image; users who have it keep it.")
    .action(async (given, { file }) => {
      const id = await idOf(cli, noun, given);
      const request = { params: { path: { id } }, body: await bodyFrom<ChangeImage>(cli, file) };
      const { data } = await reply((await cli.api()).PATCH("/api/v1/admin/images/{id}", request));
      await cli.print.done(`Changed ${data.alias}.`, data);
    });
  group
    .command("delete")
    .argument("<stock-image>")
    .description("Take an image out of the catalogue for good; users who have it keep it.")
    .action(async (given) => {
      const id = await idOf(cli, noun, given);
      await cli.confirm(`Take the image ${given} out of the catalogue for good?`);
      await reply((await cli.api()).DELETE("/api/v1/admin/images/{id}", { params: { path: { id } } }));
      await cli.print.done(`Took ${given} out of the catalogue.`, { id });
    });
};
