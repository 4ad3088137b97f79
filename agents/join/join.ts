import { mkdirSync } from "node:fs";
import "../../system/native-signatures.ts";
import { createUser, fmtCreds } from "@nats-io/jwt";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import {
  type EnrolHost,
  type HostCredential,
  HostCredentialReply,
  type HostFacts,
} from "../../schemas/hosting/host.ts";
import { writeAtomically } from "../../system/atomic-file.ts";
import { withCredential } from "../../system/nats-url.ts";
import type { FoundRuntime } from "../containers/oci/runtime-program.ts";
import { readHostFacts } from "../control-plane/host-facts.ts";
import { credentialFile, joinedSettingsFile } from "./credential-file.ts";

/** A machine on the far side of the world, and a control plane that is busy. */
const REPLY_MS_MAX = 30_000;

export interface JoinOptions {
  /** Of the control plane: https://berth.example */
  readonly url: string;
  /** The one-time token. */
  readonly token: string;
  /** The agent's folder, which is made. */
  readonly folder: string;
  readonly driver: HostFacts["driver"];
  /** The OCI runtime that its agent will use. */
  readonly runtime?: FoundRuntime | null;
  /** What the operator named it by, for the agent's settings. */
  readonly runtimeSetting?: string | undefined;
  /** The host that the folder belongs to: a token of another one is refused before it is used. */
  readonly expectedName?: string | undefined;
}

export interface Joined {
  readonly name: string;
  /** The agent's settings, for its environment. */
  readonly settings: Readonly<Record<string, string>>;
  /** The file with these settings. */
  readonly file: string;
}

/** The control plane does not let the machine join. The message is for the person at the terminal. */
export class JoinError extends Error {
  override readonly name: string = "JoinError";
}

/** The token is good, and for another host than the one expected. It was not used. */
export class OtherHostError extends JoinError {
  constructor(readonly host: string) {
    super(`the token is for the host ${host}`);
  }
}

const OtherHostReply = Type.Object({
  code: Type.Literal("ENROLMENT_INVALID"),
  data: Type.Object({ host: Type.String() }),
});

/**
 * Joins this machine to a control plane: makes a key, which stays here, has it signed by means of the one-time token, and writes the
 * credential and the settings of the agent. @throws JoinError
 */
export async function join(options: JoinOptions): Promise<Joined> {
  const { url, token, folder, driver, runtime = null, runtimeSetting, expectedName } = options;
  const key = createUser();
  const version = driver === "oci" && runtime !== null ? `${runtime.name} ${runtime.version}` : null;
  const facts = await readHostFacts(folder, driver, version);
  const expected = expectedName === undefined ? {} : { expected_name: expectedName };
  const credential = await enrol(url, { token, public_key: key.getPublicKey(), facts, ...expected });
  // The ids of containers have to pass through.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const creds = credentialFile(folder);
  await writeAtomically(creds, new TextDecoder().decode(fmtCreds(credential.jwt, key)));
  const settings = {
    NATS_URL: withCredential(credential.nats_url, creds),
    BERTH_SERVER_NAME: credential.server_name,
    BERTH_DATA: folder,
    BERTH_CONTAINER_DOMAIN: credential.container_domain,
    ...(runtimeSetting === undefined ? {} : { BERTH_RUNTIME: runtimeSetting }),
  };
  const file = joinedSettingsFile(folder);
  await writeAtomically(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  return { name: credential.server_name, settings, file };
}

async function enrol(url: string, body: EnrolHost): Promise<HostCredential> {
  const response = await fetch(new URL("/api/v1/hosts/enrol", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REPLY_MS_MAX),
  }).catch((cause) => {
    throw new JoinError(`no control plane answers at ${url}: ${cause.message}`, { cause });
  });
  const reply: unknown = await response.json().catch(() => undefined);
  if (response.ok && Value.Check(HostCredentialReply, reply)) return reply.data;
  if (Value.Check(OtherHostReply, reply)) throw new OtherHostError(reply.data.host);
  const said = (reply as { message?: unknown } | undefined)?.message;
  throw new JoinError(
    typeof said === "string" ? said : `what answers at ${url} is no Berth (HTTP ${response.status})`,
  );
}
