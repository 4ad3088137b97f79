import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Facts, Loaded, PageHead, Section } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { Deliveries } from "./deliveries.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { stateOf } from "./state.tsx";
import { WebhookForm } from "./webhook-form.tsx";

type Webhook = Schemas["Webhook"];

/** One webhook: where it sends what, and what became of each delivery. */
export default function WebhookPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useQuery({
    queryKey: ["webhooks", id],
    queryFn: () => dataOf(api.GET("/api/v1/webhooks/{id}", { params: { path: { id } } })),
  });
  return <Loaded query={query}>{(webhook) => <OneWebhook webhook={webhook} />}</Loaded>;
}

function OneWebhook({ webhook }: { webhook: Webhook }) {
  const [opened, setOpened] = useState<"change" | "rotate" | "delete">();
  const close = () => setOpened(undefined);
  const { id, url, description, event_types, previous_secret_until } = webhook;
  return (
    <>
      <PageHead
        title={description || "Webhook"}
        under={{ title: "Webhooks", to: "/account/webhooks" }}
        status={stateOf(webhook)}
      >
        <Button look="primary" onPress={() => test(id)}>
          Send a test
        </Button>
        <Button onPress={() => setEnabled(webhook)}>{webhook.enabled ? "Switch off" : "Switch on"}</Button>
        <Button onPress={() => setOpened("change")}>Change</Button>
        <Button onPress={() => setOpened("rotate")}>New secret</Button>
        <Button look="risky" onPress={() => setOpened("delete")}>
          Delete
        </Button>
      </PageHead>
      <div className="panel">
        <Facts
          facts={[
            ["Address", url],
            ["Events", event_types === null ? "all" : event_types.join(", ")],
            ...(previous_secret_until === null
              ? []
              : ([
                  [
                    "Former secret",
                    <>
                      ends <When key="until" at={previous_secret_until} />
                    </>,
                  ],
                ] as const)),
          ]}
        />
      </div>
      <Section title="Deliveries">
        <Deliveries id={id} />
      </Section>
      {opened === "change" && <WebhookForm webhook={webhook} onClose={close} />}
      {opened === "rotate" && <RotateSecret id={id} onClose={close} />}
      {opened === "delete" && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  );
}

function DeleteWebhook({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Confirm
      title="Delete the webhook?"
      action="Delete the webhook"
      isDangerous
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE("/api/v1/webhooks/{id}", { params: { path: { id } } });
        await navigate({ to: "/account/webhooks" as "." });
        await perform("The webhook is deleted", async () => {}, ["webhooks", "list"]);
      }}
      command={{ method: "DELETE", path: `/api/v1/webhooks/${id}`, berth: ["webhooks", "delete", id] }}
    >
      <p>Nothing is sent to {url} any more, and its log of deliveries is deleted.</p>
    </Confirm>
  );
}

const test = (id: string) =>
  act("A test is on its way", () => api.POST("/api/v1/webhooks/{id}/test", { params: { path: { id } } }), [
    "webhooks",
    id,
  ]);

const setEnabled = ({ id, enabled }: Webhook) =>
  act(
    enabled ? "The webhook is off" : "The webhook is on",
    () => api.PATCH("/api/v1/webhooks/{id}", { params: { path: { id } }, body: { enabled: !enabled } }),
    ["webhooks"],
  );
