import { afterAll, beforeAll, test } from "bun:test";
import { lacksChromium } from "../../harness/browser.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { imageFields } from "../routes/hosting/image/catalogue.ts";
import { signIn, visit } from "./visitor.ts";

/** With a control plane of its own: hosts of other tests would try to pull the image too. */

const missing = lacksChromium();
let stack: EmbeddedStack;
beforeAll(async () => {
  if (!missing) stack = await startEmbeddedStack();
});
afterAll(() => stack?.stop());

test.skipIf(missing)(
  "an administrator sees on how many hosts an image is kept ready, and why a host cannot have it",
  async () => {
    const operator = await stack.user({ role: "admin" });
    const admin = as(stack, operator);
    const reference = `docker.io/library/${crypto.randomUUID()}:1`;
    const image = { ...imageFields(), reference, prespawn: true };
    const { alias } = (await admin("POST", "/admin/images", image)).body.data;
    const digest = `sha256:${"a".repeat(64)}`;
    const states = {
      ready: { reference, state: "ready", digest, error: null },
      pulling: { reference, state: "pulling", digest: null, error: null },
      error: { reference, state: "error", digest: null, error: "its registry does not answer" },
    } as const;
    const hosts: string[] = [];
    for (const name of ["first", "second"]) {
      const { body } = await admin("POST", "/admin/hosts", { name });
      hosts.push(body.data.id);
    }
    const [first = "", second = ""] = hosts;
    const report = (id: string, state: keyof typeof states) =>
      stack.actors.host(id).report_images({ images: [states[state]] });
    await report(first, "ready");
    await report(second, "pulling");
    const { page } = await visit(`${stack.url}/operator/images`);
    await signIn(page, operator);
    const row = page.getByRole("row", { name: alias });
    await row.getByText("ready on 1 of 2").waitFor();
    await report(second, "error");
    await page.reload();
    await row.getByText("1 of 2 cannot pull it").waitFor();
    await row.getByTitle("its registry does not answer").waitFor();
    await report(second, "ready");
    await page.reload();
    await row.getByText("ready on 2 of 2").waitFor();
    for (const id of hosts) await admin("DELETE", `/admin/hosts/${id}`);
    await page.reload();
    await row.getByText("ready on 0 of 0").waitFor();
  },
);
