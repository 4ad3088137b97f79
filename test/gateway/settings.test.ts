import { expect, test } from "bun:test";
import { readGatewaySettings } from "../../gateway/settings.ts";

const needed = { DATABASE_URL: "postgres://a/b", NATS_URL: "nats://a", BERTH_SIGNING_KEY_FILE: "key.pem" };

test("a proxy's network that is none is told with its variable; none is trusted unless told", () => {
  expect(() => readGatewaySettings({ ...needed, BERTH_TRUSTED_PROXIES: "10.0.0.0/8;::1" })).toThrow(
    /^BERTH_TRUSTED_PROXIES: "10\.0\.0\.0\/8;::1" is no address and no network: .*$/,
  );
  const { addressOf } = readGatewaySettings(needed);
  const request = new Request("http://b", { headers: { "x-forwarded-for": "203.0.113.9" } });
  expect(addressOf({ request, server: { requestIP: () => ({ address: "127.0.0.1" }) } })).toBe("127.0.0.1");
});

test("a domain that is none is told with its variable", () => {
  expect(readGatewaySettings(needed).containerDomain).toBe("berth.localhost");
  for (const wrong of ["Berth.example", "a..b", "a.b/c", `${"a".repeat(60)}.`.repeat(3)]) {
    expect(() => readGatewaySettings({ ...needed, BERTH_CONTAINER_DOMAIN: wrong })).toThrow(
      /^BERTH_CONTAINER_DOMAIN is /,
    );
  }
});
