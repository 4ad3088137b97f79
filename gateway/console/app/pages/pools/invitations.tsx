import { useQuery } from "@tanstack/react-query";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";

type Invitation = Schemas["Invitation"];

export const useInvitations = () =>
  useQuery({
    queryKey: ["pools", "invitations"],
    queryFn: () => dataOf(api.GET("/api/v1/pools/invitations/pending")),
  });

/** What others invite this user to. Nothing, where there is none. */
export const Invitations = ({ invitations }: { invitations: readonly Invitation[] }) =>
  invitations.map((invitation) => <OneInvitation key={invitation.id} invitation={invitation} />);

function OneInvitation({ invitation }: { invitation: Invitation }) {
  const { id, pool_name, role, invited_by } = invitation;
  const params = { params: { path: { id } } };
  return (
    <section className="note invitation" aria-label={`Invitation to ${pool_name}`}>
      <Icon name="pool" />
      <p>
        <strong>{invited_by}</strong> invites you to the pool <strong>{pool_name}</strong> as {role}.
      </p>
      <div className="page-actions">
        <Button
          look="primary"
          onPress={() =>
            act(
              `You are in ${pool_name}`,
              () => api.POST("/api/v1/pools/{id}/accept", params),
              ["pools"],
              ["rentals"],
            )
          }
        >
          Join
        </Button>
        <Button
          onPress={() =>
            act("The invitation is rejected", () => api.POST("/api/v1/pools/{id}/reject", params), ["pools"])
          }
        >
          Reject
        </Button>
      </div>
    </section>
  );
}
