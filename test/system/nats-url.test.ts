import { expect, test } from "bun:test";
import { isNatsUrl, serversOf, withCredential } from "../../system/nats-url.ts";

test("a URL names one server of NATS or several, with a user or the file of a credential", () => {
  expect(serversOf("nats://u:p%40@a:4222,b")).toEqual({
    servers: ["a:4222", "b:4222"],
    tls: false,
    user: "u",
    pass: "p@",
  });
  expect(serversOf("tls://a:1,tls://b:2?creds=/etc/agent.creds")).toEqual({
    servers: ["a:1", "b:2"],
    tls: true,
    creds: "/etc/agent.creds",
  });
});

test("a credential is added to the URL of several servers, and takes the place of another", () => {
  const url = withCredential("nats://a:1,b:2?creds=/old", "/var/lib/berth/agent.creds");
  expect(serversOf(url)).toEqual({
    servers: ["a:1", "b:2"],
    tls: false,
    creds: "/var/lib/berth/agent.creds",
  });
});

test("what is no URL of NATS is told apart", () => {
  for (const url of ["nats://a", "tls://a,b", "nats://u:p@a:1,b:2"]) expect(isNatsUrl(url)).toBe(true);
  for (const url of ["http://a", "nats://a:x", "", "nats://a,http://b"]) expect(isNatsUrl(url)).toBe(false);
});
