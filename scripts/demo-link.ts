/** A link into the demo container for a browser, valid for some minutes. */
export interface DemoLink {
  readonly container: string;
  readonly terminal: string;
  readonly minutes: number;
}

/** Why there is no link, although there is a demo. */
export interface FailedLink {
  readonly failure: string;
}

/** A machine that is busy with the start takes seconds for the sign-in alone. */
const ASK_MS_MAX = 15_000;
const SECONDS_PER_MINUTE = 60;

interface Envelope<Data> {
  readonly data: Data;
}

/**
 * Undefined when there is no container. Nothing depends on the link: what goes wrong is a reason to say.
 * @param askMsMax the longest that one request may take
 */
export async function createDemoLink(
  url: string,
  { name, password }: { name: string; password: string },
  askMsMax = ASK_MS_MAX,
): Promise<DemoLink | FailedLink | undefined> {
  const ask = async <Data>(method: string, path: string, token: string, body?: unknown): Promise<Data> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(askMsMax),
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
  } catch (error) {
    return { failure: (error as Error).message };
  }
}
