import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { rented } from "../routes/market/stock.ts";
import { goTo, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (!missing) stack = await sharedStack();
});
afterAll(() => stack?.stop());

async function open(user: TestUser, path: string) {
  const { page } = await visit(stack.url + path);
  await signIn(page, user);
  return page;
}

test.skipIf(missing)(
  "who is invited to a pool joins by a button, and gets another role from its owner",
  async () => {
    const [owner, guest] = await Promise.all([stack.user({ balance: "10.00" }), stack.user()]);
    const [page, theirs] = [await open(owner, "/pools"), await open(guest, "/pools")];
    await page.getByRole("button", { name: "Create a pool" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Team");
    await page.getByRole("dialog").getByRole("button", { name: "Create the pool" }).click();
    await page.getByRole("link", { name: "Team" }).click();
    await page.getByRole("button", { name: "Invite" }).click();
    const name = page.getByLabel("User name");
    await name.fill("nobody-has-this-name");
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await until(async () => (await name.getAttribute("aria-invalid")) === "true");
    await name.fill(guest.username);
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByText("invited", { exact: true }).waitFor();

    // The invitation and its acceptance arrive at the other side by themselves.
    await theirs.getByRole("button", { name: "Join" }).click();
    await theirs.getByRole("link", { name: "Team" }).click();
    await theirs.getByText("you are user").waitFor();
    await page.getByLabel(`Role of ${guest.username}`).selectOption("admin");
    await theirs.getByText("you are admin").waitFor();
    const { rental } = await rented(stack, owner, `of-team-${crypto.randomUUID().slice(0, 8)}`);
    const [pool] = await stack.db<
      { id: string }[]
    >`SELECT id FROM pools WHERE owner_id = ${owner.id} AND name = 'Team'`;
    await stack.actors.rental(rental.id).move({ pool_id: pool?.id ?? "" });
    await theirs.reload();
    await goTo(theirs, "/servers");
    await theirs.getByRole("cell", { name: `Team shared with you by ${owner.username}` }).waitFor();
    await goTo(theirs, `/pools/${pool?.id}`);
    await theirs.getByText("you are admin").waitFor();
    await page.getByRole("button", { name: `Remove ${guest.username}` }).click();
    await goTo(theirs, "/pools");
    await until(async () => (await theirs.getByRole("link", { name: "Team" }).count()) === 0);
  },
);

test.skipIf(missing)(
  "a price is said before an image is bought, and the image is then in the library",
  async () => {
    const [operator, user] = await Promise.all([
      stack.user({ role: "admin" }),
      stack.user({ balance: "10.00" }),
    ]);
    const alias = `Code ${crypto.randomUUID().slice(0, 8)}`;
    const { status } = await stack.call("POST", "/api/v1/admin/images", {
      token: operator.token,
      body: {
        alias,
        description: "An editor in the browser",
        image_name: alias.toLowerCase().replace(" ", "-"),
        architecture: "amd64",
        os: "debian",
        release: "13",
        variant: "default",
        price: "4.50",
        public: true,
      },
    });
    expect(status).toBe(201);
    const page = await open(user, `/images?search=${encodeURIComponent(alias)}`);
    await page.getByRole("button", { name: `Buy ${alias}` }).click();
    await page.getByText("$4.50 are taken from your balance once, which is $10.00 now.").waitFor();
    await page.getByRole("button", { name: "Pay $4.50" }).click();
    await page.getByText("in your library", { exact: true }).waitFor();
    await page.getByLabel(`Your rating of ${alias}`).selectOption("4");
    await page.getByText("★ 4 of 5 (1)").first().waitFor();
    const { body } = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
    expect(Number(body.data.general_balance)).toBe(5.5);
  },
);
