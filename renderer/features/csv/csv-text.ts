/** Comma-separated text after RFC 4180, safe to open in a spreadsheet. */

/** Beginnings of a cell that a spreadsheet runs as a formula, also behind blanks and in their full-width forms. */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r\n|%]/u;
/** A plain number is no formula, even with a sign: a prefix would turn it into text. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** A value as one cell; absent values are empty. A text that would run as a formula gets an apostrophe in front. */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export interface CsvColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number | boolean | null | undefined;
}

/** One line of cells, with its line end. */
export function csvLine(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Header and rows. Rows may come asynchronously: they are written one after the other. */
export async function csvText<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  onRow: (count: number) => void = () => undefined,
): Promise<{ readonly text: string; readonly count: number }> {
  const lines = [csvLine(columns.map(({ header }) => header))];
  for await (const row of rows) {
    lines.push(csvLine(columns.map(({ value }) => value(row))));
    onRow(lines.length - 1);
  }
  return { text: lines.join(''), count: lines.length - 1 };
}
