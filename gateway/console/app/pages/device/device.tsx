import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { useFilters } from "../../lib/lists.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Empty, Facts, Loaded, PageHead } from "../../ui/page.tsx";

type Asked = Schemas["DeviceSignIn"];

/** Signs a program in that has shown a code: what asks, and from where, stands before the button. */
export default function DevicePage() {
  const [{ code }, change] = useFilters(["code"]);
  const queries = useQueryClient();
  return (
    <>
      <PageHead title="Sign in a program" />
      {code ? (
        <Decision key={code} code={code} onOther={() => change({ code: "" })} />
      ) : (
        <div className="panel">
          <Form
            submit="Continue"
            onSubmit={async ({ code = "" }) => {
              await queries.fetchQuery(queryOf(code));
              change({ code });
            }}
            fieldOf={{ DEVICE_CODE_INVALID: "code" }}
          >
            <Field
              label="Code"
              name="code"
              autoComplete="off"
              maxLength={20}
              isRequired
              autoFocus
              hint="The eight letters that the program shows."
            />
          </Form>
        </div>
      )}
    </>
  );
}

const queryOf = (user_code: string) => ({
  queryKey: ["device-sign-in", user_code],
  queryFn: () => dataOf(api.GET("/api/v1/auth/device/{user_code}", { params: { path: { user_code } } })),
  retry: false,
});

function Decision({ code, onOther }: { code: string; onOther: () => void }) {
  const [outcome, setOutcome] = useState<"approved" | "denied" | "too-late">();
  const path = { user_code: code };
  const query = useQuery(queryOf(code));
  if (outcome === "approved")
    return (
      <Empty
        icon="check"
        title="The program is signed in"
        action={
          <Refuse
            code={code}
            label="Take it back"
            onRefused={() => setOutcome("denied")}
            onFailed={() => setOutcome("too-late")}
          />
        }
      >
        Go back to it; this page can be closed. Its session is in the list of your sessions.
      </Empty>
    );
  if (outcome === "too-late")
    return (
      <Empty icon="warning" title="The program has its session already">
        End it in the <Link to="/account">list of your sessions</Link>.
      </Empty>
    );
  if (outcome === "denied")
    return (
      <Empty icon="close" title="The program is refused">
        It gets no access to your account.
      </Empty>
    );
  return (
    <div className="panel stack">
      <Loaded query={query} rows={4}>
        {(asked) =>
          asked.status === "pending" ? (
            <Form
              submit="Sign it in"
              onSubmit={async () => {
                await api.POST("/api/v1/auth/device/{user_code}/approve", { params: { path } });
                setOutcome("approved");
              }}
              actions={<Refuse code={code} onRefused={() => setOutcome("denied")} />}
              command={() => ({
                method: "POST",
                path: `/api/v1/auth/device/${code}/approve`,
                berth: null,
              })}
            >
              <WhatAsks asked={asked} />
            </Form>
          ) : (
            <p>This code was answered already: begin again in the program.</p>
          )
        }
      </Loaded>
      {query.error && (
        <div>
          <Button onPress={onOther}>Type another code</Button>
        </div>
      )}
    </div>
  );
}

const WhatAsks = ({ asked }: { asked: Asked }) => (
  <>
    <p className="note warn">
      <Icon name="warning" />
      Sign it in only if you began this yourself just now, and the program shows the same code. It can then do
      everything that you can.
    </p>
    <Facts
      facts={[
        [
          "Code",
          <code key="code" className="device-code">
            {asked.user_code}
          </code>,
        ],
        ["Program", asked.client_name],
        ["From", asked.address ?? "unknown"],
        ["Asked", formatDateTime(asked.created_at)],
      ]}
    />
  </>
);

interface RefuseProps {
  readonly code: string;
  readonly label?: string;
  readonly onRefused: () => void;
  /** By default as if it was refused: a code that has expired lets nobody in either. */
  readonly onFailed?: () => void;
}

const Refuse = ({ code, label = "Refuse", onRefused, onFailed = onRefused }: RefuseProps) => (
  <Button
    onPress={() =>
      api
        .POST("/api/v1/auth/device/{user_code}/deny", { params: { path: { user_code: code } } })
        .then(onRefused, onFailed)
    }
  >
    {label}
  </Button>
);
