import { afterAll, beforeAll, expect, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { startHost, tenant } from "../routes/hosting/container/hosting.ts";
import { signIn, visit } from "./visitor.ts";

/** The files of a container behind a bad connection. What its host would answer is answered in the browser. */

const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (!missing) stack = await sharedStack();
});
afterAll(() => stack?.stop());

const HEADERS = { "access-control-allow-origin": "*", "content-type": "application/json" };
const folderOf = (...entries: { name: string; type: string }[]) => ({
  headers: HEADERS,
  json: {
    entries: entries.map((entry) => ({
      ...entry,
      ...{ address: entry.name, link: false, size: 0, modified: "2026-01-31T09:30:00.000Z" },
    })),
    truncated: false,
  },
});

test.skipIf(missing)(
  "files that are not reached are not blamed on a certificate that was good, and come back by themselves; a folder that was written to is not called empty",
  async () => {
    const server = await stack.serverName();
    const ours = await tenant(stack, server);
    const id = await ours.container("web");
    const host = await startHost(stack, server);
    await host.reportContainer(id, {});
    const { page } = await visit(`${stack.url}/containers/${id}/files`);
    await page.route(/\/files\/?$/, (route) => route.fulfill(folderOf({ name: "sub", type: "folder" })));
    await page.route(/\/files\/sub/, (route) => route.abort());
    await signIn(page, ours.user);
    await page.getByRole("button", { name: "Open sub" }).click();
    const note = page.getByRole("alert");
    await note.getByText("The container's files cannot be reached.").waitFor();
    await note.getByRole("button", { name: "Try again" }).waitFor();
    expect(await note.textContent()).not.toContain("certificate");
    await page.unroute(/\/files\/sub/);

    // From here on the list is answered when the test says so.
    let answer: () => Promise<void> = async () => {};
    let isHeld = false;
    let entries: { name: string; type: string }[] = [];
    await page.route(/\/files\/sub/, async (route) => {
      if (route.request().method() === "PUT") {
        entries = [{ name: "note.txt", type: "file" }];
        isHeld = true;
        return route.fulfill({ status: 201, headers: HEADERS, json: {} });
      }
      const reply = () => route.fulfill(folderOf(...entries));
      if (!isHeld) return reply();
      answer = reply;
    });
    const empty = page.getByText("This folder is empty");
    await empty.waitFor();
    const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("a note") };
    await page.getByLabel("Files to upload").setInputFiles([file]);
    await page.getByRole("list", { name: "Uploads" }).getByText("stored").waitFor();
    await empty.waitFor({ state: "detached" });
    await answer();
    await page.getByRole("button", { name: "Download note.txt" }).waitFor();
    await host.close();
  },
);
