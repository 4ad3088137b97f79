import { readFile } from "node:fs/promises";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { DOCKER_HUB } from "../../../schemas/hosting/image-reference.ts";
import { PullError } from "./pull-error.ts";

/** Where images are asked for, and with which credentials. */

export interface RegistrySettings {
  /** Registries in the operator's own network, by host. Only these may speak plain HTTP or have a private address. */
  readonly local: ReadonlyMap<string, URL>;
  /** What is asked before a registry, by the registry's host. The operator trusts them. */
  readonly mirrors: ReadonlyMap<string, readonly URL[]>;
  /** A file as `docker login` writes it, with the credentials of this host; null: none. It is read at each pull. */
  readonly credentialsFile: string | null;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A server that is asked for an image. */
export interface Endpoint {
  readonly url: URL;
  /** The operator named it: it may be anywhere, and lead anywhere. Any other is on the internet and speaks TLS. */
  readonly isTrusted: boolean;
  readonly credentials: Credentials | null;
  /** Whose they are, in words. */
  readonly owner: "host" | "project";
}

const HUB_URL = "https://registry-1.docker.io";
/** Under which Docker keeps the Hub's credentials. */
const HUB_KEYS = ["https://index.docker.io/v1/", "index.docker.io", DOCKER_HUB, "registry-1.docker.io"];

/**
 * The servers to ask for images of a registry, in this order.
 *
 * @param own the credential of who asks, for the registry alone, in place of the host's
 */
export async function endpointsOf(
  registry: string,
  settings: RegistrySettings,
  own: Credentials | null = null,
): Promise<Endpoint[]> {
  const credentials = await readCredentials(settings.credentialsFile);
  const local = settings.local.get(registry);
  const url = local ?? new URL(registry === DOCKER_HUB ? HUB_URL : `https://${registry}`);
  const mirrors = settings.mirrors.get(registry) ?? [];
  return [
    ...mirrors.map((mirror) => ({
      url: mirror,
      isTrusted: true,
      owner: "host" as const,
      credentials: credentials.get(mirror.host) ?? null,
    })),
    {
      url,
      isTrusted: local !== undefined,
      owner: own === null ? "host" : "project",
      credentials:
        own ??
        (registry === DOCKER_HUB ? HUB_KEYS : [registry, url.host])
          .map((key) => credentials.get(key))
          .find((one) => one !== undefined) ??
        null,
    },
  ];
}

const CredentialsFile = Type.Object({
  auths: Type.Record(Type.String(), Type.Object({ auth: Type.Optional(Type.String()) })),
});

async function readCredentials(file: string | null): Promise<Map<string, Credentials>> {
  if (file === null) return new Map();
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    // Not its text, which would hold a secret.
    throw new PullError("the host's file of registry credentials cannot be read", { cause });
  }
  if (!Value.Check(CredentialsFile, value))
    throw new PullError("the host's file of registry credentials is none that docker login writes");
  return new Map(Object.entries(value.auths).flatMap(([key, { auth }]) => entryOf(key, auth)));
}

function entryOf(key: string, auth: string | undefined): [string, Credentials][] {
  const text = Buffer.from(auth ?? "", "base64").toString();
  const colon = text.indexOf(":");
  if (colon <= 0) return [];
  const credentials = { username: text.slice(0, colon), password: text.slice(colon + 1) };
  // Docker writes hosts, and for some registries URLs.
  const host = URL.canParse(key) ? new URL(key).host : "";
  return host === "" || host === key
    ? [[key, credentials]]
    : [
        [key, credentials],
        [host, credentials],
      ];
}
