import { boot } from "./boot.ts";
import { button, element } from "./element.ts";
import { iconButton } from "./icons.ts";

interface Described {
  readonly id: number;
  readonly name: string | null;
  readonly title: string;
  readonly description: string;
  readonly program: string | null;
  readonly directory: string | null;
  readonly clients: number;
  readonly created_at: string;
}

/** The length of a path that fits on a phone; its end distinguishes folders. */
const PATH_CHARS_MAX = 28;

const endOf = (path: string): string =>
  path.length > PATH_CHARS_MAX ? `…${path.slice(1 - PATH_CHARS_MAX)}` : path;

const AGES = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** An age such as `3 hours`: precise enough to distinguish sessions. */
function ageOf(createdAt: string): string {
  const seconds = Math.max((Date.now() - Date.parse(createdAt)) / 1_000, 0);
  const [unit, length] = AGES.find(([, one]) => seconds >= one) ?? [];
  if (unit === undefined || length === undefined) return "just now";
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"} old`;
}

/** The list of sessions: go to one, give it a name, end it. */
export class SessionList {
  readonly root = element("dialog", { class: "sessions", "aria-label": "Sessions" });
  readonly #closed: () => void;

  constructor(closed: () => void) {
    this.#closed = closed;
    this.root.addEventListener("close", () => this.#closed());
    // A click beside the content has the dialog itself as its target.
    this.root.addEventListener("click", ({ target }) => target === this.root && this.root.close());
  }

  async open(): Promise<void> {
    await this.#load();
    if (!this.root.open) this.root.showModal();
  }

  async #load(): Promise<void> {
    const response = await fetch(boot.sessions).catch(() => null);
    const { sessions = [] } = response?.ok ? ((await response.json()) as { sessions?: Described[] }) : {};
    const rows = sessions.map((session) => this.#row(session));
    this.root.replaceChildren(
      element("h2", {}, "Sessions"),
      element("ul", {}, ...rows),
      element(
        "div",
        { class: "actions" },
        element("a", { href: "/", target: "_blank", rel: "noopener" }, "New terminal"),
        button("Close", "Close", () => this.root.close()),
      ),
    );
  }

  #row(session: Described): HTMLElement {
    const label = session.name ?? (session.title || session.description);
    const here = session.id === boot.id;
    const { directory, program, clients, created_at } = session;
    const facts = [
      directory === null ? session.description : endOf(directory),
      program,
      ageOf(created_at),
      `${clients} ${clients === 1 ? "viewer" : "viewers"}`,
    ];
    const link = element(
      "a",
      { href: `/?terminal_id=${session.id}`, title: directory ?? "", "aria-current": here },
      element("span", {}, `${session.id} · ${label}${here ? " (this one)" : ""}`),
      element("small", {}, facts.filter(Boolean).join(" · ")),
    );
    const row = element("li", { class: here ? "here" : "" }, link);
    if (boot.readonly) return row;
    const change = async (method: string, body?: unknown) => {
      await fetch(`${boot.sessions}/${session.id}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      await this.#load();
    };
    row.append(
      iconButton(`Rename ${label}`, "rename", () => {
        const name = prompt("Name of this session", session.name ?? "");
        if (name !== null) void change("PATCH", { name: [...name].slice(0, 200).join("") || null });
      }),
      iconButton(`End ${label}`, "close", () => {
        if (confirm(`End ${label}? What runs in it is ended.`)) void change("DELETE");
      }),
    );
    return row;
  }
}
