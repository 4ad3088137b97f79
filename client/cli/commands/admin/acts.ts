import { Option } from "@commander-js/extra-typings";
import { centsOf } from "../../cli.ts";
import type { CommandGroup } from "../../groups.ts";
import { dollars } from "../../output/format.ts";
import { reply } from "../../read.ts";
import { userId } from "./users.ts";

export const credit: CommandGroup = (group, cli) => {
  group
    .command("credit")
    .argument("<user>")
    .argument("<amount>", "dollars, such as 25 or 25.50")
    .requiredOption("--reason <text>", "why; the user sees it")
    .description("Give money to a user's general balance.")
    .action(async (given, amount, { reason }) => {
      centsOf(amount);
      const user = await userId(cli, given);
      await cli.confirm(`Credit ${dollars(amount)} to ${given}?`);
      const request = { params: { path: { userId: user } }, body: { amount, reason } };
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/wallets/{userId}/credit", request));
      await cli.print.done(`Credited. The balance is ${dollars(data.general_balance)}.`, {
        id: data.transaction_id,
        ...data,
      });
    });
};

export const notify: CommandGroup = (group, cli) => {
  group
    .command("notify")
    .argument("<title>")
    .argument("<text>")
    .option("--user <user>", "one user; all users unless given")
    .option("--public", "also for people who are not signed in")
    .addOption(new Option("--level <level>").choices(["info", "success", "warning", "error"] as const))
    .description("Send a notification to one user or to all.")
    .action(async (title, body, { user, public: isPublic, level }) => {
      const fields = {
        title,
        body,
        ...(user === undefined ? {} : { user_id: await userId(cli, user) }),
        ...(isPublic ? { public: true } : {}),
        ...(level === undefined ? {} : { level }),
      };
      const { data } = await reply((await cli.api()).POST("/api/v1/admin/notifications", { body: fields }));
      await cli.print.done(`Sent ${data.id}.`, data);
    });
};

interface Attention {
  readonly kind: string;
  readonly count: number;
  readonly names: readonly string[];
}

interface Partition {
  readonly partition: number;
  readonly owner: string | null;
  readonly epoch: number;
  readonly expired: boolean;
  readonly undelivered: number;
}

const COLUMNS = {
  HOST: ({ owner }: { owner: string }) => owner,
  VERSION: ({ version }: { version: string }) => version,
  PARTITIONS: ({ partitions }: { partitions: readonly Partition[] }) => String(partitions.length),
  EXPIRED: ({ partitions }: { partitions: readonly Partition[] }) =>
    String(partitions.filter(({ expired }) => expired).length),
  UNDELIVERED: ({ partitions }: { partitions: readonly Partition[] }) =>
    String(partitions.reduce((total, { undelivered }) => total + undelivered, 0)),
};

const ATTENTION = {
  WAITING: ({ kind }: Attention) => kind.replaceAll("_", " "),
  COUNT: ({ count }: Attention) => String(count),
  NAMES: ({ names }: Attention) => names.join(", "),
};

export const overview: CommandGroup = (group, cli) => {
  group
    .command("overview")
    .description("What waits for an operator, the most urgent first.")
    .action(async () => {
      const { data } = await reply((await cli.api()).GET("/api/v1/admin/overview"));
      if (cli.options().json) return cli.print.json(data);
      await cli.print.list(data.attention, ATTENTION, "Nothing waits for you.");
    });
};

export const cluster: CommandGroup = (group, cli) => {
  group
    .command("cluster")
    .description("Actor hosts and their partitions.")
    .action(async () => {
      const { data } = await reply((await cli.api()).GET("/api/v1/admin/cluster"));
      if (cli.options().json) return cli.print.json(data);
      const byOwner = Map.groupBy(data.partitions, ({ owner }) => owner ?? "nobody");
      const versions = new Map(data.hosts.map(({ host, status }) => [host, status?.version ?? ""]));
      const rows = [...byOwner].map(([owner, partitions]) => ({
        ...{ owner, partitions },
        version: versions.get(owner) ?? "",
      }));
      await cli.print.list(rows, COLUMNS, "There are no partitions.");
    });
};
