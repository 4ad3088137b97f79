import { Link, type LinkProps } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { useDrawn } from "./drawn.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right, so that they can be compared. */
  readonly isFigure?: boolean;
  /** Without a title above it: buttons. */
  readonly isActions?: boolean;
  /** It gives way where a table has little room and its rows are no cards yet. */
  readonly isMinor?: boolean;
}

const classOf = ({ isFigure, isActions, isMinor }: Omit<Column<never>, "title" | "cell">): string =>
  `${isFigure ? "figure" : isActions ? "actions" : ""}${isMinor ? " minor" : ""}`;

interface TableProps<Row> {
  /** What is listed, for those who do not see the heading. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The page of a row, to which its first cell leads; undefined: it has none. */
  readonly linkOf?: (row: Row) => string | undefined;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  readonly nameOf?: (row: Row) => string;
  /** A card has two lines: for many rows of which little is said. */
  readonly isDense?: boolean;
}

/** A table; where there is little room each row is a card. Rows are drawn again when they, or `columns`, are others. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    keyOf,
    linkOf,
    selected,
    onSelect,
    nameOf = keyOf,
    isDense = false,
  } = props;
  const drawn = useDrawn(rows.length);
  const all = rows.length > 0 && rows.every((row) => selected?.has(keyOf(row)));
  const toggle = (key: string) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    onSelect?.(next);
  };
  return (
    <div className={isDense ? "table-frame dense" : "table-frame"}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {onSelect && (
              <th className="selection">
                <input
                  type="checkbox"
                  aria-label="Select all"
                  checked={all}
                  onChange={() => onSelect(new Set(all ? [] : rows.map(keyOf)))}
                />
              </th>
            )}
            {columns.map(({ title, cell: _, ...column }) => (
              <th key={title} scope="col" className={classOf(column)}>
                {column.isActions ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, drawn).map((row) => (
            <tr key={keyOf(row)} data-selected={selected?.has(keyOf(row)) || undefined}>
              {onSelect && (
                <td className="selection">
                  <input
                    type="checkbox"
                    aria-label={`Select ${nameOf(row)}`}
                    checked={selected?.has(keyOf(row)) ?? false}
                    onChange={() => toggle(keyOf(row))}
                  />
                </td>
              )}
              <Cells row={row} columns={columns} to={linkOf?.(row)} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellsProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly to: string | undefined;
}

/** A row of hundreds is not drawn again because another one was selected. */
const Cells = memo(({ row, columns, to }: CellsProps<unknown>) =>
  columns.map(({ title, cell, ...column }, index) => (
    <td key={title} data-title={title} className={classOf(column)}>
      {index === 0 && to !== undefined ? (
        <Link className="row-link" to={to as LinkProps["to"]}>
          {cell(row)}
        </Link>
      ) : (
        cell(row)
      )}
    </td>
  )),
) as <Row>(props: CellsProps<Row>) => ReactNode;
