import { TEXT_FIELD, TEXT_FORM } from "../multipart.ts";
import { escapePath, typedPathProblem } from "../pipe-path.ts";
import { type Page, page } from "./template.ts";

const PAGE = "/api/v1/pipe/noscript";
/** The frame that shows the response, so that the form stays on the page. */
const ANSWER = "answer";

/** The form without JavaScript (spec §4.2, `/noscript`): a browser sends it as multipart to the pipe's path. */
export function noscriptPage(askedPath: string, askedMode: string): Page {
  const path = askedPath.trim().replace(/^\/+/, "");
  const mode = askedMode === "text" ? "text" : "file";
  const problem = path === "" ? undefined : typedPathProblem(path);
  const html = `${pathForm(path, mode, problem)}
${sendForm(path, mode, path !== "" && problem === undefined)}
<footer><a href="/api/v1/pipe/">With JavaScript</a><a href="/api/v1/pipe/help">On the command line</a></footer>`;
  return page({
    title: "Pipe",
    subtitle: "Send without JavaScript.",
    html,
    policy: { "frame-src": "'self'" },
  });
}

function pathForm(path: string, mode: string, problem: string | undefined): string {
  const said =
    problem === undefined
      ? `<p class="hint">Everybody who knows the path can receive what you send. Choose one that nobody guesses.</p>`
      : `<p class="said bad" id="problem" role="alert">${Bun.escapeHTML(problem)}</p>`;
  const described = problem === undefined ? "" : ' aria-invalid="true" aria-describedby="problem"';
  return `<form class="card" action="${PAGE}" method="get">
  <input type="hidden" name="mode" value="${mode}">
  <label for="path">1. Path</label>
  <div class="row">
    <input class="grow" id="path" name="path" value="${Bun.escapeHTML(path)}"${described} placeholder="any/path" autocapitalize="off" required>
    <button${path === "" || problem !== undefined ? ' class="primary"' : ""}>Use this path</button>
  </div>
  ${said}
</form>`;
}

/** @param isReady whether there is a valid path to send to */
function sendForm(path: string, mode: "file" | "text", isReady: boolean): string {
  const other = mode === "text" ? "file" : "text";
  const address = isReady ? `/api/v1/pipe/${escapePath(path)}` : PAGE;
  const query = mode === "text" ? `?${TEXT_FORM.name}=${TEXT_FORM.value}` : "";
  const input =
    mode === "text"
      ? `<label for="input">Text</label><textarea id="input" name="${TEXT_FIELD}"></textarea>`
      : `<label for="input">File</label><input type="file" id="input" name="input_file" required>`;
  const switchTo = `${PAGE}?${new URLSearchParams(path === "" ? { mode: other } : { mode: other, path })}`;
  const answer = isReady
    ? `<p class="hint">The answer appears here. A large file is uploaded first, which needs a receiver.</p>
  <iframe class="answer" name="${ANSWER}" title="The answer of the pipe"></iframe>`
    : "";
  return `<form class="card" action="${Bun.escapeHTML(address + query)}" method="post" enctype="multipart/form-data" target="${ANSWER}">
  <p class="label">2. What to send to <code>${isReady ? `/${Bun.escapeHTML(path)}` : "…"}</code></p>
  <div class="field">${input}</div>
  <div class="row">
    <button${isReady ? ' class="primary"' : " disabled"}>Send</button>
    <a class="button" href="${Bun.escapeHTML(switchTo)}">Send ${other === "text" ? "text" : "a file"} instead</a>
  </div>
  ${answer}
</form>`;
}
