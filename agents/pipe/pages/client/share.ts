/** A share token is renewed when less than this is left: the recipient needs time to open the link. */
const LEFT_MS_MIN = 30 * 60_000;

let kept: { readonly name: string; readonly token: string; readonly endsAt: number } | undefined;

/** Requests a token with which others can receive from a path. @throws Error with the reason of a refusal */
export async function shareToken(name: string): Promise<string> {
  if (kept?.name === name && kept.endsAt - Date.now() > LEFT_MS_MIN) return kept.token;
  const response = await fetch(`/share?${new URLSearchParams({ path: name })}`, { method: "POST" });
  if (!response.ok) {
    const said = response.status === 401 ? "sign in again, then reload this page." : await response.text();
    throw new Error(said.replace(/^\[ERROR\] /, "").trim());
  }
  const { share_token: token, expires_in: seconds } = await response.json();
  kept = { name, token, endsAt: Date.now() + seconds * 1_000 };
  return token;
}
