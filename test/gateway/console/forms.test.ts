import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { inCatalogue } from "../routes/hosting/image/catalogue.ts";
import { rented } from "../routes/market/stock.ts";
import { axeFindings, goTo, signIn, visit } from "./visitor.ts";

/** Forms and dialogs in the hands of a person who is in a hurry, or wrong. */

const missing = lacksChromium();
let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  if (missing) return;
  stack = await sharedStack();
  user = await stack.user({ balance: "100.00" });
  const name = `forms-${crypto.randomUUID().slice(0, 8)}`;
  await rented(stack, user, name, { specs: { cpu_cores: 2, ram_gb: 4 } });
});
afterAll(() => stack?.stop());

test.skipIf(missing)("Back closes a dialog, and leaves the page where it is", async () => {
  const { page } = await visit(`${stack.url}/wallet`);
  await signIn(page, user);
  await page.getByRole("link", { name: "Pools", exact: true }).click();
  await page.getByRole("button", { name: "Create a pool" }).first().click();
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Pools" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/pools");
  // Without a dialog it leads back, as ever.
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
});

test.skipIf(missing)(
  "a click meets its target though the field that it leaves gets an error above it",
  async () => {
    const page = await createContainer();
    await page.getByLabel("Name", { exact: true }).pressSequentially("Not a label");
    await page.getByText(MORE).click();
    await page.getByLabel("Variables", { exact: true }).waitFor();
    await page.locator(".field-error").getByText("Only small letters").waitFor();
  },
);

test.skipIf(missing)("what the API refuses stands beside its field, and the field is in view", async () => {
  const page = await createContainer();
  await page.getByLabel("Name", { exact: true }).fill("refused");
  await page.getByLabel("Image", { exact: true }).selectOption({ label: "From a registry" });
  await page.getByLabel("Reference").fill("no such image!!");
  await page.getByText(MORE).click();
  await expectRefusal(page, "Reference", /./);
  await page.getByLabel("Reference").fill("debian:13");
  await page.getByLabel("Cores").fill("64");
  await expectRefusal(page, "Cores", /^Must be at most 2/);
  await page.getByLabel("Cores").fill("");
  await page.getByLabel("Ports", { exact: true }).fill("web=8080\n5432");
  await expectRefusal(page, "Ports", /^Line 2: a name, = and a port/);
  await page.getByLabel("Ports", { exact: true }).fill("");
  await page.getByLabel("Variables", { exact: true }).fill("MODE=1\nA B=1");
  await expectRefusal(page, "Variables", /^Line 2: /);
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("refused");
});

