import { resume } from "./session.ts";

const FIRST_MS = 500;
const MAX_MS = 5_000;

/**
 * Continues the session of before. While Berth cannot be reached nobody knows whether there is one: that is said in the
 * page, and it is tried again, since a person who is signed in shall not be asked for the password.
 */
export async function resumeOnceReached(place: HTMLElement): Promise<void> {
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_MS)) {
    try {
      await resume();
      return;
    } catch (error) {
      // Whoever is refused signs in.
      if (!isUnreachable(error)) return;
    }
    sayUnreachable(place);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const isUnreachable = (error: unknown): boolean => {
  const { status } = error as { status?: number };
  return status === undefined || status === 429 || status >= 500;
};

function sayUnreachable(place: HTMLElement): void {
  if (place.firstChild !== null) return;
  const main = document.createElement("main");
  main.className = "entrance";
  const note = document.createElement("p");
  note.className = "note warn";
  note.setAttribute("role", "status");
  note.textContent = "Berth cannot be reached. Trying again…";
  main.append(note);
  place.append(main);
}
