import { expect, test } from "bun:test";
import { namedPortsFault, portsFault } from "../../../gateway/console/app/pages/containers/port-words.ts";

/** What a person is told of ports that cannot be. */

test.each([
  ["", null],
  ["80", null],
  [" 80, 8000 - 8100 ", null],
  ["http", "“http” is no port: a port is a whole number from 1 to 65535."],
  ["0", "“0” is no port: a port is a whole number from 1 to 65535."],
  ["65536", "“65536” is no port: a port is a whole number from 1 to 65535."],
  ["080", "“080” is no port: a port is a whole number from 1 to 65535."],
  ["80,", "Something is missing: write 80, or 80,443, or 8000-8100."],
  ["-80", "Something is missing: write 80, or 80,443, or 8000-8100."],
  ["1-2-3", "A range has two ports, such as 8000-8100."],
  ["90-80", "A range begins with its lower port."],
])("the port of a rule %p: %p", (text, fault) => {
  expect(portsFault(text)).toBe(fault);
});

const NO_PORT = "a port is a whole number from 1 to 65535.";
test.each([
  ["", null],
  ["web=8080\n\n db = 5432/tcp ", null],
  ["8080", "Line 1: a name, = and a port, such as web=8080."],
  ["web=8080\napi=", `Line 2: ${NO_PORT}`],
  ["web=eighty", `Line 1: ${NO_PORT}`],
  ["Web=80", "Line 1: a name has small letters, digits and hyphens, and begins with a letter."],
  ["web=80/gopher", "Line 1: after / stands http, https, ssh, tcp or udp."],
  ["web=80\nweb=81", "Line 2: “web” stands on a line above."],
])("the ports of a container %p: %p", (text, fault) => {
  expect(namedPortsFault(text)).toBe(fault);
});
