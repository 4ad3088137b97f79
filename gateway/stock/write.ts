import { stringify } from "csv-stringify/sync";
import type { StockRow } from "../../actors/market/server/queries.ts";
import { COLUMNS, cellOf, draftOf, IDENTITY_COLUMNS, priceColumn } from "./columns.ts";

/**
 * The stock as CSV, with a byte order mark, without which spreadsheets spoil umlauts. Text that a spreadsheet would take for a formula gets an apostrophe, since a name or a region could otherwise
 * run commands where an operator opens the file.
 */
export function writeStock(servers: readonly StockRow[]): string {
  const days = new Set(servers.flatMap(({ prices }) => Object.keys(prices)));
  const prices = [...days].sort((one, other) => Number(one) - Number(other)).map(priceColumn);
  const columns = [...COLUMNS, ...prices];
  const rows = servers.map((server) => {
    const draft = draftOf(server);
    const identity = [server.id, server.revision, server.name, server.kind, server.parent_id ?? ""];
    return [...identity, ...columns.map((column) => cellOf(draft, column))];
  });
  const header = [...IDENTITY_COLUMNS, ...columns.map(({ name }) => name)];
  return stringify([header, ...rows], { bom: true, escape_formulas: true, record_delimiter: "windows" });
}
