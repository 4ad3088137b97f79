import { expect, test } from "bun:test";
import { formatImageReference, parseImageReference } from "../../../schemas/hosting/image-reference.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

const GOOD: readonly (readonly [string, string])[] = [
  ["debian", "docker.io/library/debian:latest"],
  ["debian:13", "docker.io/library/debian:13"],
  ["grafana/grafana", "docker.io/grafana/grafana:latest"],
  ["docker.io/debian", "docker.io/library/debian:latest"],
  ["index.docker.io/library/debian:13", "docker.io/library/debian:13"],
  ["ghcr.io/example/team/app:v1.2_3-x", "ghcr.io/example/team/app:v1.2_3-x"],
  ["localhost/app", "localhost/app:latest"],
  ["localhost:5000/app", "localhost:5000/app:latest"],
  ["127.0.0.1:5000/app:1", "127.0.0.1:5000/app:1"],
  ["Registry.Example/app", "registry.example/app:latest"],
  [`debian@${DIGEST}`, `docker.io/library/debian@${DIGEST}`],
  [`registry.example/a__b/c--d:1@${DIGEST}`, `registry.example/a__b/c--d:1@${DIGEST}`],
];
test.each(GOOD)("%s means what it means to Docker", (text, whole) => {
  expect(formatImageReference(parseImageReference(text))).toBe(whole);
  expect(formatImageReference(parseImageReference(whole))).toBe(whole);
});

const BAD = [
  ...[
    "",
    " ",
    "Debian",
    "debian:",
    "debian:-1",
    `debian:${"a".repeat(129)}`,
    "debian@sha256:12",
    `debian@md5:${"0".repeat(32)}`,
  ],
  ...[
    `debian@${DIGEST}@${DIGEST}`,
    "/debian",
    "debian/",
    "a//b",
    "a/../b",
    "-registry.example/app",
    "registry..example/app",
  ],
  ...[
    "registry.example:0/app",
    "registry.example:99999/app",
    "https://registry.example/app",
    "registry.example/app?x",
    "a b",
    "a\nb",
  ],
  ...["user@registry.example/app", "a".repeat(256), "[::1]:5000/app", "a/b:c/d", "\u{1f600}"],
];
test.each(BAD)("%j is refused", (text) => {
  expect(() => parseImageReference(text)).toThrow(/^must /);
});
