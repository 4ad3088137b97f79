import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleScript } from "../../web/bundle.ts";
import { htmlFile, type Page, page } from "./template.ts";

export { helpText } from "./help.ts";
export { noscriptPage } from "./noscript.ts";
export { ICON, type Page } from "./template.ts";

const HOME = htmlFile("home");
const DASHBOARD = htmlFile("dashboard");
const PLAYER = htmlFile("player");
const clientScript = (name: string) => bundleScript(join(import.meta.dir, "client", `${name}.ts`));

/**
 * The page that sends and receives (spec, container services §4.2, `/`).
 *
 * @param curlTrust arguments with which copied commands trust the server, where receivers must sign in; undefined where they need not
 */
export const homePage = async (curlTrust: string | undefined): Promise<Page> =>
  page({
    title: "Pipe",
    subtitle: "From one machine to another, while it is sent. Nothing is kept.",
    html: HOME,
    scripts: [await clientScript("home")],
    boot: { curlTrust: curlTrust ?? null },
  });

/** The page that shows the progress of a transfer (`?progress`). */
export const dashboardPage = async (name: string): Promise<Page> =>
  page({
    title: "Progress",
    subtitle: `/${name}`,
    html: DASHBOARD,
    scripts: [await clientScript("dashboard")],
  });

/** The page that plays a video while it is received (`?video`). The player receives, not the page. */
export const playerPage = async (name: string): Promise<Page> =>
  page({
    title: "Video",
    subtitle: `/${name}`,
    html: PLAYER,
    scripts: [muxjs(), await clientScript("player")],
  });

let muxjsText: string | undefined;

/** The library that turns an MPEG transport stream into fragments that browsers play; read at first use. */
function muxjs(): string {
  muxjsText ??= readFileSync(Bun.resolveSync("mux.js/dist/mux-mp4.min.js", import.meta.dir), "utf8");
  return muxjsText;
}
