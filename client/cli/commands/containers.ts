import type { Container, UpdateContainer } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Refused, UsageError } from "../failures.ts";
import { addList, type Command, type CommandGroup } from "../groups.ts";
import { idOf, isId } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { count, reply } from "../read.ts";
import { WAIT_SECONDS, type Waiting, waitFor } from "../wait.ts";
import { detailsOf } from "./container-details.ts";
import { type SettingOptions, settingsOf, withSettings } from "./container-settings.ts";
import { volumeOption, volumesOf } from "./container-volumes.ts";

export const containers: CommandGroup = (program, cli) => {
  const group = program
    .command("containers")
    .summary("run containers")
    .description("Create containers, and start and stop them.");
  addList(group, cli, NOUNS.container, "List your containers.");
  group
    .command("show")
    .argument("<container>")
    .description("Show a container.")
    .action(async (given) => {
      const container = await readContainer(cli, await idOf(cli, NOUNS.container, given));
      await cli.print.details(container, detailsOf(container));
    });
  addCreate(group, cli);
  addUpdate(group, cli);
  addLifecycle(group, cli, "start", "Start a container.", "Started");
  addLifecycle(group, cli, "stop", "Stop a container.", "Stopped");
  addLifecycle(group, cli, "restart", "Stop a container and start it again.", "Restarted");
  addDelete(group, cli);
};

const WAIT = "--wait";
const WAIT_TEXT = "wait until its host has done it";

function addCreate(group: Command, cli: Cli): void {
  withSettings(group.command("create"))
    .argument("<name>")
    .argument("[args...]", "after --: arguments in place of the image's own")
    .requiredOption("--server <server>", "a server that you rent or reach through a pool")
    .requiredOption("--project <project>", "the project that it belongs to")
    .option(
      "--image <reference>",
      "an image of a registry, such as debian:13, or one of the catalogue by its alias or id",
    )
    .addOption(volumeOption())
    .option("--entrypoint <program>", "in place of the image's own; arguments follow after --")
    .option(WAIT, "wait until it runs")
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .description("Create a container and start it.")
    .action(async (name, args, options) => {
      const fields = {
        ...settingsOf(cli.io.env, options as SettingOptions),
        ...(await imageFields(cli, options.image)),
      };
      const server_id = await idOf(cli, NOUNS.server, options.server);
      const project_id = await idOf(cli, NOUNS.project, options.project);
      const volumes = await volumesOf(cli, options.volume, { server_id, project_id });
      const body = {
        name,
        server_id,
        project_id,
        ...fields,
        ...(volumes.length === 0 ? {} : { volumes }),
        ...(options.entrypoint === undefined ? {} : { command: [options.entrypoint] }),
        ...(args.length === 0 ? {} : { args: [...args] }),
      };
      let created: Container | undefined;
      const change = async () => {
        created = (await reply((await cli.api()).POST("/api/v1/containers", { body }))).data;
        return created;
      };
      if (!options.wait) {
        const container = await change();
        return cli.print.done(`Created ${name}: ${container.id}.`, container);
      }
      const container = await waitFor(cli, {
        what: `the start of ${name}`,
        timeoutSeconds: count(options.timeout),
        change,
        check: async () => settled(await readContainer(cli, created?.id ?? ""), "running"),
      });
      await cli.print.done(`${name} is running: ${container.id}.`, container);
    });
}

/** An alias of the catalogue wins over a reference, as it is an offer of this Berth. */
async function imageFields(cli: Cli, image: string | undefined) {
  if (image === undefined) return {};
  if (isId(image)) return { image_id: image };
  const params = { query: { search: image } };
  const { data } = await reply((await cli.api()).GET("/api/v1/images/public", { params }));
  const known = data.images.find(({ alias }) => alias === image);
  return known === undefined ? { image } : { image_id: known.id };
}

function addUpdate(group: Command, cli: Cli): void {
  withSettings(group.command("update"))
    .argument("<container>")
    .option("--name <name>", "another name")
    .addOption(volumeOption())
    .option("--no-volumes", "mount no storage share any more")
    .option("--pull", "take the newest image of its reference, and start again with it")
    .option(WAIT, "with --pull: wait until it runs the newest image")
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .description(
      "Change the settings of a container. What is given takes the place of the whole former one; variables and secrets count as one.",
    )
    .action(async (given, options) => {
      const id = await idOf(cli, NOUNS.container, given);
      const body = {
        ...settingsOf(cli.io.env, options as SettingOptions),
        ...(options.name === undefined ? {} : { name: options.name }),
      };
      const volumes = options.volumes ? options.volume : [];
      const isChanged = Object.keys(body).length > 0;
      if (!isChanged && volumes === undefined) {
        if (!options.pull) throw new UsageError("give what is to be changed");
        return pullImage(cli, id, given, options);
      }
      let changed = isChanged ? await patch(cli, id, body) : await readContainer(cli, id);
      if (volumes !== undefined) changed = await setVolumes(cli, changed, volumes);
      const pending = changed.restart_required;
      await cli.print.done(`Changed ${changed.name}.`, changed);
      if (pending.length > 0)
        cli.print.note(`\`berth containers restart ${changed.name}\` applies ${pending.join(", ")}.`);
      if (options.pull) await pullImage(cli, id, given, options);
    });
}

