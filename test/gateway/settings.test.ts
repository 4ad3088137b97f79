import { expect, test } from "bun:test";
import { readGatewaySettings } from "../../gateway/settings.ts";

const needed = { DATABASE_URL: "postgres://a/b", NATS_URL: "nats://a", BERTH_SIGNING_KEY_FILE: "key.pem" };

test("a proxy's network that is none is told with its variable; none is trusted unless told", () => {
  expect(() => readGatewaySettings({ ...needed, BERTH_TRUSTED_PROXIES: "10.0.0.0/8;::1" })).toThrow(
    /^BERTH_TRUSTED_PROXIES: "10\.0\.0\.0\/8;::1" is neither an address nor a network: .*$/,
  );
  const { addressOf } = readGatewaySettings(needed);
  const request = new Request("http://b", { headers: { "x-forwarded-for": "203.0.113.9" } });
  expect(addressOf({ request, server: { requestIP: () => ({ address: "127.0.0.1" }) } })).toBe("127.0.0.1");
});

test("a password takes 64 MiB unless told, and never less than 19", () => {
  expect(readGatewaySettings(needed).passwordMemoryMb).toBe(64);
  expect(readGatewaySettings({ ...needed, BERTH_PASSWORD_MEMORY_MB: "19" }).passwordMemoryMb).toBe(19);
  for (const wrong of ["18", "1025", "64 MB"]) {
    expect(() => readGatewaySettings({ ...needed, BERTH_PASSWORD_MEMORY_MB: wrong })).toThrow(
      /^BERTH_PASSWORD_MEMORY_MB is /,
    );
  }
});

test("a domain that is none is told with its variable", () => {
  expect(readGatewaySettings(needed).edge.containerDomain).toBe("berth.localhost");
  for (const wrong of ["Berth.example", "a..b", "a.b/c", `${"a".repeat(60)}.`.repeat(3)]) {
    expect(() => readGatewaySettings({ ...needed, BERTH_CONTAINER_DOMAIN: wrong })).toThrow(
      /^BERTH_CONTAINER_DOMAIN is /,
    );
  }
});

test("a code host is GitHub unless told, and has its way back at the public address", () => {
  expect(readGatewaySettings(needed)).toMatchObject({ codehost: undefined, codehostBonus: undefined });
  const client = { BERTH_CODEHOST_CLIENT_ID: "id", BERTH_CODEHOST_CLIENT_SECRET: "hidden" };
  expect(
    readGatewaySettings({ ...needed, ...client, BERTH_PUBLIC_URL: "https://berth.example/" }).codehost,
  ).toEqual({
    clientId: "id",
    clientSecret: "hidden",
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    userUrl: "https://api.github.com/user",
    scope: "read:user",
    redirectUri: "https://berth.example/api/v1/auth/codehost/callback",
  });
});

test.each([
  ["BERTH_CODEHOST_CLIENT_SECRET", { BERTH_CODEHOST_CLIENT_ID: "id" }],
  ["BERTH_CODEHOST_CLIENT_ID", { BERTH_CODEHOST_BONUS_REPO: "berth/berth" }],
  ["BERTH_CODEHOST_BONUS_REPO", { BERTH_CODEHOST_BONUS_REPO: "berth" }],
  ["BERTH_CODEHOST_BONUS_CENTS", { BERTH_CODEHOST_BONUS_CENTS: "5.00" }],
  ["BERTH_CODEHOST_BONUS", { BERTH_CODEHOST_BONUS: "yes" }],
  [
    "BERTH_CODEHOST_TOKEN_URL",
    {
      BERTH_CODEHOST_CLIENT_ID: "id",
      BERTH_CODEHOST_CLIENT_SECRET: "hidden",
      BERTH_CODEHOST_TOKEN_URL: "http://host.example/token",
    },
  ],
  ["BERTH_PUBLIC_URL", { BERTH_PUBLIC_URL: "ftp://berth.example" }],
  ["BERTH_AI_PROVIDER", { BERTH_AI_PROVIDER: "other" }],
  ["BERTH_OPENROUTER_PROVISIONING_KEY", { BERTH_AI_PROVIDER: "openrouter" }],
  [
    "BERTH_OPENROUTER_URL",
    {
      BERTH_AI_PROVIDER: "openrouter",
      BERTH_OPENROUTER_PROVISIONING_KEY: "hidden",
      BERTH_OPENROUTER_URL: "https://user:hidden@host.example",
    },
  ],
])("%s that is missing or wrong is told in one line that names it", (name, env) => {
  let message = "";
  try {
    readGatewaySettings({ ...needed, ...env });
  } catch (error) {
    message = error instanceof Error ? error.message : "";
  }
  expect(message).toMatch(new RegExp(`^${name}\\b`));
  expect(message).not.toMatch(/\n|hidden/);
});

test("listeners of one gateway have ports of their own", () => {
  const acme = { BERTH_ACME_URL: "https://ca.example/directory", BERTH_TLS_PORT: "3000" };
  expect(() => readGatewaySettings({ ...needed, ...acme })).toThrow(
    "BERTH_PORT and BERTH_TLS_PORT are both 3000: give each a port of its own",
  );
  const metrics = { BERTH_PORT: "8000", BERTH_METRICS_PORT: "8000" };
  expect(() => readGatewaySettings({ ...needed, ...metrics })).toThrow(
    "BERTH_PORT and BERTH_METRICS_PORT are both 8000",
  );
  expect(readGatewaySettings({ ...needed, BERTH_METRICS_PORT: "9310" }).metrics?.port).toBe(9_310);
});
