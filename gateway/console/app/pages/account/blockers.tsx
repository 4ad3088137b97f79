import { Link } from "@tanstack/react-router";
import type { Schemas } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";

export type Blocker = Schemas["AccountBlocker"];

const WORDS: Readonly<Record<Blocker["kind"], string>> = {
  rental: "The rented server",
  reservation: "The reservation of",
  container: "The container",
  storage_share: "The storage share",
  alias: "The alias",
  pool: "The pool with other members",
  payment: "The top-up by",
  payment_review: "The payment under review, by",
  purchase: "A payment that takes place at this moment",
  last_administrator: "The account is the last administrator. Make another one first",
};

interface BlockersProps {
  readonly blockers: readonly Blocker[];
  /** The page on which each ends; left out where the reader cannot end them. */
  readonly pageOf?: (kind: Blocker["kind"]) => string;
  readonly onClose: () => void;
}

/** What must end before an account can be deleted. */
export const Blockers = ({ blockers, pageOf, onClose }: BlockersProps) => (
  <>
    <p>This must end first:</p>
    <ul className="bulleted">
      {blockers.map(({ kind, id, name, until }) => {
        const words = `${WORDS[kind]} ${name ?? ""}`.trim();
        return (
          <li key={`${kind} ${id}`}>
            {pageOf === undefined ? (
              words
            ) : (
              <Link to={pageOf(kind)} onClick={onClose}>
                {words}
              </Link>
            )}
            {until
              ? `, until ${formatDateTime(until)}`
              : kind === "rental" &&
                ", which is not delivered yet: what was paid for it returns when it is ended"}
          </li>
        );
      })}
    </ul>
  </>
);
