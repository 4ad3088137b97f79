import { expect, test } from "bun:test";
import { credentialsFor } from "../../../gateway/auth/access.ts";
import { gateOf } from "../../../gateway/auth/guards.ts";
import { PERMISSIONS } from "../../../schemas/permissions.ts";
import { appRoutes } from "./app-routes.ts";

const page = await Bun.file(new URL("../../../docs/permissions.md", import.meta.url)).text();

/** The routes as `docs/permissions.md` lists them. Where this test fails, the page takes what it expects. */
function table(): string {
  const rows = appRoutes()
    .map((route) => {
      const { access } = gateOf(route);
      const path = route.path.replace(/(.)\/$/, "$1").replace(/:(\w+)/g, "{$1}");
      const [who, credentials] =
        access.kind === "public"
          ? ["public", access.reason]
          : [
              access.kind === "permission" ? `\`${access.permission}\`` : access.kind,
              credentialsFor(access).join(", "),
            ];
      return { path, row: `| \`${route.method} ${path}\` | ${who} | ${credentials} |` };
    })
    .toSorted((a, b) => (a.path === b.path ? a.row.localeCompare(b.row) : a.path.localeCompare(b.path)));
  return [
    "| route | permission | credentials, or why it is public |",
    "|---|---|---|",
    ...rows.map(({ row }) => row),
  ].join("\n");
}

test("the page lists every route with its permission and the credentials that it takes", () => {
  const [, listed = ""] = /## Routes\n\n[^|]*(\|[\s\S]*\|)\n/.exec(page) ?? [];
  expect(listed).toBe(table());
});

test("the page says what each permission allows", () => {
  for (const [name, meaning] of Object.entries(PERMISSIONS))
    expect(page).toContain(`| \`${name}\` | ${meaning} |`);
});