test.skipIf(missing)(
  "a container gets a share that is there and one that is made with it; a refusal after that says what is made, and makes nothing twice",
  async () => {
    const call = as(stack, user);
    const { body: servers } = await call("GET", "/rentals");
    const [{ server_id }] = servers.data;
    const project_id = (await call("POST", "/projects", { name: "volumes" })).body.data.id;
    const here = { project_id, server_id };
    await call("POST", "/storage-shares", { ...here, name: "there", size_bytes: 1024 ** 3 });
    await call("POST", "/containers", { ...here, name: "taken" });
    const page = await createContainer();
    const create = page.getByRole("button", { name: "Create the container" });
    await page.locator("select[name=project]").selectOption({ label: "volumes" });
    await page.getByLabel("Name", { exact: true }).fill("taken");
    await page.getByLabel("Image", { exact: true }).selectOption({ label: "From a registry" });
    await page.getByLabel("Reference").fill("debian:13");
    await page.getByText("Volumes: files that stay").click();
    // The focus goes with the rows.
    const focusedName = () =>
      page.evaluate<string>("document.activeElement.name || document.activeElement.textContent");
    for (let index = 0; index < 2; index++) await page.getByRole("button", { name: "Add a volume" }).click();
    await page.getByRole("button", { name: "Remove volume 1" }).click();
    expect(await focusedName()).toBe("volumes.0.share_id");
    await page.getByRole("button", { name: "Remove volume 1" }).click();
    expect(await focusedName()).toBe("Add a volume");
    for (const [index, path] of ["srv", "/var/lib/new"].entries()) {
      await page.getByRole("button", { name: "Add a volume" }).click();
      expect(await focusedName()).toBe(`volumes.${index}.share_id`);
      await page.getByLabel("Appears at").nth(index).fill(path);
    }
    await page.getByLabel("Read only").first().check();
    await page.getByLabel("Storage share").nth(1).selectOption({ label: "A new storage share" });
    await page.getByLabel("Name of the new share").fill("there");
    await page.getByLabel("Its size, GiB").fill("1");
    await create.click();
    await page.locator(".field-error").getByText("It must begin with /.").waitFor();
    await page.getByLabel("Appears at").first().fill("/srv");
    await expectRefusal(page, "Name of the new share", /./);
    await page.getByLabel("Name of the new share").fill("fresh");
    await page.getByText("The same by command line").click();
    await page
      .getByText(/berth share create fresh .*\sberth containers create taken .*fresh:\/var\/lib\/new/)
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await expectRefusal(page, "Name", /./);
    await page.getByText("The storage share fresh is made, and chosen for the volume.").waitFor();
    const shares = async () => (await call("GET", "/storage-shares")).body.data.storage_shares;
    const [there, fresh] = await shares();
    expect([there.name, fresh.name]).toEqual(["there", "fresh"]);
    await page.getByLabel("Name", { exact: true }).fill("free");
    await create.click();
    await page.getByRole("heading", { level: 1, name: "free" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    expect((await call("GET", `/containers/${id}`)).body.data.volumes).toEqual([
      { share_id: there.id, path: "/srv", read_only: true },
      { share_id: fresh.id, path: "/var/lib/new", read_only: false },
    ]);
    expect(await shares()).toHaveLength(2);
  },
);

test.skipIf(missing)(
  "a double click on a button leaves the dialog open that it opens; a click beside it later closes it",
  async () => {
    const { page } = await visit(`${stack.url}/pools`);
    await signIn(page, user);
    const dialog = page.getByRole("dialog");
    for (const [path, name] of [
      ["/pools", "Create a pool"],
      ["/wallet", "Top up"],
    ] as const) {
      await goTo(page, path);
      await page.getByRole("button", { name }).first().dblclick();
      await dialog.waitFor();
      // What the second click would close is gone by the next frame.
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
      expect([path, await dialog.count()]).toEqual([path, 1]);
      await until(async () => {
        await page.mouse.click(5, 5);
        return (await dialog.count()) === 0;
      });
    }
  },
);

test.skipIf(missing)("a size that no storage share can have is refused at its field, in words", async () => {
  const { page } = await visit(`${stack.url}/storage?create=true`);
  await signIn(page, user);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("data");
  const size = dialog.getByLabel("Size, GiB");
  const error = dialog.locator(".field-error").getByText("Must be between 16 MiB and 8 TiB.");
  for (const wrong of ["0", "99999", "8192.001"]) {
    await size.fill(wrong);
    await dialog.getByRole("button", { name: "Create the storage share" }).click();
    await error.waitFor();
    await size.fill("1");
    await error.waitFor({ state: "detached" });
  }
});

test.skipIf(missing)(
  "a new container begins with its image, the catalogue's before a registry and the host's programs, and each choice is described",
  async () => {
    const alias = `forms-image-${crypto.randomUUID().slice(0, 8)}`;
    const description = `What ${alias} is for.`;
    await inCatalogue(stack, { alias, description, public: true });
    const page = await createContainer();
    const image = page.getByLabel("Image", { exact: true });
    const labels = await image.locator("option").allTextContents();
    expect(labels).toContain(alias);
    expect(labels.slice(-2)).toEqual(["From a registry", "None: the programs of the host"]);
    const hint = () =>
      image.evaluate((field) =>
        (field.getAttribute("aria-describedby") ?? "")
          .split(" ")
          .map((id: string) => field.ownerDocument.getElementById(id)?.textContent ?? "")
          .join(" "),
      );
    await image.selectOption({ label: alias });
    await until(async () => (await hint()).includes(description));
    await image.selectOption({ label: "From a registry" });
    await until(async () => (await hint()).includes("The images of the catalogue come first."));
    await page.getByLabel("Reference").waitFor();
  },
);

test.skipIf(missing)(
  "the page of a server says when it was rented and when it ends, each in a line with its date",
  async () => {
    const { page } = await visit(`${stack.url}/servers`);
    await signIn(page, user);
    await page.getByRole("link", { name: /^forms-/ }).click();
    const rental = page.getByRole("region", { name: "The rental" });
    const factOf = (title: string) =>
      rental.locator("dt", { hasText: new RegExp(`^${title}$`) }).locator("xpath=following-sibling::dd[1]");
    const date = String.raw`[A-Z][a-z]{2} \d{1,2}, \d{4}`;
    expect(await factOf("Rented").textContent()).toMatch(new RegExp(`^${date}, [^(]*$`));
    expect(await factOf("Ends").textContent()).toMatch(new RegExp(`^${date}, .* \\(.*\\)$`));
  },
);

const MORE = "Variables, ports, limits and labels";

async function createContainer(): Promise<Page> {
  const { page } = await visit(`${stack.url}/containers?create=true`);
  await signIn(page, user);
  await page.getByRole("button", { name: "Create the container" }).waitFor();
  return page;
}

async function expectRefusal(page: Page, label: string, message: RegExp): Promise<void> {
  await page.getByRole("button", { name: "Create the container" }).click();
  const field = page.getByLabel(label, { exact: true });
  const error = page.locator(".field").filter({ has: field }).locator(".field-error");
  await error.getByText(message).waitFor();
  await until(() => field.evaluate((one) => one === one.ownerDocument.activeElement));
}
