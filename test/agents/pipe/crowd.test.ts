import { expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { lacks } from "../requirements.ts";
import { startPipeProcess } from "./pipe-process.ts";
import { RawClient } from "./raw-client.ts";

const MB = 2 ** 20;
/** The server and this process have a descriptor for each, and some of their own. */
const PEERS = Math.min(10_000, descriptorsMax() - 500);

function descriptorsMax(): number {
  const { stdout } = Bun.spawnSync(["sh", "-c", "ulimit -Hn"]);
  const limit = Number(stdout.toString().trim());
  return Number.isNaN(limit) ? 1_000_000 : limit;
}

test.skipIf(lacks("linux"))(
  `${PEERS} peers wait in bounded memory, all are served, and nothing of them stays`,
  async () => {
    if (PEERS < 10_000) console.log(`only ${PEERS} peers: the limit of descriptors allows no more`);
    const pipe = await startPipeProcess();
    const before = { rss: pipe.rssBytes(), descriptors: pipe.descriptors() };
    const pairs = PEERS / 2;
    const receivers: RawClient[] = [];
    const senders: RawClient[] = [];
    // Half of all wait for a sender, the others, on paths of their own, for a receiver.
    const names = Array.from({ length: pairs }, (_, at) => at);
    for (let from = 0; from < pairs; from += 250) {
      await Promise.all(
        names.slice(from, from + 250).map(async (at) => {
          const [receiver, sender] = [await RawClient.connect(pipe.port), await RawClient.connect(pipe.port)];
          receiver.send(`GET /api/v1/pipe/r${at} HTTP/1.1\r\nHost: a\r\n\r\n`);
          const body = `sender ${at}`;
          sender.send(
            `POST /api/v1/pipe/s${at} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
          receivers.push(receiver);
          senders.push(sender);
        }),
      );
    }
    for (const sender of senders) await sender.sees("Waiting");
    await until(() => pipe.descriptors() >= 2 * pairs);
    // Once what opening them took is collected.
    await until(() => (pipe.rssBytes() - before.rss) / (2 * pairs) < 16 * 1024);
    await until(() => pipe.rssBytes() < 300 * MB);

    // A few are served while all the others wait.
    for (const at of names.slice(0, 50)) {
      const late = (await RawClient.connect(pipe.port)).send(
        `GET /api/v1/pipe/s${at} HTTP/1.1\r\nHost: a\r\n\r\n`,
      );
      expect((await late.response()).body.toString()).toBe(`sender ${at}`);
      late.reset();
    }
    for (const client of [...receivers, ...senders]) client.reset();
    await until(() => pipe.descriptors() <= before.descriptors + 2);
    await pipe.stop();
  },
);
