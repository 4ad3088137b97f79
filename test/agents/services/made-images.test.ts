import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { pino } from "pino";
import { Images } from "../../../agents/containers/images/images.ts";
import { ImageStore } from "../../../agents/containers/images/store.ts";
import { DEFAULT_LIMITS } from "../../../agents/containers/limits.ts";
import { parseImageReference } from "../../../schemas/hosting/image-reference.ts";
import { RECIPES } from "../../../scripts/image-make.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { openPage } from "../../harness/open-page.ts";
import { until } from "../../harness/until.ts";
import { newDriver } from "../containers/new-driver.ts";
import { testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { servedContainer } from "./served-container.ts";

setDefaultTimeout(300_000);

/** A store with what `berth image make` has made: it takes minutes and gigabytes, and is not made for a test. */
const STORE = process.env.BERTH_TEST_IMAGE_STORE;

async function lacksImage(name: keyof typeof RECIPES): Promise<boolean> {
  if (STORE !== undefined) {
    const store = new ImageStore(STORE);
    await store.open();
    if ((await store.imported(parseImageReference(RECIPES[name].reference))) !== null) return false;
  }
  console.log(
    `skipped: no image ${name} (\`berth image make ${name}\`, and BERTH_TEST_IMAGE_STORE names the store)`,
  );
  return true;
}

async function run(name: keyof typeof RECIPES) {
  const settings = { local: new Map(), mirrors: new Map(), credentialsFile: null };
  const log = pino({ level: "silent" });
  const images = new Images({ folder: STORE ?? "", settings, limits: DEFAULT_LIMITS, log });
  const made = { images, image: RECIPES[name].reference };
  const container = await servedContainer(newDriver(testPool(10)), { urlArg: false }, null, made);
  const inside = async (script: string) =>
    (await container.execTarget()?.run({ user: "dev", argv: ["/bin/sh", "-c", script] }))?.stdout.trim() ??
    "";
  const open = async (program: string) =>
    openPage(`${container.expose(program, program)}/?access_token=${await container.token()}`, {
      ignoreHTTPSErrors: true,
    });
  return { container, inside, open };
}

const [hasNoCode, hasNoDesktop] = [await lacksImage("code"), await lacksImage("desktop")];
describe.skipIf(lacks("root", "nft", "ip", "oci") || lacksChromium())(
  "images that are made on a machine",
  () => {
    test.skipIf(hasNoCode)(
      "the editor opens a folder of the container, writes files and has a terminal, as the image's user",
      async () => {
        const { container, inside, open } = await run("code");
        await using _ = container;
        await inside("echo 'from the container' >/home/dev/notes.txt");
        const { page } = await open("code");
        await page.getByRole("treeitem", { name: "notes.txt" }).dblclick();
        await page.locator(".view-lines").getByText("from the container").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type(", and from the editor");
        await page.keyboard.press("Control+s");
        const written = "from the container\n, and from the editor";
        await until(async () => (await inside("cat /home/dev/notes.txt")) === written);
        await page.keyboard.press("Control+`");
        await page.locator(".terminal .xterm-screen").click();
        await page.keyboard.type("id -un >/home/dev/who\n");
        await until(async () => (await inside("cat /home/dev/who")) === "dev");
      },
    );

    test.skipIf(hasNoDesktop)(
      "the desktop has a window manager's session, and its programs run as the image's user",
      async () => {
        const { container, inside, open } = await run("desktop");
        await using _ = container;
        const { page, errors } = await open("display");
        await page.waitForSelector('main[data-state="connected"]');
        await until(async () => (await inside("pgrep -u dev icewm")) !== "");
        await inside("DISPLAY=:1 pcmanfm /home/dev </dev/null >/dev/null 2>&1 &");
        await until(async () => (await inside("pgrep -u dev pcmanfm")) !== "");
        expect(await inside("pgrep -u dev Xtigervnc || pgrep -u dev Xvnc")).not.toBe("");
        expect(errors).toEqual([]);
      },
    );
  },
);
