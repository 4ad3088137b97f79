import { TEXT_FIELD } from "../multipart.ts";
import { type Page, page } from "./template.ts";

/** The form without JavaScript (spec §4.2, `/noscript`): a browser sends it as multipart to the pipe's path. */
export function noscriptPage(askedPath: string, askedMode: string): Page {
  const path = askedPath.replace(/^\/+/, "").replace(/[^A-Za-z0-9._~/-]/g, "");
  const mode = askedMode === "text" ? "text" : "file";
  const other = mode === "text" ? "file" : "text";
  const value = Bun.escapeHTML(path);
  const input =
    mode === "text"
      ? `<label for="input">Text</label><textarea id="input" name="${TEXT_FIELD}"></textarea>`
      : `<label for="input">File</label><input type="file" id="input" name="input_file" required>`;
  const html = `<form class="card" action="/api/v1/pipe/noscript" method="get">
  <input type="hidden" name="mode" value="${mode}">
  <label for="path">1. Path</label>
  <div class="row">
    <input class="grow" id="path" name="path" value="${value}" maxlength="1024" placeholder="any/path" autocapitalize="off" required>
    <button${path === "" ? ' class="primary"' : ""}>Use this path</button>
  </div>
  <p class="hint">Whoever knows it can receive what you send: choose one that nobody guesses.</p>
</form>
<form class="card" action="/api/v1/pipe/${value}" method="post" enctype="multipart/form-data">
  <p class="label">2. What to send to <code>${path === "" ? "…" : `/${value}`}</code></p>
  <div class="field">${input}</div>
  <div class="row">
    <button${path === "" ? " disabled" : ' class="primary"'}>Send</button>
    <a class="button" href="/api/v1/pipe/noscript?mode=${other}${path === "" ? "" : `&amp;path=${value}`}">Send ${other === "text" ? "text" : "a file"} instead</a>
  </div>
</form>
<footer><a href="/api/v1/pipe/">With JavaScript</a><a href="/api/v1/pipe/help">On the command line</a></footer>`;
  return page({ title: "Pipe", subtitle: "Send without JavaScript.", html });
}
