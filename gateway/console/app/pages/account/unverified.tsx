import { act } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";

/** Says what waits until somebody proves to read mail at the address. */
export const Unverified = ({ email }: { email: string }) => (
  <div className="note warn">
    <div className="stack">
      <p>
        A link was sent to <bdi>{email}</bdi> that verifies the address: open it there. Until then no notice
        is mailed.
      </p>
      <div>
        <Button
          onPress={() => act("The link is on its way", () => api.POST("/api/v1/auth/email/verification"))}
        >
          Send another link
        </Button>
      </div>
    </div>
  </div>
);
