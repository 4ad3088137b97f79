/** Opens an address in the user's browser, where the system has a program for that. */
export function openInBrowser(url: string): void {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  if (Bun.which(program) === null) return;
  Bun.spawn([program, url], { stdio: ["ignore", "ignore", "ignore"] }).unref();
}
