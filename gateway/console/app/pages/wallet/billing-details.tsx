import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { option, options } from "../../lib/commands.ts";
import { countryCodes, countryName } from "../../lib/countries.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Loaded, Section } from "../../ui/page.tsx";

const PATH = "/api/v1/wallet/billing-details";
const KEY = ["wallet", "billing-details"];
const readDetails = () => dataOf(api.GET(PATH));
type Party = NonNullable<Awaited<ReturnType<typeof readDetails>>["billing_details"]>;

export const useBillingDetails = () => useQuery({ queryKey: KEY, queryFn: readDetails });

/** Whom invoices are made out to. */
export function BillingDetails() {
  const query = useBillingDetails();
  const [isOpen, setOpen] = useState(false);
  return (
    <Loaded query={query} rows={3}>
      {({ billing_details: party }) => (
        <Section
          title="Billed to"
          actions={
            <>
              {party && (
                <Button
                  look="remove"
                  onPress={() => act("The billing details are removed", () => api.DELETE(PATH), KEY)}
                >
                  Remove
                </Button>
              )}
              <Button onPress={() => setOpen(true)}>{party ? "Change" : "Add billing details"}</Button>
            </>
          }
        >
          <div className="panel">
            {party ? (
              linesOf(party).map((line) => (
                <div key={line}>
                  <bdi>{line}</bdi>
                </div>
              ))
            ) : (
              <p className="hint">Your user name and e-mail address.</p>
            )}
          </div>
          {isOpen && <DetailsDialog party={party} onClose={() => setOpen(false)} />}
        </Section>
      )}
    </Loaded>
  );
}

const linesOf = ({ name, address_lines, postal_code, city, country, vat_id }: Party): string[] => [
  name,
  ...address_lines,
  [postal_code, city].filter(Boolean).join(" "),
  countryName(country),
  ...(vat_id ? [`VAT id ${vat_id}`] : []),
];

interface DetailsProps {
  readonly party: Party | null;
  readonly onClose: () => void;
  /** Issues the invoice that they are asked for. */
  readonly issue?: () => Promise<unknown>;
  /** What is issued. */
  readonly paper?: "invoice" | "credit note";
}

export function DetailsDialog({ party, onClose, issue, paper = "invoice" }: DetailsProps) {
  return (
    <Dialog title={issue ? `Whom is the ${paper} made out to?` : "Billing details"} onClose={onClose}>
      <Form
        submit={issue ? "Save and issue it" : "Save"}
        actions={
          issue && (
            <Button
              onPress={() => {
                onClose();
                void issue();
              }}
            >
              Issue it without
            </Button>
          )
        }
        onSubmit={async (values) => {
          await perform(
            "Saved: invoices from now on have it",
            () => api.PUT(PATH, { body: bodyOf(values) }),
            KEY,
          );
          onClose();
          await issue?.();
        }}
        fieldOf={{ address_lines: "address" }}
        command={(values) => ({
          method: "PUT",
          path: PATH,
          body: bodyOf(values),
          berth: wordsOf(bodyOf(values)),
        })}
      >
        <Field
          label="Name or company"
          name="name"
          maxLength={200}
          autoComplete="billing name"
          defaultValue={party?.name ?? ""}
          isRequired
          autoFocus
        />
        <Field
          label="Address"
          name="address"
          lines={2}
          autoComplete="billing street-address"
          defaultValue={party?.address_lines.join("\n") ?? ""}
          isRequired
          hint="Up to four lines, without the city."
        />
        <div className="columns">
          <Field
            label="Postal code"
            name="postal_code"
            maxLength={20}
            autoComplete="billing postal-code"
            defaultValue={party?.postal_code ?? ""}
          />
          <Field
            label="City"
            name="city"
            maxLength={100}
            autoComplete="billing address-level2"
            defaultValue={party?.city ?? ""}
            isRequired
          />
        </div>
        <ChoiceField
          label="Country"
          name="country"
          defaultValue={party?.country ?? ""}
          choices={COUNTRIES}
          isRequired
        />
        <Field
          label="VAT id"
          name="vat_id"
          maxLength={40}
          defaultValue={party?.vat_id ?? ""}
          hint="With the letters of its country, such as DE123456789. Empty: none."
        />
        <p className="hint">
          {issue
            ? "An invoice that is issued stays as it is. Without these details it has your user name and e-mail address."
            : "Invoices that were issued stay as they are."}
        </p>
      </Form>
    </Dialog>
  );
}

const COUNTRIES = [
  { value: "", label: "Choose one" },
  ...countryCodes().map((value) => ({ value, label: countryName(value) })),
];

const bodyOf = ({ name = "", address = "", postal_code, city = "", country = "", vat_id }: Values) => ({
  name,
  address_lines: address
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
  postal_code: postal_code || null,
  city,
  country,
  vat_id: vat_id || null,
});

const wordsOf = ({
  name,
  address_lines,
  postal_code,
  city,
  country,
  vat_id,
}: ReturnType<typeof bodyOf>): string[] => [
  ...["invoices", "details", "--name", name],
  ...options("address", address_lines),
  ...option("postal-code", postal_code ?? "none"),
  ...option("city", city),
  ...option("country", country),
  ...option("vat-id", vat_id ?? "none"),
];
