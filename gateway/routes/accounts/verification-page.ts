import { type Page, sayingPage } from "../../pages/page.ts";

/** The pages of a link that verifies an address. */

interface Verification {
  readonly username: string;
  readonly email: string;
}

const namesOf = ({ username, email }: Verification) => ({
  account: `<bdi>${Bun.escapeHTML(username)}</bdi>`,
  address: `<strong>${Bun.escapeHTML(email)}</strong>`,
});

export function verifyPage(verification: Verification): Page {
  const { account, address } = namesOf(verification);
  return {
    title: "Verify your e-mail address",
    html: `<div class="inside">
<h1>Verify your e-mail address</h1>
<p>The account ${account} has the address ${address}. Once it is verified, notices of what you must not miss are sent there.</p>
<form method="post"><button class="pay">Verify the address</button></form>
</div>`,
  };
}

export function verifiedPage(verification: Verification): Page {
  const { account, address } = namesOf(verification);
  return sayingPage({
    title: "Your address is verified",
    text: `Notices for the account ${account} are sent to ${address}.`,
    next: ["Choose which notices are sent", "/account/notifications"],
  });
}

export const invalidVerificationPage = (): Page =>
  sayingPage({
    title: "The link is not valid",
    status: 400,
    text: "It was replaced by a newer one, has expired, or is not whole: open all of the address in the mail. Under Account, Notifications, you see whether your address is verified, and have another link sent.",
    next: ["To the notifications", "/account/notifications"],
  });
