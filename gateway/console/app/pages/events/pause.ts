import { useEffect, useState } from "react";
import { onEvent } from "../../lib/events.ts";
import { queryClient } from "../../lib/queries.ts";
import { readAgain } from "../../lib/read-again.ts";

/** Stops a list of events for as long as its reader wants, and counts what happens meanwhile. */
export function usePause() {
  const [isPaused, setPaused] = useState(false);
  const [missed, setMissed] = useState(0);
  useEffect(() => {
    if (!isPaused) return;
    // What is being read now would still bring what happens after the pause.
    void queryClient.cancelQueries({ queryKey: ["events", "all"] });
    return onEvent(() => setMissed((count) => count + 1));
  }, [isPaused]);
  return {
    isPaused,
    missed,
    pause: () => setPaused(true),
    resume: () => {
      setPaused(false);
      setMissed(0);
      void readAgain(queryClient, ["events"]);
    },
  };
}
