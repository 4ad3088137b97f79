import { readFile } from "node:fs/promises";
import "../../system/native-signatures.ts";
import { createAccount, createOperator, fromSeed, type KeyPair } from "@nats-io/jwt";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** What signs the accounts and users of NATS in operator mode (docs/decisions/0059-joining-hosts.md). */
export interface NatsKeys {
  readonly operator: KeyPair;
  /** The system account, through which accounts are published. */
  readonly system: KeyPair;
  /** The account of gateways and actor hosts. */
  readonly platform: KeyPair;
  /** Signs the users of every host's account. */
  readonly hosts: KeyPair;
}

/** The file of the keys: a seed each. */
const NatsKeysFile = Type.Object({
  operator: Type.String({ pattern: "^SO[A-Z2-7]{56}$" }),
  system: Type.String({ pattern: "^SA[A-Z2-7]{56}$" }),
  platform: Type.String({ pattern: "^SA[A-Z2-7]{56}$" }),
  hosts: Type.String({ pattern: "^SA[A-Z2-7]{56}$" }),
});
export type NatsKeysFile = Static<typeof NatsKeysFile>;

export function generateNatsKeys(): NatsKeysFile {
  const seedOf = (pair: KeyPair) => new TextDecoder().decode(pair.getSeed());
  return {
    operator: seedOf(createOperator()),
    system: seedOf(createAccount()),
    platform: seedOf(createAccount()),
    hosts: seedOf(createAccount()),
  };
}

export function toNatsKeys(file: NatsKeysFile): NatsKeys {
  const pair = (seed: string) => fromSeed(new TextEncoder().encode(seed));
  return {
    operator: pair(file.operator),
    system: pair(file.system),
    platform: pair(file.platform),
    hosts: pair(file.hosts),
  };
}

/** @throws Error when the file cannot be read, or holds something else */
export async function readNatsKeys(path: string): Promise<NatsKeys> {
  const content: unknown = JSON.parse(await readFile(path, "utf8"));
  if (!Value.Check(NatsKeysFile, content))
    throw new Error(`${path} holds no keys of NATS: \`berth keys make\` makes them`);
  return toNatsKeys(content);
}
