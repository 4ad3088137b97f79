import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacks } from "../../agents/requirements.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { until } from "../../harness/until.ts";
import { byKeyboard, type Hands } from "./hands.ts";
import { startRealHost } from "./real-host.ts";
import { signIn, visit } from "./visitor.ts";

/** Projects and files for who has no mouse: each thing is reached by Tab, and what is gone does not take the focus along. */

const missing = lacksChromium() || lacks("root", "nft", "ip", "oci");
let host: Awaited<ReturnType<typeof startRealHost>>;
let page: Page;
let hands: Hands;
beforeAll(async () => {
  if (!missing) host = await startRealHost("oci");
});
afterAll(() => host?.stop());
beforeEach(async () => {
  if (missing) return;
  ({ page } = await visit(host.stack.url));
  hands = byKeyboard(page);
  await signIn(page, host.ours.user);
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const press = (name: string) => hands.press(button(name));
const confirm = (name: string) =>
  hands.press(page.getByRole("dialog").getByRole("button", { name, exact: true }));
const write = (label: string, text: string) =>
  hands.write(page.getByRole("dialog").getByLabel(label, { exact: true }), text);

/** Waits until the dialog is closed and something of this kind has the focus. */
async function focusIsOn(selector: string): Promise<void> {
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await until(() => page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`));
}

/** The page's heading, or the page where it had none yet. */
const PAGE = "h1, #page";

test.skipIf(missing)("a project is created, renamed and deleted by keyboard alone", async () => {
  await hands.goTo("Projects");
  await press("Create a project");
  await write("Name", "shop");
  await write("What for", "The shop's containers");
  await confirm("Create the project");
  await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
  await focusIsOn(PAGE);

  await press("Rename or describe");
  await write("Name", "store");
  await confirm("Save");
  await page.getByRole("heading", { level: 1, name: "store" }).waitFor();
  await page.getByRole("definition").getByText("The shop's containers").waitFor();
  await focusIsOn("button");

  await press("Delete");
  await confirm("Delete the project");
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  await page.getByRole("link", { name: "store", exact: true }).waitFor({ state: "detached" });
  await focusIsOn(PAGE);
});

test.skipIf(missing)(
  "a project that holds a container says so, and cannot be deleted by accident",
  async () => {
    await hands.goTo("Projects");
    await hands.press(page.getByRole("table").getByRole("link").first());
    await press("Delete");
    await page.getByText("It still has 1 container: delete these first.").waitFor();
    expect(await button("Delete the project").isDisabled()).toBe(true);
    await confirm("Cancel");
    await focusIsOn("button");
  },
);

test.skipIf(missing)(
  "a file is uploaded, renamed, moved, downloaded and deleted by keyboard alone",
  async () => {
    const inside = async (line: string): Promise<string> =>
      (await host.ours.call("POST", `/${host.containerId}/exec`, { command: ["sh", "-c", line] })).body.data
        .stdout;
    await inside("mkdir -p /srv/keys");
    await hands.goTo("Files of web");
    await press("Open srv");
    await press("Open keys");
    await page.getByText("This folder is empty").waitFor();

    const bytes = Buffer.from("written without a mouse\n");
    const chooser = page.waitForEvent("filechooser");
    await press("Upload files");
    await (await chooser).setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: bytes });
    await press("Rename notes.txt");
    await write("New name", "kept.txt");
    await confirm("Rename");
    await button("Download kept.txt").waitFor();
    // The row of the former name is gone: the way goes on from its list.
    await focusIsOn("tbody");

    await press("New folder");
    await write("Name", "old");
    await confirm("Create the folder");
    await press("Rename kept.txt");
    await write("New name", "/srv/keys/old/kept.txt");
    await confirm("Rename");
    await button("Download kept.txt").waitFor({ state: "detached" });
    await focusIsOn("tbody");

    await press("Open old");
    const download = page.waitForEvent("download");
    await press("Download kept.txt");
    expect(await Bun.file(await (await download).path()).text()).toBe(bytes.toString());
    await press("Delete kept.txt");
    await confirm("Delete the file");
    await page.getByText("This folder is empty").waitFor();
    await focusIsOn("#page, #page *");
    expect(await inside("ls -A /srv/keys/old")).toBe("");
  },
);
