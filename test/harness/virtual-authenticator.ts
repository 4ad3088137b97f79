import type { Page } from "playwright-core";

/** Gives a page a device that makes passkeys and verifies its person, as Chromium has it for tests. */
export async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The address of a control plane by the name to which passkeys belong. */
export const localhostOf = (url: string): string => url.replace("127.0.0.1", "localhost");
