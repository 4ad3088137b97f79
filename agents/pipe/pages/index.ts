import { readFileSync } from "node:fs";
import { clientScript, htmlFile, type Page, page } from "./template.ts";

export { helpText } from "./help.ts";
export { noscriptPage } from "./noscript.ts";
export { ICON, type Page } from "./template.ts";

const HOME = { html: htmlFile("home"), scripts: [clientScript("dom", "units", "progress", "home")] };
const DASHBOARD = {
  html: htmlFile("dashboard"),
  scripts: [clientScript("dom", "units", "progress", "dashboard")],
};
const PLAYER = { html: htmlFile("player"), scripts: [] };
const PLAYER_SCRIPT = clientScript("dom", "units", "detect", "transport-stream", "player");

/** Sends and receives (spec §4.2, `/`). */
export const homePage = (): Page =>
  page({ ...HOME, title: "Pipe", subtitle: "From here to there, while it is sent. Nothing is kept." });

/** A transfer's progress (`?progress`). */
export const dashboardPage = (name: string): Page =>
  page({ ...DASHBOARD, title: "Progress", subtitle: `/${name}` });

/** A video that plays while it is received (`?video`). The page takes no receiver's place: its player does. */
export const playerPage = (name: string): Page =>
  page({ ...PLAYER, title: "Video", subtitle: `/${name}`, scripts: [muxjs(), PLAYER_SCRIPT] });

let muxjsText: string | undefined;

/** The library that turns an MPEG transport stream into what browsers play; read when it is first wanted. */
function muxjs(): string {
  muxjsText ??= readFileSync(Bun.resolveSync("mux.js/dist/mux-mp4.min.js", import.meta.dir), "utf8");
  return muxjsText;
}
