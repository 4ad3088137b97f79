import { useState } from "react";
import { api, dataOf, polledApi, type Schemas } from "../../lib/api.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Section } from "../../ui/page.tsx";
import { Status, type Tone, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AddDomain } from "./add-domain.tsx";
import { Proof } from "./proof.tsx";

export type Domain = Schemas["Domain"];

/** Events of names make it stale too. */
export const DOMAINS_KEY = ["aliases", "domains"] as const;
/** No event tells of a look that found nothing new. */
const LOOKED_MS = 5_000;

interface Opened {
  readonly what: "proof" | "removal";
  readonly domain: Domain;
}

/** The user's own domains, which lead to names. */
export function OwnDomains() {
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const query = useList(
    DOMAINS_KEY,
    async (cursor) => {
      const { domains, pagination } = await dataOf(
        polledApi.GET("/api/v1/proxy/domains", { params: { query: from(cursor) } }),
      );
      return { items: domains, next: pagination.next_cursor };
    },
    { everyMs: LOOKED_MS },
  );
  const close = () => setOpened(undefined);
  return (
    <Section
      title="Your own domains"
      actions={
        <Button icon="plus" onPress={() => setAdding(true)}>
          Add a domain
        </Button>
      }
    >
      <LoadedList
        query={query}
        rows={1}
        empty={
          <p className="hint">None yet. A domain of yours, such as shop.example.com, can lead to a name.</p>
        }
      >
        {(domains) => (
          <Table
            caption="Your own domains"
            columns={columnsOf(setOpened)}
            rows={domains}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {isAdding && (
        <AddDomain
          onClose={() => setAdding(false)}
          onAdded={(domain) => {
            setAdding(false);
            setOpened({ what: "proof", domain });
          }}
        />
      )}
      {opened?.what === "proof" && <Proof domain={opened.domain} onClose={close} />}
      {opened?.what === "removal" && <Removal domain={opened.domain} onClose={close} />}
    </Section>
  );
}

const columnsOf = (open: (opened: Opened) => void): readonly Column<Domain>[] => [
  {
    title: "Domain",
    cell: ({ domain, url }) => (
      <span className="copy">
        <a href={url} target="_blank" rel="noreferrer">
          {domain}
        </a>
        <CopyButton text={url} label={`Copy the address of ${domain}`} />
      </span>
    ),
  },
  { title: "Leads to", cell: ({ alias }) => alias },
  {
    title: "State",
    cell: (domain) => {
      const [tone, text] = stateOf(domain);
      return <Status tone={tone}>{text}</Status>;
    },
  },
  {
    title: "Looked for next",
    cell: ({ next_check_at }) => (next_check_at === null ? "when you ask" : <When at={next_check_at} />),
    isFigure: true,
  },
  {
    title: "Change",
    isActions: true,
    cell: (domain) => (
      <>
        <Button
          look="quiet"
          aria-label={`Proof of ${domain.domain}`}
          onPress={() => open({ what: "proof", domain })}
        >
          Proof
        </Button>
        <Button
          look="remove"
          aria-label={`Remove ${domain.domain}`}
          onPress={() => open({ what: "removal", domain })}
        >
          Remove
        </Button>
      </>
    ),
  },
];

function stateOf({ state, error }: Domain): [Tone, string] {
  if (state === "pending") return ["busy", "waiting for proof"];
  if (state === "failed") return ["bad", "lost"];
  return error === null ? ["good", "proven"] : ["warn", "proven, proof missing"];
}

const Removal = ({
  domain: { alias_id, alias, domain },
  onClose,
}: {
  domain: Domain;
  onClose: () => void;
}) => (
  <Confirm
    title={`Remove ${domain}?`}
    action="Remove the domain"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        `${domain} is removed`,
        () =>
          api.DELETE("/api/v1/proxy/aliases/{id}/domains/{domain}", {
            params: { path: { id: alias_id, domain } },
          }),
        DOMAINS_KEY,
      )
    }
    command={{
      method: "DELETE",
      path: `/api/v1/proxy/aliases/${alias_id}/domains/${domain}`,
      berth: ["alias", "domains", "remove", alias, domain],
    }}
  >
    <p>It leads to {alias} no longer, and is free for others. The name itself stays.</p>
  </Confirm>
);
