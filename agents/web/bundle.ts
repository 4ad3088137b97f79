/**
 * Bundles a page's script for browsers from TypeScript and npm packages, so that a page loads nothing from other
 * hosts. The result is cached: only the first visitor waits for the bundler.
 *
 * @param entry absolute path of the script's main file
 */
export function bundleScript(entry: string): Promise<string> {
  let script = scripts.get(entry);
  if (script === undefined) {
    script = build(entry);
    scripts.set(entry, script);
    // A failure may be temporary, such as too many open files: the next request tries again.
    script.catch(() => scripts.delete(entry));
  }
  return script;
}

const scripts = new Map<string, Promise<string>>();

async function build(entry: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${entry} was not bundled`);
  // Inside an HTML page, the script must not contain its own end tag.
  return (await output.text()).replaceAll("</script", "<\\/script");
}
