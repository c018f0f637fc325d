/** Aligned plain-text tables: no colours, no frames, so that they can be grepped and pasted. */
import { blankHidden } from '../contract/plain-text.ts';

export interface Column<T> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly cell: (row: T) => string | number | null | undefined;
}

/** The table's lines. Missing cells read `–`; control characters of answers never reach the terminal. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string[] {
  const cells = rows.map((row) => columns.map((column) => printable(column.cell(row))));
  const widths = columns.map((column, index) =>
    Math.max(width(column.title), ...cells.map((line) => width(line[index] ?? ''))),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - width(text)));
        return columns[index]?.align === 'right' ? gap + text : text + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...cells.map(line)];
}

/** `name  value` lines. */
export function renderFields(
  fields: readonly (readonly [string, string | number | null | undefined])[],
): string[] {
  const longest = Math.max(0, ...fields.map(([name]) => width(name)));
  return fields.map(([name, value]) => `${name.padEnd(longest)}  ${printable(value)}`);
}

function printable(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  return stripControls(String(value));
}

/** Text from elsewhere made safe for a terminal: no escape sequences, no line breaks. */
export function stripControls(text: string): string {
  return blankHidden(text);
}

function width(text: string): number {
  return [...text].length;
}
