import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Section } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { OperatorHead } from "./tabs.tsx";

type Notice = Schemas["PublicNotification"];
const LEVELS = ["info", "success", "warning", "error"].map((value) => ({ value, label: value }));

/** Messages to one user, or to everybody. */
export default function NoticesPage() {
  // A notice that is sent leaves an empty form, so that it is not sent twice.
  const [sent, setSent] = useState(0);
  const query = useList(["inbox", "public"], async (cursor) => {
    const { notifications, pagination } = await dataOf(
      api.GET("/api/v1/notifications/public", { params: { query: from(cursor) } }),
    );
    return { items: notifications, next: pagination.next_cursor };
  });
  return (
    <>
      <OperatorHead />
      <div className="columns">
        <div className="panel">
          <NoticeForm key={sent} onSent={() => setSent(sent + 1)} />
        </div>
        <Section title="What everybody sees">
          <LoadedList
            query={query}
            rows={3}
            empty={
              <p className="hint">Nothing. A public notice is also shown to people without an account.</p>
            }
          >
            {(notices) => (
              <Table caption="Public notices" columns={COLUMNS} rows={notices} keyOf={({ id }) => id} />
            )}
          </LoadedList>
        </Section>
      </div>
    </>
  );
}

const NoticeForm = ({ onSent }: { onSent: () => void }) => (
  <Form
    submit="Send the notice"
    onSubmit={async (values) => {
      const userId = values.user ? await findUser(values.user) : undefined;
      await perform(
        "The notice is sent",
        () => api.POST("/api/v1/admin/notifications", { body: bodyOf(values, userId) }),
        ["inbox"],
      );
      onSent();
    }}
    command={(values) => ({
      method: "POST",
      path: "/api/v1/admin/notifications",
      body: bodyOf(values, values.user && (USER_ID.test(values.user) ? values.user : "…")),
      berth: [
        ...["admin", "notify", values.title || "…", values.body || "…"],
        ...option("user", values.user),
        ...(values.public === undefined ? [] : ["--public"]),
        ...option("level", values.level),
      ],
    })}
  >
    <Field label="Title" name="title" maxLength={200} isRequired />
    <Field label="Text" name="body" lines={5} maxLength={5000} isRequired />
    <div className="field-row">
      <ChoiceField label="Level" name="level" choices={LEVELS} />
      <Field
        label="To the user"
        name="user"
        maxLength={254}
        hint="A user name, an e-mail address or an id. Empty: to everybody."
      />
    </div>
    <CheckField name="public" label="Public: also for people without an account" />
  </Form>
);

const USER_ID = /^[0-9a-f]{24}$/;

/** @throws Error when no user has this name or address */
async function findUser(text: string): Promise<string> {
  if (USER_ID.test(text)) return text;
  const search = text.trim().toLowerCase();
  const { users } = await dataOf(api.GET("/api/v1/admin/users", { params: { query: { search } } }));
  const found = users.find(({ username, email }) =>
    [username, email].some((one) => one?.toLowerCase() === search),
  );
  if (found === undefined) throw new Error(`No user has the name or the address ${text}.`);
  return found.id;
}

const bodyOf = (
  { title = "", body = "", level = "info", public: isPublic }: Values,
  userId: string | undefined,
) => ({
  title,
  body,
  level: level as Schemas["Level"],
  ...(userId ? { user_id: userId } : {}),
  ...(isPublic === undefined ? {} : { public: true }),
});

const COLUMNS: readonly Column<Notice>[] = [
  { title: "Title", cell: ({ title }) => <strong>{title}</strong> },
  { title: "Sent", cell: ({ created_at }) => <When at={created_at} /> },
  {
    title: "Delete",
    isActions: true,
    cell: ({ id, title }) => (
      <Button
        look="remove"
        aria-label={`Delete ${title}`}
        onPress={() =>
          act(
            "The notice is deleted",
            () => api.DELETE("/api/v1/admin/notifications/{id}", { params: { path: { id } } }),
            ["inbox"],
          )
        }
      >
        Delete
      </Button>
    ),
  },
];
