import type { Page } from "../../payments/page.ts";

const said = (title: string, text: string, kind = "") =>
  `<div class="said ${kind}" role="status"><strong>${title}</strong>${text}</div>`;

/** The page of a recovery link. @param problem why the last try set no password */
export const recoveryPage = (problem?: string): Page => ({
  title: "Set a new password",
  ...(problem === undefined ? {} : { status: 400 }),
  html: `<div class="inside">
<h1>Set a new password</h1>
<p>An administrator lets you set a new password for your account. All its sessions end.</p>
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
  html: `<div class="inside">${said("Done", "Your password is set. Sign in with it; this link is used up.")}</div>`,
});

export const invalidLinkPage = (): Page => ({
  title: "The link is not valid",
  status: 400,
  html: `<div class="inside">${said("The link is not valid", "It was used or replaced, or has expired. Ask an administrator for another one.", "bad")}</div>`,
});
