import { boot } from "./boot.ts";
import { button, element } from "./element.ts";

interface Described {
  readonly id: number;
  readonly name: string | null;
  readonly title: string;
  readonly description: string;
  readonly clients: number;
}

/** The list of sessions: go to one, give it a name, end it. */
export class SessionList {
  readonly root = element("dialog", { class: "sessions", "aria-label": "Sessions" });
  readonly #closed: () => void;

  constructor(closed: () => void) {
    this.#closed = closed;
    this.root.addEventListener("close", () => this.#closed());
    // What is beside it is of no element's but the dialog's own.
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
    const link = element(
      "a",
      { href: `/?terminal_id=${session.id}`, "aria-current": here },
      `${session.id} · ${label}${here ? " (this one)" : ""}`,
    );
    const viewers = element(
      "small",
      {},
      `${session.clients} ${session.clients === 1 ? "viewer" : "viewers"}`,
    );
    const row = element("li", { class: here ? "here" : "" }, link, viewers);
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
      button(`Rename ${label}`, "✎", () => {
        const name = prompt("Name of this session", session.name ?? "");
        if (name !== null) void change("PATCH", { name: [...name].slice(0, 200).join("") || null });
      }),
      button(`End ${label}`, "×", () => {
        if (confirm(`End ${label}? What runs in it is ended.`)) void change("DELETE");
      }),
    );
    return row;
  }
}
