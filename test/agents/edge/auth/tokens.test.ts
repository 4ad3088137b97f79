import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ControlPlaneKeys } from "../../../../agents/edge/auth/keys.ts";
import { ContainerTokens } from "../../../../agents/edge/auth/tokens.ts";
import { TokenIssuer } from "../../../../gateway/auth/access-tokens.ts";
import { otherSpellings } from "../../../gateway/auth/token-spellings.ts";
import { temporaryFolder } from "../../../harness/servers.ts";

const issuer = await TokenIssuer.create(await TokenIssuer.generateKey());
const file = join(temporaryFolder(), "jwks.json");
writeFileSync(file, JSON.stringify(issuer.jwks()));
const tokens = new ContainerTokens(new ControlPlaneKeys(() => Promise.reject(new Error("away")), file));
const containerId = "c".repeat(24);
const { token } = await issuer.issueForContainer({
  sub: "a".repeat(24),
  sid: "b".repeat(24),
  container_id: containerId,
  session_exp: Math.floor(Date.now() / 1000) + 900,
});

test("a container token is read as it was issued", async () => {
  expect(await tokens.read(token)).toMatchObject({ containerId });
});

test.each(otherSpellings(token))("%s is none", async (_, spelling) => {
  expect(await tokens.read(spelling)).toBeUndefined();
});
