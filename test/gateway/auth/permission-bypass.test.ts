import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PERMISSION_NAMES } from "../../../schemas/permissions.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { apiToken, codeOf, impersonate } from "../routes/accounts/token/credentials.ts";
import { balanceOf, chargesOf, inStock, rented } from "../routes/market/stock.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
});
afterAll(() => stack.stop());

const FORBIDDEN = "403 INSUFFICIENT_PERMISSIONS";
/** The path as it is documented, and spellings that the router takes for the same route. */
const SPELLINGS = ["", "/"];

describe("a route that spends money, under each spelling that the router takes", () => {
  test.each(SPELLINGS)("refuses a token without wallet.spend that rents: …/rent%s", async (end) => {
    const server = await inStock(stack, `bypass-rent${end.length}`);
    const permissions = PERMISSION_NAMES.filter((name) => name !== "wallet.spend");
    const { token } = await apiToken(stack, user, permissions);
    const answer = await stack.call("POST", `/api/v1/servers/${server}/rent${end}`, {
      token,
      body: { rental_days: 7, max_charge_cents: 700 },
    });
    expect([codeOf(answer), await chargesOf(stack, user), await balanceOf(stack, user)]).toEqual([
      FORBIDDEN,
      [],
      "100.00",
    ]);
  });

  test.each(SPELLINGS)("refuses an impersonating administrator who extends: …/extend%s", async (end) => {
    const tenant = await stack.user({ balance: "100.00" });
    const admin = await stack.user({ role: "admin" });
    const { rental } = await rented(stack, tenant, `bypass-extend${end.length}`);
    const token = await impersonate(stack, admin, tenant.id);
    for (const noun of ["rentals", "servers"]) {
      const answer = await stack.call("POST", `/api/v1/${noun}/${rental.id}/extend${end}`, {
        token,
        body: { expected_rental_end: rental.rental_end, additional_days: 7, max_charge_cents: 700 },
      });
      expect(codeOf(answer)).toBe(FORBIDDEN);
    }
    expect(await chargesOf(stack, tenant)).toEqual([{ transaction_type: "rental", amount_cents: 700n }]);
  });
});
