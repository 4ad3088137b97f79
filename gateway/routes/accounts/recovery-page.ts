import { MAILED_LINK_MINUTES } from "../../../schemas/activity/mail.ts";
import type { Page } from "../../payments/page.ts";

const said = (title: string, text: string, kind = "") =>
  `<div class="said ${kind}" role="status"><strong>${title}</strong>${text}</div>`;
/** A page that says one thing. */
const saying = (title: string, text: string, kind = "") =>
  `<h1>${title}</h1>\n<div class="said ${kind}" role="status">${text}</div>`;
const SIGN_IN = '<p><a class="button" href="/sign-in">Sign in</a></p>';

/** What a link of either kind does. */
const MEANINGS = {
  administrator: "An administrator lets you set a new password for your account. All its sessions end.",
  mail: "Set a new password for your account. All its sessions end; a second factor stays.",
} as const;

/** The page of a recovery link. @param problem why the last try set no password */
export const recoveryPage = (way: keyof typeof MEANINGS, problem?: string): Page => ({
  title: "Set a new password",
  ...(problem === undefined ? {} : { status: 400 }),
  html: `<div class="inside">
<h1>Set a new password</h1>
<p>${MEANINGS[way]}</p>
${problem === undefined ? "" : said("Not changed", Bun.escapeHTML(problem), "bad")}
<form method="post">
<label for="password">New password, 10 to 256 characters</label>
<input id="password" name="new_password" type="password" minlength="10" maxlength="256" autocomplete="new-password" required>
<button class="pay">Set the password</button>
</form>
</div>`,
});

export const recoveredPage = (): Page => ({
  title: "Your password is set",
  html: `<div class="inside">${saying("Your password is set", "Sign in with it. This link is used up.")}
${SIGN_IN}</div>`,
});

/** @param sendsMail whether another link can be asked for */
export const invalidLinkPage = (sendsMail: boolean): Page => ({
  title: "The link is not valid",
  status: 400,
  html: `<div class="inside">${saying(
    "The link is not valid",
    `It was used or replaced, or has expired. ${sendsMail ? '<a href="/recover">Ask for another one</a>.' : "Ask an administrator for another one."}`,
    "bad",
  )}</div>`,
});

/** The page that asks for a link. @param problem why none was asked for */
export const askPage = (problem?: string, status = 400): Page => ({
  title: "Forgot your password?",
  ...(problem === undefined ? {} : { status }),
  html: `<div class="inside">
<h1>Forgot your password?</h1>
<p>Give the e-mail address of your account. A link that sets a new password is sent there.</p>
${problem === undefined ? "" : said("Not sent", Bun.escapeHTML(problem), "bad")}
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email" required>
<button class="pay">Send the link</button>
</form>
${SIGN_IN}
</div>`,
});

export const askedPage = (): Page => ({
  title: "Look at your mail",
  html: `<div class="inside">${saying(
    "Look at your mail",
    `If an account has this address, a link is on its way. It is good for ${MAILED_LINK_MINUTES} minutes. Nothing came? Look among spam, and whether it is the address of your account.`,
  )}${SIGN_IN}</div>`,
});

export const noMailPage = (): Page => ({
  title: "No links by mail",
  status: 409,
  html: `<div class="inside">${saying(
    "No links by mail",
    "This Berth sends no mail. An administrator can give you a link that sets a new password.",
  )}${SIGN_IN}</div>`,
});

/** The page of a link that verifies an address. */
export const verifyPage = (): Page => ({
  title: "Verify your e-mail address",
  html: `<div class="inside">
<h1>Verify your e-mail address</h1>
<p>Notices of what you must not miss are sent to it from then on.</p>
<form method="post"><button class="pay">Verify the address</button></form>
</div>`,
});

export const verifiedPage = (): Page => ({
  title: "Your address is verified",
  html: `<div class="inside">${saying("Your address is verified", "You choose which notices are mailed in the console, under Account, Notifications.")}</div>`,
});
