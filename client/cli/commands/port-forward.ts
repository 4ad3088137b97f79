import { createServer, type Server, type Socket } from "node:net";
import type { Container } from "../../index.ts";
import type { Cli } from "../cli.ts";
import { Entrance } from "../edge/entrance.ts";
import { passThrough } from "../edge/forwarded-connection.ts";
import { Refused, UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { idOf } from "../lookup.ts";
import { NOUNS } from "../nouns.ts";
import { count } from "../read.ts";
import { readContainer } from "./containers.ts";

const PORT_MAX = 65_535;

export const portForward: CommandGroup = (program, cli) => {
  program
    .command("port-forward")
    .argument("<container>")
    .argument(
      "<port...>",
      "[HERE:]PORT, such as 5432 or 8080:80; a port may be a name that the container gives it",
    )
    .option("--address <address>", "where it listens here", "127.0.0.1")
    .summary("reach ports of a container from here")
    .description(
      "Listen here and pass every connection on to a port of a container, until Ctrl-C. No port of the host has to be open, and the container's firewall stays as it is. HERE of 0 takes any free port.",
    )
    .action(async (given, ports, { address }) => {
      const container = await readContainer(cli, await idOf(cli, NOUNS.container, given));
      const pairs = ports.map((text) => pairOf(text, container));
      const entrance = await Entrance.open(cli, container.id);
      await entrance.access();
      const open: Forwarding[] = [];
      try {
        for (const pair of pairs) open.push(await listen(cli, entrance, address, pair));
        for (const { here, port } of open)
          await cli.print.done(`${address}:${here} leads to port ${port} of ${container.name}.`, {
            address,
            here,
            port,
          });
        await interruption(cli.io.interrupted);
      } finally {
        for (const one of open) one.close();
      }
    });
};

interface Pair {
  readonly here: number;
  readonly port: number;
}

function pairOf(text: string, { ports, name }: Container): Pair {
  const [, given, wanted = ""] = /^(?:(\d{1,5}):)?([a-z0-9-]{1,32})$/.exec(text) ?? [];
  if (wanted === "") throw new UsageError(`"${text}" is not a port such as 5432 or 8080:80`);
  const named = ports.find((one) => one.name === wanted)?.port;
  if (named === undefined && !/^\d+$/.test(wanted))
    throw new Refused(`${name} has no port named "${wanted}"`);
  const port = named ?? count(wanted, 1, PORT_MAX);
  return { here: given === undefined ? port : count(given, 0, PORT_MAX), port };
}

interface Forwarding extends Pair {
  close(): void;
}

async function listen(
  cli: Cli,
  entrance: Entrance,
  address: string,
  { here, port }: Pair,
): Promise<Forwarding> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (local) => {
    open.add(local);
    local.once("close", () => open.delete(local));
    local.on("error", () => undefined);
    entrance
      .socket("terminal", `/api/v1/forward/${port}`)
      .then((remote) => passThrough(local, remote))
      .catch((error: Error) => {
        local.resetAndDestroy();
        return error.message;
      })
      .then((reason) => reason && cli.print.note(`port ${port}: ${reason}`));
  });
  return {
    here: await portOf(server, address, here),
    port,
    close() {
      server.close();
      for (const local of open) local.destroy();
    },
  };
}

function portOf(server: Server, address: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", (error: NodeJS.ErrnoException) =>
    reject(
      new Refused(
        error.code === "EADDRINUSE"
          ? `port ${port} is in use here: give another one, such as 0:PORT`
          : `cannot listen on ${address}:${port}: ${error.message}`,
      ),
    ),
  );
  server.listen(port, address, () => resolve((server.address() as { port: number }).port));
  return promise;
}

const interruption = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
