import { Elysia } from "elysia";
import { FileError } from "../../../client/compose/file-error.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import { ReadComposeFile, type WantedProject, WantedProjectReply } from "../../../schemas/hosting/compose.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";

/** A large file takes some 20 ms of the gateway's only thread, so one user can occupy it for a second of a minute. */
const FILES_PER_USER = { name: "compose-file", limit: 60, windowSeconds: 60 };

/** Reads compose files for clients that have no reader of YAML, such as the console. */
export const composeRoutes = ({ credentials }: GatewayContext) => {
  const files = new RateLimiter(FILES_PER_USER);
  return new Elysia({ prefix: "/api/v1/projects/compose", detail: { tags: ["Projects"] } })
    .use(signedIn(credentials, "resources.read"))
    .post(
      "/",
      async ({ caller, body, set }) => {
        enforceLimit(files, caller.userId, set.headers);
        return ok("Compose file", await read(body));
      },
      {
        body: ReadComposeFile,
        response: { 200: WantedProjectReply },
        detail: {
          operationId: "readComposeFile",
          summary: "Read a compose file",
          description:
            "What the file asks for, as fields of requests: what `berth up` and the console compare with what there is. It changes nothing and looks at nothing of yours. " +
            "A file that asks for what cannot be kept is refused with its line and field (`body.file`).",
          "x-idempotency-key": false,
        },
      },
    );
};

async function read({ file, variables = {}, project, server }: ReadComposeFile) {
  // The reader of YAML would take a part of a gateway's start-up time, so the first file loads it.
  const { readProject } = await import("../../../client/compose/project.ts");
  // A name such as `constructor` is no variable.
  const environment = Object.assign(Object.create(null), variables) as Record<string, string>;
  try {
    const wanted = await readProject(file, { file: "", defaultName: "", project, server }, environment);
    if (wanted.name === "") throw new ValidationError("body.project", "is required: the file has no `name`");
    const { name, containers, shares } = wanted;
    return { name, containers, shares } as WantedProject;
  } catch (error) {
    if (error instanceof FileError) throw new ValidationError("body.file", error.message);
    if (error instanceof RangeError) throw new ValidationError("body.file", "is nested too deeply");
    throw error;
  }
}
