/** Selection of several positions in the list, to close them together. */
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { CloseSeveral } from './close-several.tsx';
import { NameCell } from './name-cell.tsx';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

export interface Choosing {
  /** Ids of the selected positions; null: no selection is running, and rows open. */
  readonly chosen: ReadonlySet<string> | null;
  readonly toggle: (position: Position) => void;
  readonly choose: (chosen: ReadonlySet<string> | null) => void;
}

const NONE: ReadonlySet<string> = new Set();

export function useChoosing(): Choosing {
  const [chosen, choose] = useState<ReadonlySet<string> | null>(null);
  const toggle = useCallback(({ id }: Position) => {
    choose((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  return useMemo(() => ({ chosen, choose, toggle }), [chosen, toggle]);
}

/** Selection for the cells of rows, which render again only with their own data. */
export const Chosen = createContext<Choosing>({
  chosen: null,
  toggle: () => undefined,
  choose: () => undefined,
});

/** Checkbox in place of the basket's name, so that selecting moves no column. */
export function ChoiceCell({ position }: { readonly position: Position }) {
  const { chosen, toggle } = useContext(Chosen);
  return (
    <span className={css['choice']}>
      <Checkbox checked={chosen?.has(position.id) === true} onChange={() => toggle(position)}>
        <NameCell position={position} />
      </Checkbox>
    </span>
  );
}

/** Bar beside the tabs: starts the selection, and closes the selected positions. */
export function ChoosingBar({
  positions,
  isPart,
  choosing: { chosen, choose },
}: {
  /** Positions of the shown rows: hidden ones are not closed. */
  readonly positions: readonly Position[];
  /** True: the rows are not all positions of the account. */
  readonly isPart: boolean;
  readonly choosing: Choosing;
}) {
  const [isAsking, setAsking] = useState(false);
  const rows = positions.filter(({ id }) => chosen?.has(id) === true);
  if (chosen === null) {
    return positions.length < 2 ? null : (
      <Button kind="ghost" title="Several, to close them together" onClick={() => choose(NONE)}>
        Select
      </Button>
    );
  }
  return (
    <div className={css['choosing']}>
      <Button kind="ghost" onClick={() => choose(new Set(positions.map(({ id }) => id)))}>
        {isPart ? `All ${positions.length} shown` : `All ${positions.length} of this account`}
      </Button>
      <Button kind="ghost" onClick={() => choose(null)}>
        Cancel
      </Button>
      <Button kind="danger" disabled={rows.length === 0} onClick={() => setAsking(true)}>
        Close {rows.length}…
      </Button>
      {isAsking && (
        <CloseSeveral
          positions={rows}
          onClose={(hasSent) => {
            setAsking(false);
            if (hasSent) choose(null);
          }}
        />
      )}
    </div>
  );
}
