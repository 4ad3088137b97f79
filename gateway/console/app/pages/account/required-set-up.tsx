import { signOut } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Icon, Wordmark } from "../../ui/icons.tsx";
import { SecondFactors } from "./second-factor.tsx";

/** All that an administrator sees who has yet to set up the second factor that the operator requires. */
export default function RequiredSetUp({ onKept }: { onKept: () => void }) {
  return (
    <main className="required-set-up">
      <Wordmark />
      <h1>Set up a second factor</h1>
      <p className="note warn">
        <Icon name="warning" />
        Administrators need a second factor here. Set one up to go on.
      </p>
      <SecondFactors onKept={onKept} />
      <div className="form-actions">
        <Button look="quiet" onPress={() => signOut()}>
          Sign out
        </Button>
      </div>
    </main>
  );
}
