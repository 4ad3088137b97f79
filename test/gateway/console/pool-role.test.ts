import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { join, makePool } from "../routes/accounts/pool/team.ts";
import { rented } from "../routes/market/stock.ts";
import { drawn, goTo, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (!missing) stack = await sharedStack();
});
afterAll(() => stack?.stop());

test.skipIf(missing)(
  "a member with the role user is offered nothing that the role forbids, and is told why; as an admin it is offered at once",
  async () => {
    const [owner, member] = await Promise.all([stack.user({ balance: "10.00" }), stack.user()]);
    const call = (path: string, body: object) => stack.call("POST", path, { token: owner.token, body });
    const pool = await makePool(stack, owner, "Team");
    await join(stack, owner, pool, member, "user");
    const { serverId, rental } = await rented(stack, owner, `role-${crypto.randomUUID().slice(0, 8)}`);
    await stack.actors.rental(rental.id).move({ pool_id: pool });
    const project = (await call("/api/v1/projects", { name: "web" })).body.data;
    const on = { project_id: project.id, server_id: serverId };
    const container = (await call("/api/v1/containers", { ...on, name: "shop" })).body.data;
    const share = (await call("/api/v1/storage-shares", { ...on, name: "data", size_bytes: 2 ** 26 })).body
      .data;

    const { page } = await visit(`${stack.url}/containers/${container.id}`);
    await signIn(page, member);
    const reason = page.getByText("To change this needs the role admin in the pool.");
    const forbidden: readonly (readonly [string, readonly string[]])[] = [
      [`/containers/${container.id}`, ["Stop"]],
      [`/containers/${container.id}/firewall`, ["Add a rule", "Import"]],
      [`/containers/${container.id}/names`, ["Create a name"]],
      [`/containers/${container.id}/people`, ["Share access"]],
      [`/containers/${container.id}/settings`, ["Save the changes", "Delete shop"]],
      [`/storage/${share.id}`, ["Grow or rename", "Delete", "Schedule", "Take a snapshot"]],
    ];
    for (const [path, names] of forbidden) {
      await goTo(page, path);
      await drawn(page);
      await reason.waitFor();
      for (const name of names) {
        const button = page.getByRole("button", { name, exact: true });
        await button.waitFor();
        expect([path, name, await button.isDisabled()]).toEqual([path, name, true]);
      }
    }

    await goTo(page, "/containers");
    await page.getByRole("checkbox", { name: "Select shop" }).check();
    await page.getByText("shop needs the role admin in the pool").waitFor();
    expect(await page.getByRole("button", { name: "Delete", exact: true }).isDisabled()).toBe(true);

    await goTo(page, `/containers/${container.id}/firewall`);
    await reason.waitFor();
    await stack.call("PUT", `/api/v1/pools/${pool}/members/${member.id}`, {
      token: owner.token,
      body: { role: "admin" },
    });
    await reason.waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Add a rule" }).isEnabled()).toBe(true);
  },
);
