import { useState } from "react";
import { api, dataOf, polledApi, type Schemas } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Section } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Certificate = Schemas["CertificateRecord"];

const KEY = ["operator", "certificates"] as const;
const LOOKED_MS = 5_000;
const TONES = { issued: "good", pending: "busy", failing: "bad" } as const;

/** Certificates from the ACME authority, the soonest to end first. */
export function Certificates() {
  const [filters, change] = useFilters(["state"]);
  const [retried, setRetried] = useState<Certificate>();
  const query = useList(
    [...KEY, filters],
    async (cursor) => {
      const given = { ...filters, ...from(cursor) } as { state?: Certificate["state"] };
      const { certificates, pagination } = await dataOf(
        polledApi.GET("/api/v1/admin/certificates", { params: { query: given } }),
      );
      return { items: certificates, next: pagination.next_cursor };
    },
    { everyMs: LOOKED_MS },
  );
  return (
    <Section title="Certificates">
      <search className="filters" aria-label="Certificates">
        <ChoiceField
          label="State"
          value={filters.state ?? ""}
          onChange={(state) => change({ state })}
          choices={["", ...Object.keys(TONES)].map((value) => ({ value, label: value || "any" }))}
        />
      </search>
      <LoadedList
        query={query}
        rows={2}
        empty={
          <p className="hint">
            {filters.state
              ? `No certificate is ${filters.state}.`
              : "There are no certificates from an ACME authority yet."}
          </p>
        }
      >
        {(certificates) => (
          <Table
            caption="Certificates"
            columns={columnsOf(setRetried)}
            rows={certificates}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {retried && <Retry certificate={retried} onClose={() => setRetried(undefined)} />}
    </Section>
  );
}

const columnsOf = (retry: (certificate: Certificate) => void): readonly Column<Certificate>[] => [
  { title: "Name", cell: ({ name }) => <strong>{name}</strong> },
  { title: "State", cell: ({ state }) => <Status tone={TONES[state]}>{state}</Status> },
  { title: "Ends", cell: ({ not_after }) => (not_after === null ? "–" : <When at={not_after} />) },
  { title: "Failures", cell: ({ failures }) => formatNumber(failures), isFigure: true, isMinor: true },
  {
    title: "Problem",
    cell: ({ error }) => <span className={error === null ? "" : "reason"}>{error ?? "–"}</span>,
  },
  { title: "Next try", cell: ({ next_try_at }) => <When at={next_try_at} />, isFigure: true, isMinor: true },
  {
    title: "Change",
    isActions: true,
    cell: (certificate) => (
      <Button look="quiet" aria-label={`Order now: ${certificate.name}`} onPress={() => retry(certificate)}>
        Order now
      </Button>
    ),
  },
];

const Retry = ({ certificate: { id, name }, onClose }: { certificate: Certificate; onClose: () => void }) => (
  <Confirm
    title={`Order the certificate of ${name} now?`}
    action="Order it now"
    onClose={onClose}
    onConfirm={() =>
      perform(
        `The certificate of ${name} is ordered now`,
        () => api.POST("/api/v1/admin/certificates/{id}/retry", { params: { path: { id } } }),
        KEY,
      )
    }
    command={{
      method: "POST",
      path: `/api/v1/admin/certificates/${id}/retry`,
      berth: ["admin", "certificates", "retry", name],
    }}
  >
    <p>The certificate in use stays in use. Authorities take few failed orders of a name in an hour.</p>
  </Confirm>
);
