import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ProcessIdentity } from "../../system/process-identity.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import { output } from "../agents/containers/inside.ts";
import { newSpec, testPool } from "../agents/containers/specs.ts";
import { type Peer, startPeer } from "../agents/network/nft/peer.ts";
import { lacks } from "../agents/requirements.ts";
import { until } from "../harness/until.ts";

/** Containers could reach all that the host binds to 0.0.0.0, such as the metrics of an actor host. */

describe.skipIf(lacks("root", "nft", "ip", "oci"))("what the host binds to all its addresses", () => {
  const pool = testPool(10);
  const driver = newDriver(pool);
  const spec = newSpec(pool, { command: ["/.berth/bun", "/.berth/welcome.ts"] });
  const tcp = Bun.serve({ hostname: "0.0.0.0", port: 0, fetch: () => new Response("the host's own") });
  let heard = 0;
  let udpPort: number;
  let closeUdp: () => void;
  let init: ProcessIdentity;
  let stranger: Peer;

  beforeAll(async () => {
    const udp = await Bun.udpSocket({
      hostname: "0.0.0.0",
      socket: {
        data(socket, _bytes, port, address) {
          heard += 1;
          socket.send("echo", port, address);
        },
      },
    });
    udpPort = udp.port;
    closeUdp = () => udp.close();
    await driver.prepare();
    await driver.create(spec);
    ({ init } = await driver.start(spec, async () => undefined));
    stranger = await startPeer();
  });
  afterAll(async () => {
    await driver.stop(spec, init, 0);
    await driver.destroy(spec);
    await driver.release();
    await stranger.stop();
    await tcp.stop(true);
    closeUdp();
  });

  /** What a line of TypeScript in the container prints. */
  const evaluate = (code: string) => output(init.pid, `/.berth/bun -e '${code}'`);
  const ask = (host: string) =>
    evaluate(
      `console.log(await fetch("http://${host}:${tcp.port}").then((answer) => answer.text(), () => "refused"))`,
    );

  test("is not reached from a container, under none of the host's addresses", async () => {
    const others = stranger.address.replace(/\d+$/, "1");
    expect({ gateway: await ask(pool.gateway), other: await ask(others) }).toEqual({
      gateway: "refused",
      other: "refused",
    });
    await evaluate(
      `const socket = await Bun.udpSocket({}); socket.send("x", ${udpPort}, "${pool.gateway}"); socket.close()`,
    );
    // It has come as far as the host by then, if it ever will.
    await ask(pool.gateway);
    expect(heard).toBe(0);
  });

  test("is reached from elsewhere as before, and so is the container from the host", async () => {
    const gateway = stranger.address.replace(/\d+$/, "1");
    expect(await stranger.ask({ do: "tcp", host: gateway, port: tcp.port ?? 0 })).toBe("open");
    expect(await stranger.ask({ do: "udp", host: gateway, port: udpPort })).toBe("echo");
    expect(await until(async () => (await fetch(`http://${spec.address}:8080`)).text())).toBe(
      "Hello from web.\n",
    );
  });

  test("does not keep a container from its neighbours and the world", async () => {
    await stranger.ask({ do: "listen", protocol: "tcp", port: 80 });
    const code = `Bun.connect({ hostname: "${stranger.address}", port: 80, socket: { data() {} } }).then(() => process.exit(console.log("open")), () => console.log("refused"))`;
    expect(await evaluate(code)).toBe("open");
  });
});
