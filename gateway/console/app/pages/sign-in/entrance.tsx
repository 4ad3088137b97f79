import { type ReactNode, useEffect } from "react";
import { Wordmark } from "../../ui/icons.tsx";
import { Toasts } from "../../ui/toasts.tsx";

/** The frame of the pages before anybody is signed in. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Berth`;
  }, [title]);
  return (
    <main className="entrance">
      <Wordmark />
      <section className="card">
        <h1>{title}</h1>
        {children}
      </section>
      <Toasts />
      <p className="hint">
        <a href="/openapi">API reference</a>
      </p>
    </main>
  );
}
