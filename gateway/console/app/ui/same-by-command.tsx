import { anyRequest, type Command, quote } from "../lib/commands.ts";
import { Copyable } from "./copy.tsx";

export type { Command };

/** How a form is done without this page. `$TOKEN` is an access token or an API token. */
export function SameByCommand(command: Command) {
  const words = command.berth ?? anyRequest(command);
  return (
    <details className="same">
      <summary>The same by command line and curl</summary>
      {words && <Copyable text={["berth", ...words].map(quote).join(" ")} label="the command" />}
      <Copyable text={curlOf(command)} label="the curl command" />
      <p className="hint">
        <a href="/openapi">The API, to read</a>
      </p>
    </details>
  );
}

function curlOf({ method, path, body, file, headers = {} }: Command): string {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return [
    `curl -X ${method} '${location.origin}${path}' -H "Authorization: Bearer $TOKEN"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(file === undefined
      ? []
      : [`-H 'Content-Type: application/octet-stream' --data-binary ${quote(`@${file}`)}`]),
    ...(json === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quote(json)}`]),
  ].join(" \\\n  ");
}