/** Has the host take the newest image. */
async function pullImage(
  cli: Cli,
  id: string,
  given: string,
  { wait, timeout }: { readonly wait?: true; readonly timeout: string },
): Promise<void> {
  const change = async () => {
    const api = await cli.api();
    return (await reply(api.POST("/api/v1/containers/{id}/pull", { params: { path: { id } } }))).data;
  };
  if (!wait) {
    const container = await change();
    const done = `${container.name}: its newest image is looked for. --wait waits for it.`;
    return cli.print.done(done, container);
  }
  const before = await readContainer(cli, id);
  const container = await waitFor(cli, {
    what: `the newest image of ${given}`,
    timeoutSeconds: count(timeout),
    change,
    check: async () => pulled(await readContainer(cli, id)),
  });
  const isNewer = container.image?.digest !== before.image?.digest;
  const digest = container.image?.digest ?? "";
  const done = isNewer ? `has a newer image: ${digest}` : `has the newest image already: ${digest}`;
  await cli.print.done(`${container.name} ${done}.`, container);
}

/** @throws Refused when the image cannot be had */
function pulled(container: Container): Container | undefined {
  if (container.image?.state === "waiting" || container.image?.state === "pulling") return undefined;
  if (container.state === "creating") return undefined;
  if (container.error !== null) throw new Refused(`${container.name}: ${container.error}`);
  return container;
}

/** Changes what was read, and nothing that somebody else has changed in the meantime. */
export async function patch(cli: Cli, id: string, body: UpdateContainer): Promise<Container> {
  const api = await cli.api();
  const { response } = await api.GET("/api/v1/containers/{id}", { params: { path: { id } } });
  const header = { "If-Match": response.headers.get("etag") ?? "" };
  const request = { params: { path: { id }, header }, body };
  return (await reply(api.PATCH("/api/v1/containers/{id}", request))).data;
}

async function setVolumes(cli: Cli, container: Container, texts: readonly string[]): Promise<Container> {
  const volumes = await volumesOf(cli, texts, container);
  const request = { params: { path: { id: container.id } }, body: { volumes } };
  return (await reply((await cli.api()).PUT("/api/v1/containers/{id}/volumes", request))).data;
}

type Act = "start" | "stop" | "restart";

function addLifecycle(group: Command, cli: Cli, act: Act, description: string, past: string): void {
  group
    .command(act)
    .argument("<container>")
    .option(WAIT, WAIT_TEXT)
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .description(description)
    .action(async (given, { wait, timeout }) => {
      const id = await idOf(cli, NOUNS.container, given);
      const change = async () => (await reply(post(cli, act, id))).data;
      if (!wait) {
        const container = await change();
        return cli.print.done(`${container.name}: ${act} requested. --wait waits for it.`, container);
      }
      const container = await waitFor(cli, {
        what: `the ${act} of ${given}`,
        timeoutSeconds: count(timeout),
        change,
        check:
          act === "restart"
            ? restarted(cli, id)
            : async () => settled(await readContainer(cli, id), act === "stop" ? "stopped" : "running"),
      });
      await cli.print.done(`${past} ${container.name}.`, container);
    });
}

async function post(cli: Cli, act: Act, id: string) {
  const api = await cli.api();
  const options = { params: { path: { id } } };
  if (act === "start") return api.POST("/api/v1/containers/{id}/start", options);
  if (act === "stop") return api.POST("/api/v1/containers/{id}/stop", options);
  return api.POST("/api/v1/containers/{id}/restart", options);
}

function addDelete(group: Command, cli: Cli): void {
  group
    .command("delete")
    .argument("<container>")
    .option(WAIT, WAIT_TEXT)
    .option("--timeout <seconds>", "how long to wait", WAIT_SECONDS)
    .description("Delete a container and everything in it.")
    .action(async (given, { wait, timeout }) => {
      const id = await idOf(cli, NOUNS.container, given);
      await cli.confirm(`Delete the container ${given} and everything in it?`);
      const change = async () =>
        reply((await cli.api()).DELETE("/api/v1/containers/{id}", { params: { path: { id } } }));
      if (wait)
        await waitFor(cli, {
          what: `the deletion of ${given}`,
          timeoutSeconds: count(timeout),
          change,
          check: async (event) =>
            (event?.event_type === "container.deleted" && event.resource_id === id) || undefined,
        });
      else await change();
      await cli.print.done(`Deleted ${given}.`, { id });
    });
}

export async function readContainer(cli: Cli, id: string): Promise<Container> {
  return (await reply((await cli.api()).GET("/api/v1/containers/{id}", { params: { path: { id } } }))).data;
}

/**
 * Whether a container has restarted, by the events since: it says "running" all the time, and an error before them is of an earlier run.
 */
export function restarted(cli: Cli, id: string): Waiting<Container>["check"] {
  let hasBegun = false;
  return async (event) => {
    if (event?.resource_id !== id) return undefined;
    if (event.event_type === "container.restarting") hasBegun = true;
    const isOver =
      event.event_type === "container.restarted" || (hasBegun && event.event_type === "container.error");
    return isOver ? settled(await readContainer(cli, id), "running") : undefined;
  };
}

/** @throws Refused when its host reports an error */
function settled(container: Container, state: Container["state"]): Container | undefined {
  if (container.state === "error")
    throw new Refused(`${container.name}: ${container.error ?? "its host reports an error"}`);
  return container.state === state ? container : undefined;
}
