import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { renderPage } from "../../../agents/web/page.ts";

test("a page without scripts is the same each time, and its policy names its style by its hash and lets nothing run", () => {
  const make = () => renderPage({ title: "<a> & b", style: "h1{margin:0}", body: () => "<h1>x</h1>" });
  const { html, policy } = make();
  expect(make()).toEqual({ html, policy });
  const hash = createHash("sha256").update("h1{margin:0}").digest("base64");
  expect(policy).toBe(
    `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(html).toContain("<title>&lt;a&gt; &amp; b</title>");
  expect(html).toContain("<style>h1{margin:0}</style>");
});

test("a page with scripts has another nonce each time, for its scripts and its style", () => {
  const make = () =>
    renderPage({
      title: "t",
      style: "h1{}",
      hasScripts: true,
      policy: { "connect-src": "'self'", "frame-ancestors": "'self'" },
      body: (nonce) => `<script nonce="${nonce}">1</script>`,
    });
  const { html, policy } = make();
  const [, nonce = ""] = /script-src 'nonce-([\w-]{22})'/.exec(policy) ?? [];
  expect(policy).toContain(`style-src 'nonce-${nonce}'`);
  expect(policy).toContain(
    "; connect-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  );
  expect(html).toContain(`<style nonce="${nonce}">h1{}</style>`);
  expect(html).toContain(`<script nonce="${nonce}">1</script>`);
  expect(make().policy).not.toBe(policy);
});
