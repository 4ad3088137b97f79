import { expect, test } from "bun:test";
import { argon2id, PASSWORD_MEMORY_MB_MIN, Passwords } from "../../../gateway/auth/passwords.ts";

/** Passwords whose checks end when the test says so, in the order in which they began. */
function held(atOnce: number, waitingMax: number) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<boolean>>();
  const verify = (password: string) => {
    begun.push(password);
    const end = Promise.withResolvers<boolean>();
    ends.set(password, end);
    return end.promise;
  };
  const passwords = new Passwords({ verify, hash: verify as never }, atOnce, waitingMax);
  return { begun, ends, check: (password: string) => passwords.verify(password, "hash") };
}

test("no more run at once than may, and the others follow in the order in which they came", async () => {
  const { begun, ends, check } = held(2, 10);
  const all = ["a", "b", "c", "d"].map(check);
  expect(begun).toEqual(["a", "b"]);
  ends.get("b")?.resolve(true);
  expect(await all[1]).toBe(true);
  expect(begun).toEqual(["a", "b", "c"]);
  // One that fails gives its place up too.
  ends.get("a")?.reject(new Error("no memory"));
  expect(await all[0]?.catch((error) => error.message)).toBe("no memory");
  expect(begun).toEqual(["a", "b", "c", "d"]);
  for (const end of ends.values()) end.resolve(false);
  expect(await Promise.all(all.slice(2))).toEqual([false, false]);
  expect(check("e")).toBeInstanceOf(Promise);
  expect(begun).toContain("e");
});

test("who comes when the queue is full is turned away at once, and those in it are not", async () => {
  const { ends, check } = held(1, 1);
  const [first, second] = [check("a"), check("b")];
  expect(await check("c").catch((error) => error.code)).toBe("OVERLOADED");
  ends.get("a")?.resolve(true);
  expect(await first).toBe(true);
  ends.get("b")?.resolve(true);
  expect(await second).toBe(true);
});

test("a password is checked against what was made of it", async () => {
  const passwords = new Passwords(argon2id(PASSWORD_MEMORY_MB_MIN));
  const hash = await passwords.hash("correct horse battery");
  expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,");
  expect(await passwords.verify("correct horse battery", hash)).toBe(true);
  expect(await passwords.verify("another", hash)).toBe(false);
});
