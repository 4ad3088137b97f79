import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

/** Reads an OpenAPI document from its input and writes the types of it to its output. */

const document = JSON.parse(await Bun.stdin.text()) as OpenAPI3;
const types = await openapiTS(document, {
  alphabetize: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
process.stdout.write(
  `// Made by \`bun run client-types\` from the API's description: not to be edited.\n\n${astToString(types)}`,
);
