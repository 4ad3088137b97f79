import { File, List, Port, type Setting, Text, Url, Word } from "./setting.ts";

/** Certificates of the API and of hosts. */
export const certificates: readonly Setting[] = [
  {
    name: "BERTH_TLS_PORT",
    roles: ["gateway"],
    type: Port,
    standard: "0",
    meaning:
      "where the gateway itself listens for TLS, with HTTP/2 and HTTP/1.1 ([certificates](certificates.md)); 0: nowhere, and a proxy in front of it has the certificate",
  },
  {
    name: "BERTH_TLS_CERT",
    roles: ["gateway"],
    type: File,
    standardIs: "those of `BERTH_ACME_NAMES`",
    meaning: "the gateway's certificate in PEM; a changed file is used within seconds",
  },
  {
    name: "BERTH_TLS_KEY",
    roles: ["gateway"],
    type: File,
    meaning: "its key in PEM",
  },
  {
    name: "BERTH_ACME_URL",
    roles: ["gateway", "actors"],
    type: Url,
    meaning:
      "the directory of an ACME authority, `https://acme-v02.api.letsencrypt.org/directory`: certificates are ordered and renewed there ([certificates](certificates.md)). Give both the same; needs `BERTH_SECRETS_KEY_FILE`",
  },
  {
    name: "BERTH_ACME_TERMS_AGREED",
    roles: ["actors"],
    type: Word("yes"),
    meaning:
      "`yes`: you agree to the terms of that authority. Without it nothing is ordered, and the actor host does not start",
  },
  {
    name: "BERTH_ACME_EMAIL",
    roles: ["actors"],
    type: Text,
    meaning: "where the authority writes to, such as before a certificate ends",
  },
  {
    name: "BERTH_ACME_NAMES",
    roles: ["actors"],
    type: List,
    meaning:
      "names of the API that get certificates, `berth.example.com,api.example.com`: port 80 of each has to lead to a gateway",
  },
  {
    name: "BERTH_ACME_DNS_HOOK",
    roles: ["actors"],
    type: File,
    meaning:
      "a program that makes and removes a TXT record: `hook present NAME VALUE`, `hook cleanup NAME VALUE`. With it each host gets a certificate for `*.<server>.<domain>`; the same program for all actor hosts",
  },
  {
    name: "BERTH_ACME_ROOT",
    roles: ["actors"],
    type: File,
    standardIs: "public authorities",
    meaning: "the root certificate in PEM of an authority of your own",
  },
  {
    name: "BERTH_DOMAIN_NAME_SERVERS",
    roles: ["actors"],
    type: List,
    standardIs: "the system's",
    meaning:
      "the name servers at which the proofs of users' [own domains](edge.md#your-own-domain) are looked for, up to three addresses",
  },
];
