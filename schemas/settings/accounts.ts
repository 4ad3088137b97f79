import { List, type Setting, Text, Url, Whole, Word } from "./setting.ts";

/** Accounts, what happens to a suspended one, the code host, webhooks. */
export const accounts: readonly Setting[] = [
  {
    name: "BERTH_REQUIRE_ADMIN_SECOND_FACTOR",
    roles: ["gateway"],
    type: Word("on", "off"),
    standard: "off",
    meaning:
      "`on`: administrators without a [second factor](accounts.md) can do nothing but set one up, and cannot remove their last one. Give all gateways the same",
  },
  {
    name: "BERTH_PASSWORD_MEMORY_MB",
    roles: ["gateway"],
    type: Whole(19, 1_024),
    standard: "64",
    meaning:
      "memory for hashing a password, MiB, 19 to 1024: more makes guessing passwords from stolen hashes dearer, and each sign-in slower (about an eighth of a second at 64). Accounts keep the hash that they have",
  },
  {
    name: "BERTH_SUSPENDED_CONTAINERS",
    roles: ["actors"],
    type: Word("keep", "stop"),
    standard: "keep",
    meaning:
      "what happens to the containers that a suspended user made: `keep` leaves them running, `stop` stops them. Give all actor hosts the same",
  },
  {
    name: "BERTH_GRACE_MINUTES",
    roles: ["actors"],
    type: Whole(0, 129_600),
    standard: "4320",
    meaning:
      "how long a server whose rental ended keeps its containers (stopped) before they are removed and it is in stock again",
  },
  {
    name: "BERTH_CODEHOST_PROVIDER",
    roles: ["gateway"],
    type: Word("none", "oauth", "sandbox"),
    standardIs: "`oauth` with a client id, else `none`; `npm start`: `sandbox`",
    meaning:
      "`sandbox`: a code host of the gateway's own, for demos. See [Code host](operations.md#code-host)",
  },
  {
    name: "BERTH_CODEHOST_CLIENT_ID",
    roles: ["gateway"],
    type: Text,
    meaning:
      "an OAuth client at the code host, whose callback is `<BERTH_PUBLIC_URL>/api/v1/auth/codehost/callback`; without it nothing can be linked",
  },
  {
    name: "BERTH_CODEHOST_CLIENT_SECRET",
    roles: ["gateway"],
    type: Text,
    meaning: "the secret of that client; with `sandbox` one of your choice",
    isSecret: true,
  },
  {
    name: "BERTH_CODEHOST_AUTHORIZE_URL",
    roles: ["gateway"],
    type: Url,
    standard: "https://github.com/login/oauth/authorize",
    meaning: "where users allow the link",
  },
  {
    name: "BERTH_CODEHOST_TOKEN_URL",
    roles: ["gateway"],
    type: Url,
    standard: "https://github.com/login/oauth/access_token",
    meaning: "where its code becomes a token",
  },
  {
    name: "BERTH_CODEHOST_USER_URL",
    roles: ["gateway"],
    type: Url,
    standard: "https://api.github.com/user",
    meaning: "who the user is: the reply has `id`, and `login` or `username`",
  },
  {
    name: "BERTH_CODEHOST_SCOPE",
    roles: ["gateway"],
    type: Text,
    standard: "read:user",
    meaning: "what is asked for",
  },
  {
    name: "BERTH_CODEHOST_BONUS_REPO",
    roles: ["gateway", "actors"],
    type: Text,
    meaning: "the repository that the bonus is for, `owner/name`; without it there is no offer",
  },
  {
    name: "BERTH_CODEHOST_BONUS_CENTS",
    roles: ["gateway", "actors"],
    type: Whole(1, 100_000_000),
    standard: "500",
    meaning: "the amount of the bonus",
  },
  {
    name: "BERTH_CODEHOST_BONUS",
    roles: ["gateway", "actors"],
    type: Word("on", "off"),
    standard: "on",
    meaning: "`off` ends the offer; links and claims stay",
  },
  {
    name: "BERTH_WEBHOOK_NETWORKS",
    roles: ["gateway", "actors"],
    type: List,
    meaning:
      "private networks that webhooks may reach, also by http, such as `10.20.0.0/16`; the same for both",
  },
  {
    name: "BERTH_WEBHOOK_TIMEOUT_MS",
    roles: ["actors"],
    type: Whole(100, 60_000),
    standard: "15000",
    meaning: "how long an attempt of a webhook may take",
  },
  {
    name: "BERTH_WEBHOOK_FIRST_RETRY_MS",
    roles: ["actors"],
    type: Whole(10, 3_600_000),
    standard: "5000",
    meaning: "the wait after the first failed attempt, doubled with each",
  },
  {
    name: "BERTH_WEBHOOK_GIVE_UP_SECONDS",
    roles: ["actors"],
    type: Whole(1, 604_800),
    standard: "86400",
    meaning: "after so long a delivery has failed",
  },
];
