import { expect, test } from "bun:test";
import { isSecretVariable } from "../../../../agents/terminal/parameters/secret-variables.ts";

test.each([
  ...["DB_PASSWORD=x", "PGPASSWORD=x", "SSH_PASS=x", "AWS_SECRET_ACCESS_KEY=x", "GITHUB_TOKEN=x", "apiKey=x"],
  ...["KEY=x", "PROXY_AUTH=x", "SENTRY_DSN=x", "DATABASE_URL=postgres://me:secret@db/shop"],
])("%s leaves the address", (pair) => {
  expect(isSecretVariable(pair)).toBe(true);
});

test.each([
  "LANG=C",
  "KEYBOARD=us",
  "COMPASS=north",
  "AUTHOR=me",
  "URL=https://db.example:80/a@b",
  "PWD=/srv",
  "A",
])("%s stays, so that a reload begins the same session", (pair) => {
  expect(isSecretVariable(pair)).toBe(false);
});
