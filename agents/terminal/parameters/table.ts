import * as values from "./values.ts";

/** The description of a parameter in the OpenAPI document. */
export interface Schema {
  readonly type: "string" | "boolean" | "integer";
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string | number | boolean;
}

interface Parameter<Value> {
  readonly schema: Schema;
  readonly rule: string;
  readonly read: (text: string) => Value;
  /** May be given more than once. */
  readonly repeatable?: true;
}

const string = <Value>(
  rule: string,
  read: (text: string) => Value,
  schema: Omit<Schema, "type"> = {},
): Parameter<Value> => ({ schema: { type: "string", ...schema }, rule, read });

const integer = (
  rule: string,
  read: (text: string) => number,
  schema: Omit<Schema, "type"> = {},
): Parameter<number> => ({ schema: { type: "integer", ...schema }, rule, read });

const boolean = (rule: string, byDefault?: boolean): Parameter<boolean> => ({
  schema: { type: "boolean", ...(byDefault === undefined ? {} : { default: byDefault }) },
  rule,
  read: values.boolean,
});

const repeatable = <Value>(parameter: Parameter<Value>) => ({ ...parameter, repeatable: true as const });

/** Every query parameter of `GET /`: container services §4.1, row by row. The OpenAPI document is made from it. */
export const PARAMETERS = {
  terminal_id: string(
    "Numeric, 1 to 65535; generated if absent. The same id reattaches, unless reset is given.",
    values.terminalId,
    { pattern: "^\\d{1,5}$" },
  ),
  cwd: string("Initial working directory; new sessions only.", values.path),
  cwd_auto_create: boolean("Create cwd when it is missing; new sessions only.", false),
  shell: string(
    "bash, zsh, fish, sh and so on. By default the server's startup command, or the shell of the user's account where there is none. New sessions only.",
    values.shell,
  ),
  user: string(
    "System user to run the shell as: it must exist, and the server needs permission for su. New sessions only.",
    values.user,
  ),
  cmd: string("Base64-encoded command that is run once when the shell starts.", values.command),
  readonly: boolean(
    "Viewing only: keyboard input is blocked, and the size of this window does not count for the session's.",
    false,
  ),
  title: string(
    "Title of the tab. HTML tags are removed; what is left has at most 200 characters, and a longer title is a 400.",
    values.title,
    {
      maxLength: values.TITLE_CHARS_MAX,
    },
  ),
  fontSize: integer("In pixels; the suffix px is accepted.", values.fontSize, {
    minimum: 8,
    maximum: 72,
    default: 13,
  }),
  backgroundColor: string(
    "#RGB, #RRGGBB, #RRGGBBAA (which lets the page's #1e1e1e through) or a CSS colour name.",
    values.colour,
    {
      default: "#2b2b2b",
    },
  ),
  panel: string(
    "URL (http or https), or a path of this address, that is shown in a side panel; enables the panel.",
    values.panelUrl,
  ),
  "panel-visible": boolean("Whether the panel is open: true by default when a panel URL is given."),
  "panel-position": string("Side of the panel.", values.oneOf("left", "right"), {
    enum: ["left", "right"],
    default: "right",
  }),
  "panel-width": string("Pixels or percentage.", values.length, { default: "400px" }),
  "panel-resizable": boolean("Whether the panel's edge can be dragged.", true),
  "panel-height": string(
    "Pixels or percentage, where the panel lies above or below: on screens too narrow for a side panel.",
    values.length,
    { default: "300px" },
  ),
  "hide-toolbar": boolean("Leave the toolbar out.", false),
  ssh_host: string(
    "SSH host: with ssh_user, the session is an SSH session. Parameters about this machine (user, shell, arg, cwd, cwd_auto_create, startup_script, desktop, desktop_env, env_inject) mean nothing there, and the terminal names those that were given.",
    values.host,
  ),
  ssh_user: string("Required when ssh_host is given.", values.remoteUser),
  ssh_port: string("Port of the SSH server.", values.port, { default: "22" }),
  ssh_password: string(
    "SSH password; a key is preferred. With an ssh_key that has a passphrase, it is that.",
    values.secret,
  ),
  ssh_key: string(
    "Base64-encoded SSH private key; ssh_password gives its passphrase, if it has one.",
    values.privateKey,
  ),
  socks5_host: string("SOCKS5 proxy for the SSH connection.", values.host),
  socks5_port: string("Port of the SOCKS5 proxy.", values.port, { default: "1080" }),
  socks5_user: string("User at the SOCKS5 proxy.", values.secret),
  socks5_pass: string("Password at the SOCKS5 proxy.", values.secret),
  desktop: boolean(
    "A full desktop instead of single windows on the display, which has to be given by display or env.",
    false,
  ),
  desktop_env: string(
    "Desktop environment; implies desktop, and needs a display as it does.",
    values.oneOf("xfce", "mate"),
    {
      enum: ["xfce", "mate"],
    },
  ),
  display: string("X11 display number, N or :N; the same as env DISPLAY=:N.", values.display, {
    pattern: "^:?\\d+$",
  }),
  redirect: string(
    "display: the display is started if it is not there, the session is ensured and, once the X11 display is ready, the answer is a 302 to it. A machine that can have no display is a 400. Needs terminal_id and display.",
    values.oneOf("display"),
    { enum: ["display"] },
  ),
  redirect_delay: integer(
    "Further seconds to wait before that redirect. Without redirect=display it has no effect.",
    values.redirectDelay,
    { minimum: 0, maximum: 300, default: 0 },
  ),
  arg: repeatable(
    string("Command-line argument for the shell; needs the server's url-arg option.", values.argument),
  ),
  welcome: boolean("Greet in a new session, also over SSH.", false),
  debug: boolean("Say in the terminal how the session is started, also over SSH.", false),
  reset: boolean("End the existing process of this id and configure the session again.", false),
  pid: integer(
    "Attach to an existing process instead of a new shell; implies reset. A process that a session already shows leads to that session, whatever terminal_id says, and neither session is reset.",
    values.pid,
    {
      minimum: 1,
      maximum: values.PID_MAX,
    },
  ),
  env: repeatable(
    string(
      "KEY=VALUE: an environment variable of the shell, the startup script and the desktop. It has no effect on how these are started. A variable whose name tells of a secret (PASSWORD, SECRET, TOKEN, KEY, AUTH and the like), or whose value is a URL with a password, is taken out of the address once the page is there.",
      values.environment,
    ),
  ),
  env_inject: boolean("Give the service's SERVICE_* environment variables to the shell.", true),
  startup_script: string(
    "Path of a script that is run before the shell; only when the session is first created.",
    values.path,
  ),
} as const satisfies Record<string, Parameter<unknown>>;

type Table = typeof PARAMETERS;
type Value<Row> = Row extends { read: (text: string) => infer One }
  ? Row extends { repeatable: true }
    ? readonly One[]
    : One
  : never;

/** The parsed values of the given parameters, by name. */
export type Given = { readonly [Name in keyof Table]?: Value<Table[Name]> };
