import { MAILED_LINK_MINUTES } from "../../../schemas/activity/mail.ts";
import { type Page, said, sayingPage } from "../../pages/page.ts";

const SIGN_IN = ["Sign in", "/sign-in"] as const;

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

export const recoveredPage = (): Page =>
  sayingPage({
    title: "Your password is set",
    text: "Sign in with it. This link is used up.",
    next: SIGN_IN,
  });

/** @param sendsMail whether another link can be asked for */
export const invalidLinkPage = (sendsMail: boolean): Page =>
  sayingPage({
    title: "The link is not valid",
    status: 400,
    text: `It was used or replaced, has expired, or is not whole: open all of the address in the mail.${sendsMail ? "" : " Or ask an administrator for another one."}`,
    ...(sendsMail ? { next: ["Ask for another one", "/recover"] } : {}),
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
<p>Do you know it after all? <a href="/sign-in">Sign in</a></p>
</div>`,
});

export const askedPage = (): Page =>
  sayingPage({
    title: "Look at your mail",
    text: `If an account has this address, a link is on its way. It is good for ${MAILED_LINK_MINUTES} minutes. Nothing came? Look among spam, and whether it is the address of your account.`,
    next: SIGN_IN,
  });

export const noMailPage = (): Page =>
  sayingPage({
    title: "No links by mail",
    status: 409,
    text: "This Berth sends no mail. An administrator can give you a link that sets a new password.",
    next: SIGN_IN,
  });
