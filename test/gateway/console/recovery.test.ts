import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { mailServer, type TestMailServer } from "../../harness/mail-server.ts";
import { axeFindings, signIn, visit } from "./visitor.ts";

const missing = lacksChromium();
const NEW_PASSWORD = "a new and longer one";
let mails: TestMailServer;
let stack: EmbeddedStack;
beforeAll(async () => {
  if (missing) return;
  mails = await mailServer();
  stack = await startEmbeddedStack({ env: mails.env });
});
afterAll(async () => {
  await stack?.stop();
  await mails?.stop();
});

test.skipIf(missing)(
  "somebody who forgot the password asks for a link, sets a new one by it and signs in",
  async () => {
    const user = await stack.user();
    const { page, errors } = await visit(`${stack.url}/sign-in`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel("E-mail address").fill(`${user.username}@example.com`);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("Look at your mail").waitFor();
    expect(await axeFindings(page)).toEqual([]);

    const { text } = await mails.mailTo(`${user.username}@example.com`);
    const { pathname } = new URL(/https:\/\/berth\.example\S+/.exec(text)?.[0] ?? "");
    await page.goto(`${stack.url}${pathname}`);
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("Your password is set").first().waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, { username: user.username, password: NEW_PASSWORD });
    expect(errors).toEqual([]);
  },
);

test.skipIf(missing)("a mail can be read on light and on dark, wide and narrow", async () => {
  const user = await stack.user();
  await stack.call("POST", "/api/v1/auth/recovery", { body: { email: `${user.username}@example.com` } });
  const { html } = await mails.mailTo(`${user.username}@example.com`);
  for (const [scheme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    const { page } = await visit("about:blank", { scheme, width });
    await page.setContent(html);
    if (process.env.BERTH_MAIL_PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.BERTH_MAIL_PICTURES}/recovery-${scheme}.png` });
    const isWithin = await page.evaluate<boolean>(
      "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    );
    expect([scheme, isWithin, await axeFindings(page)]).toEqual([scheme, true, []]);
  }
});

test.skipIf(missing)(
  "whoever changes the address is told that a link was sent there, and what waits for it",
  async () => {
    const user = await stack.user();
    const { page, errors } = await visit(`${stack.url}/account`);
    await signIn(page, user);
    const form = page.locator("section", { hasText: "Change the e-mail address" });
    const email = `moved-${user.username}@example.com`;
    await form.getByLabel("Current password").fill(user.password);
    await form.getByLabel("New e-mail address").fill(email);
    await form.getByRole("button", { name: "Change the address" }).click();
    await page.getByText("a link was sent there that verifies it").waitFor();
    await form.getByText(`A link was sent to ${email} that verifies the address`).waitFor();
    await mails.mailTo(email, 1, "Verify your e-mail address");
    expect(await axeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  },
);

test.skipIf(missing)(
  "notices by mail are chosen under Account, and the address is verified there",
  async () => {
    const user = await stack.user();
    const { page, errors } = await visit(`${stack.url}/account/notifications`);
    await signIn(page, user);
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("heading", { name: "Verify your e-mail address" }).waitFor();
    await page.getByRole("link", { name: "Top up" }).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Send another link" }).click();
    await page.getByRole("button", { name: "Send another link" }).click();
    const subject = "Verify your e-mail address";
    const { text, html } = await mails.mailTo(`${user.username}@example.com`, 2, subject);
    const token = /\/verify-email\/(\S+)/.exec(text)?.[1];
    await page.getByRole("textbox", { name: "Low balance" }).fill("12.50");
    await page.getByLabel("Containers").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const { body } = await stack.call("GET", "/api/v1/notifications/mail", { token: user.token });
    expect(body.data).toMatchObject({ containers: true, security: true, low_balance_below: "12.50" });

    const { page: proof } = await visit(`${stack.url}/verify-email/${token}`);
    await proof.getByRole("button", { name: "Verify the address" }).click();
    await proof.getByRole("heading", { name: "Your address is verified" }).waitFor();
    // The point after the address stays in its line.
    const address = proof.getByRole("status").locator("strong");
    expect(await address.evaluate((one) => one.computedStyleMap().get("display")?.toString())).toBe("inline");
    expect(await axeFindings(proof)).toEqual([]);
    await proof.goto(proof.url());
    await proof.getByRole("heading", { name: "Your address is verified" }).waitFor();
    await proof.getByRole("link", { name: "Choose which notices are sent" }).click();
    await proof.waitForURL(/\/account\/notifications$/);
    await page.reload();
    await page.getByText("Notices are mailed to").waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("heading", { name: "Top up your wallet" }).waitFor();
    expect(await page.getByRole("heading", { name: "Verify your e-mail address" }).count()).toBe(0);
    expect(html).toContain("Verify the address");
    expect(errors).toEqual([]);
  },
);
