/** What a TWAP or a ladder would do, row by row. */
import { Amount, Quantity } from '../../components/amount.tsx';
import { clockText, type PlannedSlice } from '../../features/slicing-fields/slicing.ts';
import type { PlannedRung } from './rungs.ts';
import css from './ticket-panel.module.css';

/** Of a longer plan the first and the last are shown. */
const SHOWN = 12;

export function SliceTable({ slices }: { readonly slices: readonly PlannedSlice[] | null }) {
  if (slices === null) return null;
  const isLong = slices.length > SHOWN;
  const first = isLong ? slices.slice(0, SHOWN - 2) : slices;
  const last = isLong ? slices.slice(-1) : [];
  return (
    <details className={css['preview']} open={!isLong}>
      <summary>
        {slices.length} {slices.length === 1 ? 'slice' : 'slices'}
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Slice</th>
            <th scope="col">After</th>
            <th scope="col">USD</th>
          </tr>
        </thead>
        <tbody>
          {first.map((slice) => (
            <SliceRow key={slice.index} slice={slice} />
          ))}
          {isLong && (
            <tr>
              <td colSpan={3}>… {slices.length - first.length - last.length} more</td>
            </tr>
          )}
          {last.map((slice) => (
            <SliceRow key={slice.index} slice={slice} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function SliceRow({ slice }: { readonly slice: PlannedSlice }) {
  return (
    <tr>
      <td>{slice.index + 1}</td>
      <td>{clockText(slice.atSeconds)}</td>
      <td>
        <Amount value={slice.usd} />
      </td>
    </tr>
  );
}

export function RungTable({ rungs }: { readonly rungs: readonly PlannedRung[] | null }) {
  if (rungs === null) return null;
  return (
    <details className={css['preview']} open={rungs.length <= SHOWN}>
      <summary>{rungs.length} rungs</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Rung</th>
            <th scope="col">Level</th>
            <th scope="col">USD</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </details>
  );
}
