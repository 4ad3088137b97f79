import { formatDateTime } from "../../lib/format.ts";
import { useBalances, useContainers, useMailSettings, useRentals, useReservations } from "../../lib/reads.ts";
import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";

/** What is left to do: the address to verify, an installation to operate, and the way to a running program until it has been gone. */
export function NextSteps() {
  const mail = useMailSettings().data;
  const way = useWay();
  const isOperator = useSession()?.user.role === "admin";
  const steps: readonly Step[] = [
    ...(isOperator
      ? [
          {
            title: "You operate this Berth",
            text: "Users, servers for rent, hosts, and what waits for you.",
            isDone: false,
            to: "/operator",
            action: "To the operator's pages",
          },
        ]
      : []),
    ...(mail && !mail.email_verified
      ? [
          {
            title: "Verify your e-mail address",
            text: `A link was sent to ${mail.email}: open it there. Until then no notice is mailed.`,
            isDone: false,
            isBeside: true,
            to: "/account/notifications",
            action: "Send another link",
          },
        ]
      : []),
    ...(isOperator ? [] : way),
  ];
  return steps.length === 0 ? null : <Steps steps={steps} />;
}

interface Step {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  /** It can wait: the next step is another one. */
  readonly isBeside?: boolean;
  readonly to: string;
  readonly action: string;
}

/** From an empty account to a running program. */
function useWay(): readonly Step[] {
  const balances = useBalances().data;
  const rentals = useRentals().data;
  const reservations = useReservations().data ?? [];
  const containers = useContainers().data?.containers;
  if (balances === undefined || rentals === undefined || containers === undefined) return [];
  if (containers.length > 0) return [];
  const active = rentals.filter(({ status }) => status === "active");
  const isRenting = active.length > 0;
  const isReady = active.some(({ host_joined }) => host_joined);
  const waited = isReady ? undefined : active[0];
  const reserved = isRenting ? undefined : reservations.find(({ status }) => status === "confirmed");
  return [
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
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const next = steps.findIndex(({ isDone, isBeside }) => !isDone && !isBeside);
  return (
    <ol className="steps panel">
      {steps.map(({ title, text, isDone, isBeside, to, action }, index) => (
        <li key={title} data-done={isDone || undefined}>
          <span className="step-mark">{isDone ? <Icon name="check" /> : index + 1}</span>
          <div>
            <h2>
              {title}
              {isDone && <span className="visually-hidden"> (done)</span>}
            </h2>
            <p className="hint">{text}</p>
          </div>
          {(index === next || isBeside) && (
            <ButtonLink look={isBeside ? "plain" : "primary"} to={to}>
              {action}
            </ButtonLink>
          )}
        </li>
      ))}
    </ol>
  );
}
