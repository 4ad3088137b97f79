import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./lib/queries.ts";
import { resumeOnceReached } from "./lib/resume.ts";
import { applyTheme } from "./lib/theme.ts";
import { router } from "./router.tsx";

applyTheme();
// Browsers have it in secure contexts only, and the console may be served on plain http within a network.
crypto.randomUUID ??= () => {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") as ReturnType<
    Crypto["randomUUID"]
  >;
};

const place = document.getElementById("app");
if (place === null) throw new Error("the page has no place for the console");
await resumeOnceReached(place);
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
