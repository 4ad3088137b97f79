import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDirectory } from "../../../../actors/hosting/certificate/acme.ts";
import { readAcme } from "../../../../actors/platform/acme-settings.ts";
import { checkAuthority } from "../../../../scripts/doctor/certificates.ts";
import { freePort, temporaryFolder } from "../../../harness/servers.ts";

const page = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: {
    "/page": new Response("<p>a page</p>"),
    "/directory": Response.json({ newOrder: "https://a/order" }),
  },
  fetch: () => new Response("not found", { status: 404 }),
});
const address = `http://127.0.0.1:${page.port}`;
afterAll(() => page.stop(true));

test("an authority that cannot be reached, or is none, is an error that has its URL and the cause", async () => {
  const away = `https://127.0.0.1:${await freePort()}/directory`;
  await expect(checkDirectory(away, undefined)).rejects.toThrow(
    `the ACME authority ${away} cannot be reached: `,
  );
  await expect(checkDirectory(`${address}/nowhere`, undefined)).rejects.toThrow(
    `the ACME authority ${address}/nowhere answers 404: it is no ACME directory`,
  );
  await expect(checkDirectory(`${address}/page`, undefined)).rejects.toThrow("it names no newOrder");
  await checkDirectory(`${address}/directory`, undefined);
});

test("berth doctor says it too, and nothing where no authority is named", async () => {
  expect(await checkAuthority({})).toEqual([]);
  const [well] = await checkAuthority({ BERTH_ACME_URL: `${address}/directory` });
  expect(well?.state).toBe("ok");
  const [found] = await checkAuthority({ BERTH_ACME_URL: `${address}/page` });
  expect(found).toMatchObject({ state: "fault", found: expect.stringContaining(`${address}/page`) });
});

test("names and a hook need an authority, and the files of the settings are checked at the start", () => {
  const folder = temporaryFolder();
  const plain = join(folder, "plain");
  const hook = join(folder, "hook");
  writeFileSync(plain, "");
  writeFileSync(hook, "#!/bin/sh\n", { mode: 0o755 });
  const env = { BERTH_ACME_URL: "https://a/directory", BERTH_ACME_TERMS_AGREED: "yes" };
  for (const [given, reason] of [
    [{ BERTH_ACME_NAMES: "a.example" }, "BERTH_ACME_NAMES needs BERTH_ACME_URL"],
    [{ BERTH_ACME_DNS_HOOK: hook }, "BERTH_ACME_DNS_HOOK needs BERTH_ACME_URL"],
    [{ ...env, BERTH_ACME_DNS_HOOK: plain }, `BERTH_ACME_DNS_HOOK: this process may not run ${plain}`],
    [{ ...env, BERTH_ACME_DNS_HOOK: folder }, `BERTH_ACME_DNS_HOOK: ${folder} is no file`],
    [
      { ...env, BERTH_ACME_ROOT: join(folder, "none") },
      `BERTH_ACME_ROOT: ${join(folder, "none")} is not there`,
    ],
  ] as const)
    expect(() => readAcme(given)).toThrow(reason);
  expect(readAcme({ ...env, BERTH_ACME_DNS_HOOK: hook, BERTH_ACME_ROOT: plain })).toMatchObject({
    dnsHook: hook,
  });
});
