import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatDate, formatMoney } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";

type Bonus = Schemas["BonusStatusReply"]["data"];
const CHANGED = ["wallet"] as const;

export const useBonus = () =>
  useQuery({
    queryKey: ["wallet", "bonus"],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/codehost-bonus")),
  });

/** Money for who has an account at the code host: link it, then claim. Nothing stands here where nothing is offered. */
export function BonusTile() {
  const { codehost } = useSearch({ strict: false }) as { codehost?: string };
  const { data } = useBonus();
  if (data === undefined || (!data.enabled && !data.claim)) return null;
  return (
    <section className="card figure-tile" aria-label="Bonus">
      <h2 className="hint">Bonus for your code-host account</h2>
      {data.claim ? (
        <strong>{formatMoney(data.claim.amount_usd)}</strong>
      ) : (
        <span>{formatMoney(data.amount_usd ?? 0)}, not claimed yet</span>
      )}
      {codehost !== undefined && codehost !== "linked" && !data.codehost_linked && (
        <span className="status bad">
          <Icon name="warning" /> It could not be linked. Try again.
        </span>
      )}
      <BonusStep bonus={data} />
    </section>
  );
}

function BonusStep({ bonus }: { bonus: Bonus }) {
  const { claim, codehost_linked, codehost_username, identity_claimed_elsewhere } = bonus;
  if (claim) return <span className="hint">Yours since {formatDate(claim.at)}</span>;
  if (!codehost_linked)
    return (
      <>
        <span className="hint">For users of {bonus.repo}, once. Link your account there to claim it.</span>
        <Button onPress={() => link()}>Link my account</Button>
      </>
    );
  const unlink = (
    <Button look="quiet" onPress={() => act("It is no longer linked", unlinkIdentity, CHANGED)}>
      Unlink
    </Button>
  );
  if (identity_claimed_elsewhere)
    return (
      <>
        <span className="hint">Another account has claimed it as {codehost_username}.</span>
        {unlink}
      </>
    );
  return (
    <>
      <span className="hint">You are {codehost_username} there.</span>
      <span className="page-actions">
        <Button onPress={() => claimBonus()}>Claim it</Button>
        {unlink}
      </span>
    </>
  );
}

/** The code host asks its user there, and sends the browser back to this page. */
const link = () =>
  act("The code host asks you", async () => {
    const { authorization_url } = await dataOf(api.POST("/api/v1/auth/codehost"));
    location.assign(authorization_url);
  });

const unlinkIdentity = () => api.DELETE("/api/v1/auth/codehost");

const REFUSED: Partial<Record<string, string>> = {
  identity_claimed_elsewhere: "Another account has claimed it with this identity.",
  not_linked: "Link your account at the code host first.",
  offer_ended: "The offer has ended.",
};

const claimBonus = () =>
  act(
    "The bonus is in your balance",
    async () => {
      const { result } = await dataOf(api.POST("/api/v1/wallet/codehost-bonus/claim"));
      if (result !== "granted" && result !== "already_claimed")
        throw new Error(REFUSED[result] ?? "It did not work just now. Try again shortly.");
    },
    CHANGED,
  );
