import { Resolver } from "node:dns/promises";
import { PROOF_LABEL } from "../../../schemas/hosting/domain.ts";
import type { Look } from "./rules.ts";

/** A name server answers within milliseconds, or after having asked others within a second or two. */
const LOOK_MS_MAX = 5_000;
const TRIES = 2;
/** Text that a stranger has written is shown to a user. */
const FOUND_LENGTH_MAX = 100;

export interface Sought {
  readonly domain: string;
  /** The value of the TXT record. */
  readonly token: string;
  /** Where a CNAME may lead. */
  readonly target: string;
}

/** Looks for the proof of a domain in DNS. @param servers name servers with a port; none: the system's */
export function domainLooker(servers: readonly string[]): (sought: Sought) => Promise<Look> {
  return async ({ domain, token, target }) => {
    const resolver = new Resolver({ timeout: LOOK_MS_MAX, tries: TRIES });
    if (servers.length > 0) resolver.setServers([...servers]);
    const [texts, aliases] = await Promise.all([
      answers(resolver.resolveTxt(`${PROOF_LABEL}.${domain}`)),
      answers(resolver.resolveCname(domain)),
    ]);
    const values = texts.found.map((parts) => parts.join(""));
    if (values.includes(token)) return { proof: "txt", error: null };
    if (aliases.found.some((name) => normalized(name) === target)) return { proof: "cname", error: null };
    const away = texts.error ?? aliases.error;
    if (away !== undefined) return { proof: null, error: `the name servers did not answer: ${away}` };
    const [other] = values;
    const text =
      other === undefined ? "there is none" : `there is ${JSON.stringify(other.slice(0, FOUND_LENGTH_MAX))}`;
    const [elsewhere] = aliases.found;
    const leads =
      elsewhere === undefined
        ? "there is none"
        : `it leads to ${normalized(elsewhere).slice(0, FOUND_LENGTH_MAX)}`;
    return {
      proof: null,
      error: `neither proof is there: of the TXT record ${PROOF_LABEL}.${domain} ${text}; of the CNAME ${leads}`,
    };
  };
}

const normalized = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** A name or a record that does not exist is an answer too. */
async function answers<T>(query: Promise<T[]>): Promise<{ found: T[]; error?: string }> {
  try {
    return { found: await query };
  } catch (error) {
    const { code = "unknown" } = error as { code?: string };
    return ["ENOTFOUND", "ENODATA"].includes(code) ? { found: [] } : { found: [], error: code };
  }
}
