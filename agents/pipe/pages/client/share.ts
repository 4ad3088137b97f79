/** A share is renewed when less than this is left of it: whoever gets it needs time to open it. */
const LEFT_MS_MIN = 30 * 60_000;

let kept: { readonly name: string; readonly token: string; readonly endsAt: number } | undefined;

/** A token with which somebody else receives from a path. @throws Error that says why there is none */
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
