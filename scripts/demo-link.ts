/** A link into the demo container for a browser, valid for some minutes. */
export interface DemoLink {
  readonly container: string;
  readonly terminal: string;
  readonly minutes: number;
}

const ASK_MS_MAX = 5_000;
const SECONDS_PER_MINUTE = 60;

interface Envelope<Data> {
  readonly data: Data;
}

/** Undefined when there is no container, or the API refuses this user. Nothing depends on the link. */
export async function createDemoLink(
  url: string,
  { name, password }: { name: string; password: string },
): Promise<DemoLink | undefined> {
  const ask = async <Data>(method: string, path: string, token: string, body?: unknown): Promise<Data> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(ASK_MS_MAX),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return ((await response.json()) as Envelope<Data>).data;
  };
  try {
    const signIn = { username: name, password };
    const { access_token } = await ask<{ access_token: string }>("POST", "/auth/login", "", signIn);
    const { containers } = await ask<{ containers: { id: string; name: string }[] }>(
      "GET",
      "/containers",
      access_token,
    );
    const [first] = containers;
    if (first === undefined) return undefined;
    const access = await ask<{ access_token: string; expires_in: number; urls: { terminal: string } }>(
      "POST",
      `/containers/${first.id}/access`,
      access_token,
    );
    return {
      container: first.name,
      terminal: `${access.urls.terminal}/?access_token=${access.access_token}`,
      minutes: access.expires_in / SECONDS_PER_MINUTE,
    };
  } catch {
    return undefined;
  }
}
