import { formatDateTime } from "../../lib/format.ts";
import { useBalances, useContainers, useRentals, useReservations } from "../../lib/reads.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";

/** The way from an empty account to a running program, until it has been gone. */
export function NextSteps() {
  const balances = useBalances().data;
  const rentals = useRentals().data;
  const reservations = useReservations().data ?? [];
  const containers = useContainers().data?.containers;
  if (balances === undefined || rentals === undefined || containers === undefined) return null;
  if (containers.length > 0) return null;
  const active = rentals.filter(({ status }) => status === "active");
  const isRenting = active.length > 0;
  const isReady = active.some(({ host_joined }) => host_joined);
  const waited = isReady ? undefined : active[0];
  const reserved = isRenting ? undefined : reservations.find(({ status }) => status === "confirmed");
  const steps = [
    {
      title: "Top up your wallet",
      text: "Servers are paid from your balance, and nothing is ever charged beyond it.",
      isDone: Number(balances.general_balance) > 0 || isRenting || reserved !== undefined,
      to: "/wallet?top_up=true",
      action: "Top up",
    },
    {
      title: "Rent a server",
      text: "For as many days as you choose. Most are ready at once.",
      isDone: isRenting || reserved !== undefined,
      to: "/marketplace",
      action: "See the servers",
    },
    ...(waited === undefined
      ? []
      : [
          {
            title: `${waited.server_name} is being set up`,
            text: "An operator does this by hand. We tell you when it is ready.",
            isDone: false,
            to: `/servers/${waited.id}`,
            action: "See the server",
          },
        ]),
    ...(reserved === undefined
      ? []
      : [
          {
            title: `${reserved.offer_name} is being prepared`,
            text: `It is paid, and there by ${formatDateTime(reserved.delivery_due ?? reserved.created_at)}. We tell you when it is ready.`,
            isDone: false,
            to: "/servers",
            action: "See the reservation",
          },
        ]),
    {
      title: "Run a container",
      text: "From any image. You get a terminal, a firewall and addresses with it.",
      isDone: false,
      to: "/containers?create=true",
      action: "Create a container",
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol className="steps panel">
      {steps.map(({ title, text, isDone, to, action }, index) => (
        <li key={title} data-done={isDone || undefined}>
          <span className="step-mark">{isDone ? <Icon name="check" /> : index + 1}</span>
          <div>
            <h2>
              {title}
              {isDone && <span className="visually-hidden"> (done)</span>}
            </h2>
            <p className="hint">{text}</p>
          </div>
          {index === next && (
            <ButtonLink look="primary" to={to}>
              {action}
            </ButtonLink>
          )}
        </li>
      ))}
    </ol>
  );
}
