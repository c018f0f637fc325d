/**
 * Columns of a table that the reader has chosen, kept by this browser for each table. Without a choice a column stands where
 * the table is wide enough for it; one that was chosen stands in any width, and one that was left out in none.
 */
import { Menu } from '@base-ui/react/menu';
import { Check, Columns3 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { keptChoice, readKept } from '../../api/kept-choice.ts';
import { IconButton } from '../../components/button.tsx';
import popup from '../../components/popup.module.css';
import { type Column, columnName } from '../../components/table-column.ts';
import css from './chosen-columns.module.css';

/** Table → column → whether it stands. */
const kept = z.record(z.string(), z.record(z.string(), z.boolean())).catch({});
type Choice = Readonly<Record<string, boolean>>;

const [useChoices, changeChoices] = keptChoice<Record<string, Choice>>('tandem.columns', (text) =>
  readKept(kept, text),
);
const NONE: Choice = {};
const WIDTH_PX = 32;

/**
 * @param table its name, which the choice is kept by
 * @param columns must keep their identity from render to render; the first one and those that act always stand
 */
export function useChosenColumns<Row>(
  table: string,
  columns: readonly Column<Row>[],
): readonly Column<Row>[] {
  const choice = useChoices((all) => all[table]) ?? NONE;
  return useMemo(() => {
    const options = columns.filter((column, index) => index > 0 && isOptional(column));
    const shown = columns.flatMap((column): readonly Column<Row>[] => {
      const wanted = options.includes(column) ? choice[column.id] : undefined;
      if (wanted === undefined) return [column];
      if (!wanted) return [];
      const { from: _, ...always } = column;
      return [always];
    });
    const header = <Chooser table={table} options={options} choice={choice} />;
    const acts = shown.find(({ id }) => id === 'actions');
    return acts === undefined
      ? [...shown, { id: 'actions', header, width: WIDTH_PX, align: 'right', cell: () => null }]
      : shown.map((column) => (column === acts ? { ...acts, header } : column));
  }, [table, columns, choice]);
}

function isOptional(column: Column<never>): boolean {
  return column.pinned !== true && columnName(column) !== '';
}

function Chooser({
  table,
  options,
  choice,
}: {
  readonly table: string;
  readonly options: readonly Column<never>[];
  readonly choice: Choice;
}) {
  const place = useRef<HTMLSpanElement>(null);
  /** Of the table, as the menu opened: which columns stand without a choice. */
  const [width, setWidth] = useState(0);
  const change = (next: Choice) => changeChoices({ [table]: next });
  return (
    <span ref={place} className={css['chooser']}>
      <Menu.Root
        onOpenChange={(opens) => {
          if (opens) setWidth(place.current?.closest('table')?.clientWidth ?? 0);
        }}
      >
        <Menu.Trigger render={<IconButton label={`Columns of ${table}`} icon={<Columns3 />} />} />
        <Menu.Portal render={<section aria-label="Columns" />}>
          <Menu.Positioner className={popup['positioner']} sideOffset={4} align="end">
            <Menu.Popup className={popup['popup']}>
              {options.map((column) => (
                <Menu.CheckboxItem
                  key={column.id}
                  className={popup['item']}
                  checked={choice[column.id] ?? width >= (column.from ?? 0)}
                  onCheckedChange={(isWanted) => change({ ...choice, [column.id]: isWanted })}
                >
                  <span className={css['mark']}>
                    <Menu.CheckboxItemIndicator>
                      <Check aria-hidden="true" />
                    </Menu.CheckboxItemIndicator>
                  </span>
                  {columnName(column)}
                </Menu.CheckboxItem>
              ))}
              <Menu.Separator className={popup['separator']} />
              <Menu.Item
                className={popup['item']}
                disabled={Object.keys(choice).length === 0}
                onClick={() => change(NONE)}
              >
                <span className={css['mark']} />
                By the width
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </span>
  );
}
