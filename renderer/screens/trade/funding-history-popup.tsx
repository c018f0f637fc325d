/** Funding of a basket and of each leg, now and over 7 and 30 days, with a line of its history. */
import type { Answer } from '../../../gateway/client/client.ts';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { ButtonPopup, type ButtonPopupProps } from '../../components/button-popup.tsx';
import { formatPercent } from '../../components/format.ts';
import { SparkLine } from '../../components/spark-line.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { legsQuery } from '../../features/ratio-chart/basket-query.ts';
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';
import css from './funding-history.module.css';
import { Funding } from './head-figure.tsx';

type History = Answer<'GET /analytics/funding'>;
type Carries = Pick<History, 'carryApr' | 'carryApr7d' | 'carryApr30d'>;

const REFRESH_MS = 60_000;
const HOURS = { week: 7 * 24, month: 30 * 24 } as const;
/** Points of the line: its width shows no more. */
const POINTS = 120;

export function FundingHistoryPopup({
  anchor,
  legs,
  onClose,
}: ButtonPopupProps & { readonly legs: readonly WeighedLeg[] }) {
  const { connector } = useAccount();
  const weighed = legs.filter(({ weight }) => weight > 0);
  const query = useGet(
    'GET /analytics/funding',
    { query: { connector, ...legsQuery(weighed.length === 0 ? legs : weighed, true) } },
    { shared: true, refetchEvery: REFRESH_MS, freshForMs: REFRESH_MS },
  );
  return (
    <ButtonPopup anchor={anchor} className={css['popup']} title="Funding APR, its history" onClose={onClose}>
      <Loaded query={query} rows={4}>
        {(history) => <Shown history={history} />}
      </Loaded>
    </ButtonPopup>
  );
}

function Shown({ history }: { readonly history: History }) {
  const tickerOf = useTicker();
  const { hours7d, hours30d, recordedSince, legs } = history;
  return (
    <>
      <table className={css['carries']}>
        <thead>
          <tr>
            <td />
            <th scope="col">Now</th>
            <th scope="col">7 days</th>
            <th scope="col">30 days</th>
          </tr>
        </thead>
        <tbody>
          <Row name="Net" carries={history} isNet />
          {legs.length > 1 &&
            legs.map((leg) => (
              <Row
                key={leg.symbol}
                name={`${leg.side === 'BUY' ? 'Long' : 'Short'} ${tickerOf(leg.symbol)}`}
                carries={leg}
              />
            ))}
          <tr className={css['hours']}>
            <th scope="row">Hours recorded</th>
            <td />
            <td>
              {hours7d} of {HOURS.week}
            </td>
            <td>
              {hours30d} of {HOURS.month}
            </td>
          </tr>
        </tbody>
      </table>
      <Course history={history} />
      <p className={css['note']}>
        A year at the rate of each hour, of gross notional; positive: you receive.{' '}
        {recordedSince === null ? (
          'No rate is recorded yet.'
        ) : (
          <>
            Recorded since <Time at={recordedSince} style="short" />, while the gateway runs.
          </>
        )}
      </p>
    </>
  );
}

function Row({
  name,
  carries,
  isNet = false,
}: {
  readonly name: string;
  readonly carries: Carries;
  readonly isNet?: boolean;
}) {
  return (
    <tr className={isNet ? css['net'] : undefined}>
      <th scope="row">{name}</th>
      {[carries.carryApr, carries.carryApr7d, carries.carryApr30d].map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
        <td key={index}>
          <Funding value={value} />
        </td>
      ))}
    </tr>
  );
}

function Course({ history: { history } }: { readonly history: History }) {
  const settings = useSettings();
  if (history.length < 2) return null;
  const values = thinned(history.map(({ carryApr }) => Number(carryApr)));
  const percent = (value: number) => formatPercent(settings, value.toFixed(10), 'always', 2);
  const [least, most] = [percent(Math.min(...values)), percent(Math.max(...values))];
  return (
    <div className={css['course']}>
      <SparkLine
        values={values}
        middle={0}
        label={`Net, the recorded hours of 30 days: from ${least} to ${most}`}
      />
    </div>
  );
}

/** Means of neighbouring hours, so that each hour of a long history counts. */
function thinned(values: readonly number[]): readonly number[] {
  const each = Math.ceil(values.length / POINTS);
  return Array.from({ length: Math.ceil(values.length / each) }, (_, index) => {
    const some = values.slice(index * each, (index + 1) * each);
    return some.reduce((sum, one) => sum + one, 0) / some.length;
  });
}
