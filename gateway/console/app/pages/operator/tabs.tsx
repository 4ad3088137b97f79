import type { ReactNode } from "react";
import { TabbedHead } from "../../ui/page.tsx";

const TABS = [
  { title: "Overview", to: "/operator" },
  { title: "Users", to: "/operator/users" },
  { title: "Servers", to: "/operator/servers" },
  { title: "Hosts", to: "/operator/hosts" },
  { title: "Containers", to: "/operator/containers" },
  { title: "Offers", to: "/operator/offers" },
  { title: "Reservations", to: "/operator/reservations" },
  { title: "Images", to: "/operator/images" },
  { title: "Payments", to: "/operator/reviews" },
  { title: "Notices", to: "/operator/notices" },
  { title: "Audit log", to: "/operator/audit" },
  { title: "Cluster", to: "/operator/cluster" },
];

/** The head of each page for administrators. To anybody else the API refuses what the page reads. */
export const OperatorHead = ({ children }: { children?: ReactNode }) => (
  <TabbedHead title="Operator" tabs={TABS}>
    {children}
  </TabbedHead>
);
