import type { CreateWebhook, WebhookDelivery } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { addList, type CommandGroup, limitOption, printRows, RECENT_ROWS, sortOption } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { time } from "../output/format.ts";
import { page, reply } from "../read.ts";

const DELIVERY = {
  columns: {
    ID: ({ id }: WebhookDelivery) => id,
    EVENT: ({ event_type }: WebhookDelivery) => event_type,
    STATUS: ({ status }: WebhookDelivery) => status,
    ATTEMPTS: ({ attempts }: WebhookDelivery) => String(attempts),
    REPLY: ({ response_status, error }: WebhookDelivery) => String(response_status ?? error ?? ""),
    CREATED: ({ created_at }: WebhookDelivery) => time(created_at),
  },
  empty: "There are no deliveries.",
};

export const webhooks: CommandGroup = (program, cli) => {
  const group = program
    .command("webhooks")
    .summary("events sent to your server")
    .description("Have events sent to your server.");
  addList(group, cli, NOUNS.webhook, "List your webhooks.");
  group
    .command("create")
    .argument("<url>")
    .option("--description <text>", "what it is for")
    .option("--event <type...>", "types of events; all unless given")
    .description("Create a webhook. Its secret is shown this once.")
    .action(async (url, { description, event }) => {
      const body = {
        url,
        ...(description === undefined ? {} : { description }),
        ...(event === undefined ? {} : { event_types: event as NonNullable<CreateWebhook["event_types"]> }),
      };
      const { data } = await reply((await cli.api()).POST("/api/v1/webhooks", { body }));
      await cli.print.done(data.secret ?? "It was created before, and its secret is shown only once.", data);
    });
  addActs(group, cli);
  group
    .command("deliveries")
    .argument("<webhook>")
    .addOption(limitOption(RECENT_ROWS))
    .addOption(sortOption())
    .description("List the deliveries of a webhook, the newest first.")
    .action(async (given, listed) => {
      const id = await idOf(cli, NOUNS.webhook, given);
      await printRows(
        cli,
        DELIVERY,
        async (api, query) => {
          const params = { path: { id }, query };
          const { data } = await reply(api.GET("/api/v1/webhooks/{id}/deliveries", { params }));
          return page(data.deliveries, data.pagination);
        },
        listed,
      );
    });
};

function addActs(group: Parameters<CommandGroup>[0], cli: Cli): void {
  for (const [name, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    group
      .command(name)
      .argument("<webhook>")
      .description(enabled ? "Switch a webhook on." : "Switch a webhook off.")
      .action(async (given) => {
        const id = await idOf(cli, NOUNS.webhook, given);
        const request = { params: { path: { id } }, body: { enabled } };
        const { data } = await reply((await cli.api()).PATCH("/api/v1/webhooks/{id}", request));
        await cli.print.done(`${data.url} is ${name}d.`, data);
      });
  }
  group
    .command("test")
    .argument("<webhook>")
    .description("Send a test delivery.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.webhook, given);
      const { data } = await reply(
        (await cli.api()).POST("/api/v1/webhooks/{id}/test", { params: { path: { id } } }),
      );
      await cli.print.done(`Delivery ${data.delivery_id} is on its way.`, { id: data.delivery_id });
    });
  group
    .command("delete")
    .argument("<webhook>")
    .description("Delete a webhook with its deliveries.")
    .action(async (given) => {
      const id = await idOf(cli, NOUNS.webhook, given);
      await cli.confirm(`Delete the webhook ${given}?`);
      await reply((await cli.api()).DELETE("/api/v1/webhooks/{id}", { params: { path: { id } } }));
      await cli.print.done(`Deleted ${given}.`, { id });
    });
}
