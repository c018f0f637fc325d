/** Preview of a TWAP or a ladder, row by row. */
import type { ReactNode } from 'react';
import { Amount, Quantity } from '../../components/amount.tsx';
import { SlicesSaid } from '../../features/slicing-fields/slices-said.tsx';
import { delayText, type PlannedSlice } from '../../features/slicing-fields/slicing.ts';
import type { PlannedRung } from './rungs.ts';
import css from './ticket-panel.module.css';

/** Maximum number of rows shown; of a longer plan the first and last rows are shown. */
const SHOWN = 12;

function Preview({
  summary,
  isOpen,
  columns,
  children,
}: {
  readonly summary: ReactNode;
  readonly isOpen: boolean;
  readonly columns: readonly [string, string, string];
  readonly children: ReactNode;
}) {
  return (
    <details className={css['preview']} open={isOpen}>
      <summary>{summary}</summary>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </details>
  );
}

export function SliceTable({ slices }: { readonly slices: readonly PlannedSlice[] | null }) {
  if (slices === null) return null;
  const isLong = slices.length > SHOWN;
  const first = isLong ? slices.slice(0, SHOWN - 2) : slices;
  const last = isLong ? slices.slice(-1) : [];
  return (
    <Preview summary={<SlicesSaid slices={slices} />} isOpen={!isLong} columns={['Slice', 'After', 'USD']}>
      {first.map(sliceRow)}
      {isLong && (
        <tr>
          <td colSpan={3}>… {slices.length - first.length - last.length} more</td>
        </tr>
      )}
      {last.map(sliceRow)}
    </Preview>
  );
}

function sliceRow({ index, atSeconds, usd }: PlannedSlice) {
  return (
    <tr key={index}>
      <td>{index + 1}</td>
      <td>{delayText(atSeconds)}</td>
      <td>
        <Amount value={usd} />
      </td>
    </tr>
  );
}

export function RungTable({ rungs }: { readonly rungs: readonly PlannedRung[] | null }) {
  if (rungs === null) return null;
  return (
    <Preview
      summary={`${rungs.length} rungs`}
      isOpen={rungs.length <= SHOWN}
      columns={['Rung', 'Level', 'USD']}
    >
      {rungs.map(({ index, level, usd, isPassed }) => (
        <tr key={index}>
          <td>{index + 1}</td>
          <td>
            <Quantity value={level} />
            {isPassed && <span className={css['passed']}> passed</span>}
          </td>
          <td>
            <Amount value={usd} />
          </td>
        </tr>
      ))}
    </Preview>
  );
}
