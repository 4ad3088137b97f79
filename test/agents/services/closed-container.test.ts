import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PacketFilter } from "../../../agents/network/nft/apply.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { until } from "../../harness/until.ts";
import { testPool } from "../containers/specs.ts";
import { newTable, rule } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a container whose firewall lets nobody in", () => {
  let container: ServedContainer;
  beforeAll(async () => {
    container = await servedContainer(newDriver(testPool(10)), undefined, new PacketFilter(newTable()));
    await container.want({ command: ["/.berth/bun", "/.berth/welcome.ts"], generation: 1 });
  });
  afterAll(() => container[Symbol.asyncDispose]());

  const page = () => `http://${container.present()?.spec.address}:8080/`;
  const reached = () =>
    fetch(page(), { signal: AbortSignal.timeout(2_000), keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    );

  test("is reached by its aliases anyway, and by no other program of the host", async () => {
    const url = container.expose("shop", "http", { port: 8080 });
    await until(reached);
    await container.filter({
      revision: 1,
      closed: true,
      rules: [rule({ action: "drop", destination_port: "8080" })],
    });
    expect(await reached()).toBe(false);
    const answer = await container.request(url);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Hello from")]);
  });

  test("is open again to all with egress rules alone, and what they deny stays denied", async () => {
    const denied = rule({ direction: "egress", action: "reject", destination_port: "9" });
    await container.filter({ revision: 2, closed: false, rules: [denied] });
    expect(await reached()).toBe(true);
    await container.filter({ revision: 3, closed: true, rules: [denied] });
    expect(await reached()).toBe(false);
  });
});
