import type { Proof } from "./acme.ts";

/** A hook waits until the record is seen by the domain's name servers, which takes minutes at some providers. */
const HOOK_MS_MAX = 10 * 60_000;
const REASON_LENGTH_MAX = 300;

/**
 * Proves the control of a name by a TXT record, which a program of the operator makes and removes: it is called with `present` or
 * `cleanup`, the record's name and its value. It gets no settings of Berth, and so no secrets.
 */
export function dnsHook(program: string): Proof {
  const run = async (what: "present" | "cleanup", name: string, value: string): Promise<void> => {
    const { PATH, HOME } = process.env;
    const child = Bun.spawn([program, what, name, value], {
      env: { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }) },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: HOOK_MS_MAX,
    });
    const [code, said] = await Promise.all([child.exited, child.stderr.text()]);
    if (code !== 0)
      throw new Error(`the DNS hook ended with ${code}: ${said.trim().slice(0, REASON_LENGTH_MAX)}`);
  };
  return {
    type: "dns-01",
    publish: ({ token, key_authorization }) => run("present", token, key_authorization),
    withdraw: ({ token, key_authorization }) => run("cleanup", token, key_authorization),
  };
}
