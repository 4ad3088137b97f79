import { api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Copyable } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { DOMAINS_KEY, type Domain } from "./domains.tsx";

/** The records of which one proves a domain, and a look for them now. */
export function Proof({ domain: record, onClose }: { domain: Domain; onClose: () => void }) {
  const { alias, alias_id, domain, proof, error, checked_at } = record;
  return (
    <Confirm
      title={`The proof of ${domain}`}
      action="Look again now"
      onClose={onClose}
      onConfirm={() =>
        perform(
          `The proof of ${domain} is looked for now`,
          () =>
            api.POST("/api/v1/proxy/aliases/{id}/domains/{domain}/check", {
              params: { path: { id: alias_id, domain } },
            }),
          DOMAINS_KEY,
        )
      }
      command={{
        method: "POST",
        path: `/api/v1/proxy/aliases/${alias_id}/domains/${domain}/check`,
        berth: ["alias", "domains", "check", alias, domain],
      }}
    >
      <p>Make one of these records where the domain has its DNS, and keep it. It is looked for by itself.</p>
      <DnsRecord kind="TXT" title="Either a TXT record" name={record.txt_name} value={record.txt_value} />
      <DnsRecord kind="CNAME" title="Or a CNAME record" name={domain} value={record.cname_target} />
      <p className="hint">
        A CNAME leads the visitors here as well. Beside a TXT record, let an A record of the domain lead to
        the address of the name.
      </p>
      {proof !== null && error === null && <p>It was found as a {proof.toUpperCase()} record.</p>}
      {error !== null && (
        <p className="note warn">
          {checked_at !== null && `${formatDateTime(checked_at)}: `}
          {error}
        </p>
      )}
    </Confirm>
  );
}

interface DnsRecordProps {
  readonly kind: "TXT" | "CNAME";
  readonly title: string;
  readonly name: string;
  readonly value: string;
}

/** Both are shown whole, since they are compared with what a provider shows. */
const DnsRecord = ({ kind, title, name, value }: DnsRecordProps) => (
  <div className="stack">
    <strong>{title}</strong>
    <span>Its name:</span>
    <Copyable text={name} label={`the name of the ${kind} record`} />
    <span>Its value:</span>
    <Copyable text={value} label={`the value of the ${kind} record`} />
  </div>
);
