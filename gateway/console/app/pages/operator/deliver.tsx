import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, ChoiceField } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loaded } from "../../ui/page.tsx";
import { RESERVATIONS_KEY, type ReservationActProps } from "./reservations.tsx";

type Server = Schemas["StockServer"];
type Specs = Schemas["ServerSpecs"];

/** What an order is compared by, each with its words. */
const SIZES: readonly (readonly [(specs: Specs) => number | undefined, (figure: number) => string])[] = [
  [({ cpu_cores }) => cpu_cores, (cores) => plural(cores, "core")],
  [({ ram_gb }) => ram_gb, (gib) => `${formatNumber(gib)} GiB memory`],
  [
    ({ disks }) => disks?.reduce((sum, { size_gb }) => sum + size_gb, 0),
    (gb) => `${formatNumber(gb)} GB disk`,
  ],
];

/** "16 cores, 64 GiB memory, 1,000 GB disk"; what is not stated is left out. */
const sizeOf = (specs: Specs): string =>
  SIZES.map(([of, words]) => [of(specs), words] as const)
    .flatMap(([figure, words]) => (figure === undefined ? [] : [words(figure)]))
    .join(", ") || "no sizes stated";

/** What a server has less of than was ordered, or does not state: "2 cores of 16". */
export const lacksOf = (server: Specs, ordered: Specs): string[] =>
  SIZES.flatMap(([of, words]) => {
    const [has, wanted] = [of(server), of(ordered)];
    if (wanted === undefined || (has !== undefined && has >= wanted)) return [];
    return [has === undefined ? `${words(wanted)}, not stated` : `${words(has)} of ${formatNumber(wanted)}`];
  });

/** Whether a reservation can be delivered on it: it is one customer's alone, and its host has joined and is not being emptied. */
const isDeliverable = ({ status, kind, host_joined_at, host_draining }: Server): boolean =>
  status === "in_stock" && kind === "dedicated" && host_joined_at !== null && !host_draining;

function useDelivery(offerId: string) {
  return useQuery({
    queryKey: ["operator", "servers", "choices", offerId],
    queryFn: async () => {
      const query = { limit: "500" };
      const [{ servers }, offers] = await Promise.all([
        dataOf(api.GET("/api/v1/admin/servers", { params: { query: { ...query, status: "in_stock" } } })),
        dataOf(api.GET("/api/v1/admin/offers", { params: { query } })),
      ]);
      const ordered = offers.find(({ id }) => id === offerId)?.specs ?? {};
      const choices = servers
        .filter(isDeliverable)
        .map((server) => ({ ...server, lacks: lacksOf(server.specs, ordered) }));
      // Those that are large enough stand first, the smallest of them on top.
      const cores = ({ specs }: Server) => specs.cpu_cores ?? 0;
      choices.sort((a, b) => a.lacks.length - b.lacks.length || cores(a) - cores(b));
      return { ordered, choices };
    },
  });
}

/** A server of the stock becomes the rental that was paid for. One that is smaller takes a second decision. */
export function Deliver({ reservation: { id, offer_id, offer_name, days }, onClose }: ReservationActProps) {
  const delivery = useDelivery(offer_id);
  const [chosen, setChosen] = useState<string>();
  const [accepted, setAccepted] = useState<string>();
  const path = "/api/v1/admin/reservations/{id}/deliver";
  return (
    <Dialog title={`Deliver ${offer_name}`} onClose={onClose} isWide>
      <Loaded query={delivery} rows={3}>
        {({ ordered, choices }) => {
          if (choices.length === 0)
            return (
              <p>
                The stock has no free server whose host has joined and is not being drained. Add one, and let
                its machine join; servers that have parts are not delivered as a whole.
              </p>
            );
          const first = choices[0]?.lacks.length === 0 ? choices[0].id : "";
          const server = choices.find((one) => one.id === (chosen ?? first));
          const isSmaller = server !== undefined && server.lacks.length > 0;
          const isAccepted = isSmaller && accepted === server.id;
          const bodyOf = ({ server_id = "" }: Values) => ({
            server_id,
            ...(isAccepted ? { accept_smaller: true } : {}),
          });
          return (
            <Form
              submit={isSmaller ? "Deliver the smaller server" : "Deliver"}
              look={isSmaller ? "danger" : "primary"}
              isDisabled={isSmaller && !isAccepted}
              fieldOf={{ SERVER_NOT_AVAILABLE: "server_id", HOST_NOT_JOINED: "server_id" }}
              onSubmit={async (values) => {
                const params = { path: { id } };
                await perform(
                  "It is delivered",
                  () => api.POST(path, { params, body: bodyOf(values) }),
                  RESERVATIONS_KEY,
                  ["operator", "servers"],
                );
                onClose();
              }}
              command={(values) => ({
                method: "POST",
                path: path.replace("{id}", id),
                body: bodyOf(values),
                berth: [
                  ...["admin", "reservations", "deliver", id, values.server_id || "…"],
                  ...(isAccepted ? ["--accept-smaller"] : []),
                ],
              })}
            >
              <p>
                Ordered: <strong>{sizeOf(ordered)}</strong>
                {first === "" && ". No free server of the stock is as large."}
              </p>
              <ChoiceField
                label="Server"
                name="server_id"
                isRequired
                value={chosen ?? first}
                onChange={setChosen}
                choices={[
                  ...(first === "" ? [{ value: "", label: "Choose a server" }] : []),
                  ...choices.map(({ id, name, specs }) => ({
                    value: id,
                    label: `${name}: ${sizeOf(specs)}`,
                  })),
                ]}
                hint={`The customer's ${plural(days, "day")} begin at once. Servers whose host has not joined or is being drained are not listed, nor are those that have parts.`}
              />
              {isSmaller && (
                <>
                  <p className="note warn" role="status">
                    <Icon name="warning" />
                    <span>It is smaller than what was paid for: {server.lacks.join("; ")}.</span>
                  </p>
                  <CheckField
                    key={server.id}
                    label="The customer gets this smaller server all the same"
                    checked={isAccepted}
                    onChange={({ target }) => setAccepted(target.checked ? server.id : undefined)}
                  />
                </>
              )}
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
