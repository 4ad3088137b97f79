import type { ReactNode } from "react";
import { SENDS_MAIL } from "../../lib/installation.ts";
import { TabbedHead } from "../../ui/page.tsx";

const TABS = [
  { title: "Sign-in", to: "/account" },
  { title: "Second factor", to: "/account/second-factor" },
  { title: "Sessions", to: "/account/sessions" },
  { title: "API tokens", to: "/account/tokens" },
  ...(SENDS_MAIL ? [{ title: "Notifications", to: "/account/notifications" }] : []),
  { title: "Webhooks", to: "/account/webhooks" },
  { title: "Limits", to: "/account/limits" },
  { title: "Audit log", to: "/account/audit" },
];

/** The head of each page of the account. */
export const AccountHead = ({ children }: { children?: ReactNode }) => (
  <TabbedHead title="Account" tabs={TABS}>
    {children}
  </TabbedHead>
);
