import type { Page } from "../pages/page.ts";

const BANNER = `<p class="banner"><strong>Sandbox.</strong> This is no real code host: whoever names a person here is that person.</p>`;

/** The page on which a person of the sandbox agrees to a link, or does not. @param redirectUri where the buttons lead */
export function consentPage(redirectUri: string, problem?: string): Page {
  const html = `${BANNER}
<div class="inside">
<h1>Link your identity</h1>
<p>Berth asks who you are at this code host, and for nothing else.</p>
${problem === undefined ? "" : `<div class="said bad" role="alert"><strong>Not linked yet</strong>${problem}</div>`}
<form method="post">
<label for="login">Your name at the code host</label>
<input id="login" name="login" value="octocat" maxlength="39" autocomplete="off" spellcheck="false">
<button class="pay" name="action" value="allow">Allow<span>Berth learns this name, and the number that belongs to it.</span></button>
<button name="action" value="deny">Deny<span>Nothing is linked.</span></button>
</form>
</div>`;
  return {
    title: "Link your identity",
    html,
    formsTo: redirectUri,
    ...(problem === undefined ? {} : { status: 400 }),
  };
}
