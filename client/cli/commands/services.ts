import { Option } from "@commander-js/extra-typings";
import type { Alias } from "../../index.ts";
import { Entrance } from "../edge/entrance.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { count, readRows } from "../read.ts";

const DISPLAY_MAX = 65_535;

export const notify: CommandGroup = (program, cli) => {
  program
    .command("notify")
    .argument("<container>")
    .argument("<title>")
    .argument("[text]")
    .option("--display <number>", "X display", "1")
    .addOption(
      new Option("--urgency <urgency>", "how it is shown").choices(["low", "normal", "critical"] as const),
    )
    .summary("show a notification on a container's desktop")
    .description("Show a notification on a container's desktop.")
    .action(async (given, title, body, { display, urgency }) => {
      const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, given));
      const fields = {
        display: `:${count(display, 0, DISPLAY_MAX)}`,
        title,
        body: body ?? "",
        source: "berth",
        ...(urgency === undefined ? {} : { urgency }),
      };
      const response = await entrance.request("notifications", "/api/v1/notifications/notify", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(fields),
      });
      await cli.print.done("Shown.", (await response.json()) as object);
    });
};

export const open: CommandGroup = (program, cli) => {
  program
    .command("open")
    .argument("<container>")
    .addOption(
      new Option("--service <service>", "what to open")
        .choices(["terminal", "pipe", "notifications"] as const)
        .default("terminal" as const),
    )
    .option("--print", "print the link and open nothing")
    .summary("open a container in the browser")
    .description("Open a service of a container in the browser, signed in. The link works for five minutes.")
    .action(async (given, { service, print }) => {
      const entrance = await Entrance.open(cli, await idOf(cli, NOUNS.container, given));
      const address = await entrance.urlOf(service);
      const url = `${address}/?access_token=${(await entrance.access()).access_token}`;
      if (print || !cli.io.isInteractive || cli.options().json) return cli.print.done(url, { url });
      openInBrowser(url);
      cli.print.note(`Opened ${address}.`);
    });
};

export const sshConfig: CommandGroup = (program, cli) => {
  program
    .command("ssh-config")
    .summary("reach aliases for ssh by their names")
    .description(
      "Print what ~/.ssh/config needs so that `ssh ALIAS` reaches your aliases of the program ssh.",
    )
    .action(async () => {
      const api = await cli.api();
      const aliases = (await readRows(api, NOUNS.alias.read)).filter(
        ({ program: one, enabled }) => one === "ssh" && enabled,
      );
      const entries = aliases.map(sshEntry);
      if (cli.options().json || cli.options().quiet) return cli.print.list(entries, {}, "");
      if (aliases.length === 0)
        return cli.print.note(
          "There are no aliases of the program ssh: `berth alias add CONTAINER --program ssh --port 22` makes one.",
        );
      for (const { host, host_name, proxy_command } of entries)
        await cli.io.out(`Host ${host}\n  HostName ${host_name}\n  ProxyCommand ${proxy_command}\n\n`);
    });
};

/** What ~/.ssh/config says of one alias. */
function sshEntry({ id, alias, url }: Alias) {
  const { hostname, port } = new URL(url);
  const address = hostname.endsWith(".localhost") ? "127.0.0.1" : "%h";
  const proxy_command = `openssl s_client -quiet -verify_quiet -connect ${address}:${port || 443} -servername %h`;
  return { id, host: alias, host_name: hostname, proxy_command };
}
