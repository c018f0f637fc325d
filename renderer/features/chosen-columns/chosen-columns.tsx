/**
 * Columns of a table that the user chose, kept in this browser for each table. Without a choice a column is shown where
 * the table is wide enough. A chosen column is shown at any width, a deselected one at none.
 */
import { Columns3 } from 'lucide-react';
import { type ToggleEvent, useId, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { keptChoice, readKept } from '../../api/kept-choice.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { type Column, columnName } from '../../components/table-column.ts';
import css from './chosen-columns.module.css';

/** Table → column → true: the column is shown. */
const kept = z.record(z.string(), z.record(z.string(), z.boolean())).catch({});
type Choice = Readonly<Record<string, boolean>>;

const [useChoices, changeChoices] = keptChoice<Record<string, Choice>>('tandem.columns', (text) =>
  readKept(kept, text),
);
const NONE: Choice = {};
const WIDTH_PX = 32;
const GAP_PX = 4;

/**
 * @param table its name, the key of the kept choice; null: the table offers no choice
 * @param columns must keep their identity from render to render; the first and those with actions always show
 */
export function useChosenColumns<Row>(
  table: string | null,
  columns: readonly Column<Row>[],
): readonly Column<Row>[] {
  const choice = useChoices((all) => all[table ?? '']) ?? NONE;
  return useMemo(() => {
    if (table === null) return columns;
    const options = columns.filter((column, index) => index > 0 && isOptional(column));
    const shown = columns.flatMap((column): readonly Column<Row>[] => {
      const wanted = options.includes(column) ? choice[column.id] : undefined;
      if (wanted === undefined) return [column];
      if (!wanted) return [];
      const { priority: _, onCards: __, ...always } = column;
      return [always];
    });
    const acts = shown.find(({ id }) => id === 'actions');
    const header = (
      <span className={css['head']}>
        {acts?.ofAll}
        <Chooser table={table} options={options} choice={choice} />
      </span>
    );
    return acts === undefined
      ? [...shown, { id: 'actions', header, width: WIDTH_PX, align: 'right', pinned: true, cell: () => null }]
      : shown.map((column) => (column === acts ? { ...acts, header } : column));
  }, [table, columns, choice]);
}

function isOptional(column: Column<never>): boolean {
  return column.pinned !== true && columnName(column) !== '';
}

/** Closes the list on resize: its ticks and its place belong to the width at which it opened. */
function hideOnResize(list: HTMLDivElement) {
  const hide = () => list.hidePopover();
  addEventListener('resize', hide);
  return () => removeEventListener('resize', hide);
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
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  /** Columns that the table had room for when the list opened. */
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const change = (next: Choice) => changeChoices({ [table]: next });
  const place = ({ currentTarget, newState }: ToggleEvent<HTMLDivElement>) => {
    const box = button.current?.getBoundingClientRect();
    if (newState !== 'open' || box === undefined) return;
    const heads = button.current?.closest('thead')?.querySelectorAll<HTMLElement>('[data-column]') ?? [];
    setShown(new Set([...heads].map((head) => head.dataset['column'] ?? '')));
    currentTarget.style.right = `${innerWidth - box.right}px`;
    const top = box.bottom + GAP_PX;
    currentTarget.style.top = `${top}px`;
    currentTarget.style.maxHeight = `${innerHeight - top - GAP_PX}px`;
  };
  return (
    <span className={css['chooser']}>
      <button
        ref={button}
        type="button"
        className={css['button']}
        popoverTarget={id}
        aria-label={`Columns of ${table}`}
      >
        <Columns3 aria-hidden="true" />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this in every browser */}
      <div
        ref={hideOnResize}
        id={id}
        popover="auto"
        role="group"
        aria-label={`Columns of ${table}`}
        className={css['list']}
        onBeforeToggle={place}
      >
        {options.map((column) => (
          <Checkbox
            key={column.id}
            checked={choice[column.id] ?? shown.has(column.id)}
            onChange={(isWanted) => change({ ...choice, [column.id]: isWanted })}
          >
            {columnName(column)}
          </Checkbox>
        ))}
        <Button disabled={Object.keys(choice).length === 0} onClick={() => change(NONE)}>
          Automatic
        </Button>
      </div>
    </span>
  );
}
