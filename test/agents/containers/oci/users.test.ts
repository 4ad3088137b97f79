import { expect, test } from "bun:test";
import { findUser } from "../../../../agents/containers/oci/users.ts";

const PASSWD =
  "root:x:0:0:root:/root:/bin/sh\n" +
  "# a comment\nbroken:x\nhuge:x:70000:1:::\n" +
  "app:x:1000:1001:App:/home/app:/bin/ash\n";
const GROUP = "root:x:0:\napp:x:1001:app\nextra:x:2000:other,app\nother:x:2001:\n";
const find = (text: string) => findUser(text, PASSWD, GROUP);

test("a user is found by name and by number, with its groups, its home and its shell", () => {
  const app = {
    uid: 1000,
    gid: 1001,
    additionalGids: [2000],
    name: "app",
    home: "/home/app",
    shell: "/bin/ash",
  };
  expect(find("app")).toEqual(app);
  expect(find("1000")).toEqual(app);
  expect(find("")).toMatchObject({ uid: 0, gid: 0, home: "/root" });
});

test("a group that is named takes the place of the user's groups", () => {
  expect(find("app:other")).toMatchObject({ uid: 1000, gid: 2001, additionalGids: [] });
  expect(find("app:77")).toMatchObject({ uid: 1000, gid: 77 });
});

test("a number needs no entry, and a name does", () => {
  expect(find("4321")).toMatchObject({ uid: 4321, gid: 0, home: "/" });
  expect(() => find("nobody")).toThrow("its user nobody is not in its /etc/passwd");
  expect(() => find("app:nogroup")).toThrow("its group nogroup is not in its /etc/group");
});

test("an image without users has its root", () => {
  expect(findUser("", "", "")).toMatchObject({ uid: 0, gid: 0, name: "root", home: "/" });
  expect(findUser("root", "", "")).toMatchObject({ uid: 0, gid: 0 });
});

test.each(["70000", "huge", "-1", "010", "99999999999"])(
  "%s is no user of a container, which has 65,536",
  (name) => {
    expect(() => find(name)).toThrow("is not in its /etc/passwd");
  },
);
