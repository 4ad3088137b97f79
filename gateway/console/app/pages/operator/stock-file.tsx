import { useState } from "react";
import { api, BerthError, dataOf, type Schemas } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download.ts";
import { plural } from "../../lib/format.ts";
import { messageOf } from "../../lib/messages.ts";
import { perform } from "../../lib/perform.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Table } from "../../ui/table.tsx";
import { STOCK_KEY } from "./servers.tsx";

type Import = Schemas["StockImport"];
type Problem = { readonly line: number; readonly column: string | null; readonly message: string };
const PATH = "/api/v1/admin/stock";

/** The stock in a spreadsheet: out, changed, and in again. */
export function StockFile() {
  const [imports, setImports] = useState(false);
  return (
    <>
      <Button
        onPress={() => downloadFile(PATH, "stock.csv").catch((error) => toast(messageOf(error), "failed"))}
      >
        Export CSV
      </Button>
      <Button onPress={() => setImports(true)}>Import CSV</Button>
      {imports && <ImportStock onClose={() => setImports(false)} />}
    </>
  );
}

/** Checks the file, shows what it would change, and changes all of it or nothing. */
function ImportStock({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const [plan, setPlan] = useState<Import>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const send = async (dry_run: boolean) => {
    if (file === undefined) throw new Error("Choose a file first.");
    setProblems([]);
    try {
      return await dataOf(importStock(file, dry_run));
    } catch (error) {
      if (error instanceof BerthError && Array.isArray(error.data.errors))
        setProblems(error.data.errors as Problem[]);
      throw error;
    }
  };
  const changes = plan === undefined ? 0 : plan.added + plan.changed;
  const next = async () => {
    if (plan === undefined) return setPlan(await send(true));
    await perform(`${plural(changes, "server is", "servers are")} changed`, () => send(false), STOCK_KEY);
    onClose();
  };
  return (
    <Dialog title="Import the stock" onClose={onClose} isWide>
      <Form
        submit={plan === undefined ? "Check the file" : `Change ${plural(changes, "server")}`}
        isDisabled={plan !== undefined && changes === 0}
        onSubmit={next}
        command={() => ({
          method: "POST",
          path: plan === undefined ? `${PATH}?dry_run=true` : PATH,
          file: file?.name ?? "stock.csv",
          berth: [
            ...["admin", "servers", "import", "--file", file?.name ?? "stock.csv"],
            ...(plan === undefined ? ["--dry-run"] : []),
          ],
        })}
      >
        <p className="hint">
          Export the stock, change cells or add lines, and import it. All of it happens, or nothing. A line
          without an id adds a server; servers that the file lacks stay as they are.
        </p>
        <label className="field">
          <span className="react-aria-Label">File</span>
          <input
            type="file"
            accept="text/csv,.csv"
            onChange={({ target }) => {
              setFile(target.files?.[0]);
              setPlan(undefined);
              setProblems([]);
            }}
          />
        </label>
        {problems.length > 0 && <Problems problems={problems} />}
        {plan && <Plan plan={plan} />}
      </Form>
    </Dialog>
  );
}

const importStock = (file: File, dry_run: boolean) =>
  api.POST(PATH, {
    params: { query: dry_run ? { dry_run: "true" as const } : {} },
    body: file as unknown as string,
    bodySerializer: (body) => body,
    headers: { "content-type": "application/octet-stream" },
  });

const Problems = ({ problems }: { problems: readonly Problem[] }) => (
  <Table
    caption="What is wrong in the file"
    rows={problems}
    keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
    columns={[
      { title: "Line", cell: ({ line }) => `Line ${line}` },
      { title: "Column", cell: ({ column }) => column ?? "–" },
      { title: "What is wrong", cell: ({ message }) => message },
    ]}
  />
);

const Plan = ({ plan: { added, changed, unchanged, changes } }: { plan: Import }) => (
  <div className="stack" role="status">
    <p>
      {plural(added, "server is", "servers are")} added, {plural(changed, "changes", "change")}, and{" "}
      {plural(unchanged, "stays", "stay")} as they are. Nothing has changed yet.
    </p>
    {changes.length > 0 && (
      <Table
        caption="What the file changes"
        rows={changes}
        keyOf={({ line }) => String(line)}
        columns={[
          { title: "Server", cell: ({ name }) => <strong>{name}</strong> },
          { title: "What", cell: ({ action }) => (action === "add" ? "is added" : "is changed") },
          {
            title: "Cells",
            cell: ({ cells }) =>
              cells
                .map(({ column, before, after }) => `${column}: ${before ?? "–"} → ${after ?? "–"}`)
                .join(", "),
          },
        ]}
      />
    )}
  </div>
);
