import { expect, test } from "bun:test";
import { QuietCluster } from "../simulation/settle.ts";

test("a copy of a send that was refused is refused too, however late it comes", () => {
  const cluster = new QuietCluster({ hosts: 1, leaseTtlMs: 60_000 });
  const [caller] = cluster.callers;
  if (caller === undefined) throw new Error("there is no caller");
  const { shop, till } = caller.client.actors;
  const answered = (call: Promise<unknown>): unknown => {
    let said: unknown;
    call.then(
      (answer) => {
        said = answer;
      },
      (error) => {
        said = error.code;
      },
    );
    cluster.until(() => said !== undefined);
    return said;
  };

  answered(shop("shop").stock({ stock: 1 }));
  const refused = answered(shop("shop").buy({ till: "till", price: 10 }));
  expect(refused).toBe("INSUFFICIENT_BALANCE");
  const sends = cluster.database.applied.flatMap(({ commit }) => commit.writes.get("tasks")?.insert ?? []);
  expect(sends.length).toBe(1);
  answered(till("till").put({ by: 100 }));

  const copy = till("till").put({ by: -10 }, { key: String(sends[0]?.key), hasClientKey: true });
  expect(answered(copy)).toBe("INSUFFICIENT_BALANCE");
  expect(cluster.database.tables.get("tills", "till")?.money).toBe(100);
});
