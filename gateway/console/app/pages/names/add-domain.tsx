import { useQuery } from "@tanstack/react-query";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { DOMAINS_KEY, type Domain } from "./domains.tsx";

interface AddDomainProps {
  readonly onClose: () => void;
  readonly onAdded: (domain: Domain) => void;
}

/** Lets a domain lead to a name that is there. */
export function AddDomain({ onClose, onAdded }: AddDomainProps) {
  const query = useQuery({
    queryKey: ["aliases", "choices"],
    queryFn: () => dataOf(api.GET("/api/v1/proxy/aliases", { params: { query: { limit: "500" } } })),
  });
  const aliases = query.data?.aliases ?? [];
  const pathOf = ({ alias_id = "" }: Values) => ({ id: alias_id });
  const add = async ({ domain = "", ...values }: Values) => {
    const params = { path: pathOf(values) };
    const added = await dataOf(api.POST("/api/v1/proxy/aliases/{id}/domains", { params, body: { domain } }));
    await refresh(DOMAINS_KEY);
    onAdded(added);
  };
  return (
    <Dialog title="Add a domain" onClose={onClose}>
      <Loaded query={query} rows={2}>
        {() =>
          aliases.length === 0 ? (
            <Empty
              icon="name"
              title="A domain needs a name"
              action={<Button onPress={onClose}>Back to the names</Button>}
            >
              Create a name first: the domain leads where the name leads.
            </Empty>
          ) : (
            <Form
              submit="Add the domain"
              onSubmit={add}
              fieldOf={{ DOMAIN_IN_USE: "domain", QUOTA_EXCEEDED: "alias_id" }}
              command={({ domain = "", ...values }) => ({
                method: "POST",
                path: `/api/v1/proxy/aliases/${pathOf(values).id}/domains`,
                body: { domain },
                berth: [
                  ...["alias", "domains", "add"],
                  aliases.find(({ id }) => id === values.alias_id)?.alias ?? "…",
                  domain || "…",
                ],
              })}
            >
              <Field
                label="Domain"
                name="domain"
                isRequired
                autoFocus
                maxLength={253}
                placeholder="shop.example.com"
                hint="Next you get the record that proves it to be yours."
              />
              <ChoiceField
                label="Leads to"
                name="alias_id"
                choices={aliases.map(({ id, url }) => ({ value: id, label: url.replace("https://", "") }))}
              />
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  );
}
