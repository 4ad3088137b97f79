import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { ActiveToken } from "../../../actors/accounts/token/queries.ts";
import { ApiTokens } from "../../../gateway/auth/api-tokens.ts";

const ID = "a".repeat(24);
const TOKEN = `berth_${ID}_${"s".repeat(43)}`;
const WRONG = `berth_${ID}_${"t".repeat(43)}`;
const from = { request: new Request("http://berth.test/"), server: null };

/** Tokens over a table of one row, which a test may take away, and whose reads it may hold up. */
function tokens() {
  const world = { now: 1_000_000, reads: 0, held: undefined as Promise<void> | undefined };
  let row: ActiveToken | undefined = {
    hash: createHash("sha256").update(TOKEN).digest("hex"),
    userId: "b".repeat(24),
    username: "demo",
    role: "user",
    permissions: ["wallet.read"],
    realmId: null,
    expiresAt: new Date(2_000_000),
  };
  const verifier = new ApiTokens(
    async () => {
      world.reads++;
      const read = row;
      await world.held;
      return read;
    },
    () => "192.0.2.1",
    () => world.now,
  );
  const verify = async (token = TOKEN) => verifier.verify(token, "api_token", from);
  const code = (token?: string) =>
    verify(token).then(
      () => "good",
      (error) => error.code,
    );
  return { world, verifier, verify, code, remove: () => (row = undefined) };
}

describe("a remembered token", () => {
  test("is read once for all who bring it, and answered at once after that", async () => {
    const { world, verifier, verify } = tokens();
    const [first] = await Promise.all([verify(), verify(), verify()]);
    expect(verifier.verify(TOKEN, "api_token", from)).toBe(first as never);
    expect(world.reads).toBe(1);
  });

  test("is refused at once when its end is told of, and within a minute when it is not", async () => {
    const told = tokens();
    await told.verify();
    told.remove();
    told.verifier.end(ID);
    expect(await told.code()).toBe("INVALID_TOKEN");

    const untold = tokens();
    await untold.verify();
    untold.remove();
    untold.world.now += 61_000;
    expect(await untold.code()).toBe("INVALID_TOKEN");
  });

  test("is refused from the moment of its expiry", async () => {
    const { world, code } = tokens();
    expect(await code()).toBe("good");
    world.now = 1_999_999;
    expect(await code()).toBe("good");
    world.now = 2_000_000;
    expect(await code()).toBe("INVALID_TOKEN");
  });

  test("does not make another secret under its id good", async () => {
    const { code } = tokens();
    expect(await code(WRONG)).toBe("INVALID_TOKEN");
    expect(await code()).toBe("good");
    expect(await code(WRONG)).toBe("INVALID_TOKEN");
  });
});

test("a token that ended while it was being read is refused, and not remembered", async () => {
  const { world, verifier, code, remove } = tokens();
  const release = Promise.withResolvers<void>();
  world.held = release.promise;
  const underway = code();
  remove();
  verifier.end(ID);
  release.resolve();
  expect(await underway).toBe("INVALID_TOKEN");
  expect(await code()).toBe("INVALID_TOKEN");
});
