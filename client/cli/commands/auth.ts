import { resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { UsageError } from "../failures.ts";
import type { CommandGroup } from "../groups.ts";
import { inputText, reply } from "../read.ts";
import { type Context, readConfig } from "../session/config.ts";
import type { Credential } from "../session/credentials.ts";
import { sessionCredential } from "../session/session.ts";
import { signInByBrowser, signInByPassword } from "../session/sign-in.ts";

const WAYS = [
  { name: "In the browser: passkeys work, and no password is typed here", value: true },
  { name: "With a password", value: false },
];

interface LoginOptions {
  readonly username?: string;
  readonly passwordStdin?: true;
  readonly browser?: true;
  readonly code?: string;
}

interface Place {
  readonly url?: string;
  readonly ca?: string;
}

export const auth: CommandGroup = (program, cli) => {
  program.commandsGroup("Account:");
  program
    .command("login")
    .summary("sign in")
    .description(
      "Sign in with a password or by a browser, or keep an API token. The credential goes to the system's key ring, else to a file that only you can read.",
    )
    .option("--url <url>", "where Berth is; the present context's address unless given")
    .option("--ca <file>", "PEM file with the authority of the hosts' certificates")
    .option("-u, --username <name>", "username or e-mail address")
    .option("--password-stdin", "read the password from the input")
    .option("--code <code>", "the second factor: a code of your app, or a recovery code")
    .option("--browser", "sign in by approving a code in the console")
    .option("--with-token", "read an API token from the input instead of signing in")
    .action(async (options) => {
      const target = await targetOf(cli, options);
      const credential = options.withToken
        ? await checkedToken(cli, target.context, (await inputText(cli)).trim())
        : await signIn(cli, target.context, options);
      await keep(cli, target, credential);
    });
  program
    .command("signup")
    .summary("create an account and sign in")
    .description("Create an account and sign in with it.")
    .option("--url <url>", "where Berth is; the present context's address unless given")
    .option("--ca <file>", "PEM file with the authority of the hosts' certificates")
    .requiredOption("-u, --username <name>", "username")
    .requiredOption("--email <address>", "e-mail address")
    .option("--password-stdin", "read the password from the input")
    .action(async (options) => {
      const target = await targetOf(cli, options);
      const password = await readPassword(cli, options);
      const { username, email } = options;
      const api = await cli.anonymous(target.context.url);
      const { data } = await reply(api.POST("/api/v1/auth/signup", { body: { username, email, password } }));
      await keep(cli, target, sessionCredential(data));
    });
  program
    .command("recover")
    .summary("ask for a link that sets a new password, by mail")
    .description(
      "Ask for a link that sets a new password. It is mailed to the address if an account has it, and is good once, for an hour. A second factor stays.",
    )
    .option("--url <url>", "where Berth is; the present context's address unless given")
    .option("--ca <file>", "PEM file with the authority of the hosts' certificates")
    .requiredOption("--email <address>", "e-mail address of your account")
    .action(async ({ email, ...options }) => {
      const { context } = await targetOf(cli, options);
      const api = await cli.anonymous(context.url);
      const { message } = await reply(api.POST("/api/v1/auth/recovery", { body: { email } }));
      await cli.print.done(`${message}.`, { email });
    });
  program
    .command("logout")
    .summary("sign out")
    .description(
      "End the session here and at Berth, and delete the credential. An API token stays valid: `berth token delete` ends it.",
    )
    .action(async () => {
      const { name } = await cli.session.context();
      const known = await cli.session.store.get(name);
      if (known?.type === "session") await reply((await cli.api()).POST("/api/v1/auth/logout"));
      await cli.session.forget();
      await cli.print.done(`Signed out of ${name}.`, { context: name });
    });
  program
    .command("whoami")
    .summary("who is signed in, and where")
    .description("Show the account that is signed in, and where.")
    .action(async () => {
      const { data } = await reply((await cli.api()).GET("/api/v1/auth/me"));
      const { name, context } = await cli.session.context();
      await cli.print.record({ ...data, context: name, url: context.url });
    });
};

/** The context that a sign-in makes or changes. */
async function targetOf(cli: Cli, { url, ca }: Place): Promise<{ name: string; context: Context }> {
  const chosen = cli.options().context;
  const { contexts } = await readConfig(cli.io.env);
  if (chosen !== undefined && contexts[chosen] === undefined) {
    if (url === undefined) throw new UsageError(`give --url: there is no context "${chosen}" yet`);
    return { name: chosen, context: contextOf(url, ca) };
  }
  const { name, context } = await cli.session.context();
  const known = url === undefined || url === context.url || chosen !== undefined;
  const address = contextOf(url ?? context.url, ca ?? context.ca);
  return { name: known || contexts[name] === undefined ? name : new URL(address.url).host, context: address };
}

function contextOf(url: string, ca: string | undefined): Context {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageError(`"${url}" is not an address such as https://berth.example`);
  return { url: url.replace(/\/+$/, ""), ...(ca === undefined ? {} : { ca: resolve(ca) }) };
}

/** By the browser or by a password: asked where nothing on the command line says it. */
async function signIn(cli: Cli, context: Context, options: LoginOptions): Promise<Credential> {
  const isUndecided = options.username === undefined && !options.passwordStdin && cli.io.isInteractive;
  const byBrowser = options.browser ?? (isUndecided && (await cli.choose("How do you sign in?", WAYS)));
  if (byBrowser) return signInByBrowser(cli, context);
  const name = options.username ?? (await cli.ask("Username or e-mail address:", "--username"));
  const password = await readPassword(cli, options);
  return signInByPassword(cli, context, { name, password, code: options.code });
}

/** The password, from the input or asked for. */
export async function readPassword(cli: Cli, { passwordStdin }: { passwordStdin?: true }): Promise<string> {
  if (passwordStdin) return (await inputText(cli)).replace(/\r?\n$/, "");
  return cli.askSecret("Password:", "--password-stdin");
}

/** @throws BerthError when Berth does not know the token */
async function checkedToken(cli: Cli, { url }: Context, token: string): Promise<Credential> {
  const api = await cli.anonymous(url);
  await api.GET("/api/v1/quotas", { headers: { authorization: `Bearer ${token}` } }).catch((error) => {
    // A token without the permission to read the account is still a valid token.
    if (error?.status !== 403) throw error;
  });
  return { type: "api_token", token };
}

async function keep(cli: Cli, { name, context }: { name: string; context: Context }, credential: Credential) {
  const { place, reason } = await cli.session.keep(name, context, credential);
  const because = reason === "" ? "" : `: ${reason}`;
  await cli.print.done(`Signed in at ${context.url}. The credential is in ${place}${because}.`, {
    context: name,
    url: context.url,
  });
}
