/** Screener: every pair of the venue's most traded instruments, each once, with the statistics of 90 days of hours. */
import { ChevronLeft, ChevronRight, ScanSearch, Search } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Answer } from '../../../gateway/client/client.ts';
import { useConnector } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Input } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { Select } from '../../components/select.tsx';
import { EmptyState, Fresh } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Sorting } from '../../components/table-header.tsx';
import { Age } from '../../components/time.tsx';
import { tradeHref } from '../../features/basket-link/basket-link.ts';
import { useChosenColumns } from '../../features/chosen-columns/chosen-columns.tsx';
import { useSettled } from '../../features/settled-value/use-settled.ts';
import { linkOf, type ScreenedPair } from './screened-pair.ts';
import css from './screener.module.css';
import { FIRST_SORTING, isWeak, orderOf, screenerColumns } from './screener-table.tsx';

type Screener = Answer<'GET /analytics/screener'>;

const PAGE = 100;
const MAX_SEARCH = 64;
const TYPING_MS = 250;
const COMPUTING_MS = 1_000;
const CALM_MS = 30_000;

const P_VALUES = [
  { value: '', label: 'Any p-value' },
  { value: '0.1', label: 'p ≤ 0.1' },
  { value: '0.05', label: 'p ≤ 0.05' },
  { value: '0.01', label: 'p ≤ 0.01' },
] as const;
const Z_SCORES = [
  { value: '', label: 'Any z-score' },
  { value: '1', label: '|z| ≥ 1' },
  { value: '2', label: '|z| ≥ 2' },
  { value: '3', label: '|z| ≥ 3' },
] as const;

interface Filter {
  readonly search: string;
  readonly maxPValue: (typeof P_VALUES)[number]['value'];
  readonly minAbsZScore: (typeof Z_SCORES)[number]['value'];
}

const NO_FILTER: Filter = { search: '', maxPValue: '', minAbsZScore: '' };

export default function ScreenerScreen() {
  const [, navigate] = useLocation();
  const connector = useConnector()?.id;
  const [filter, setFilter] = useState(NO_FILTER);
  const [sorting, setSorting] = useState<Sorting | null>(FIRST_SORTING);
  const [offset, setOffset] = useState(0);
  const [isComputing, setComputing] = useState(true);
  const search = useSettled(filter.search.trim(), TYPING_MS);
  const { data, error, refetch } = useGet(
    'GET /analytics/screener',
    {
      query: {
        connector: connector ?? '',
        orderBy: orderOf(sorting),
        limit: PAGE,
        offset,
        ...(search === '' ? {} : { search }),
        ...(filter.maxPValue === '' ? {} : { maxPValue: filter.maxPValue }),
        ...(filter.minAbsZScore === '' ? {} : { minAbsZScore: filter.minAbsZScore }),
      },
    },
    {
      enabled: connector !== undefined,
      refetchEvery: isComputing ? COMPUTING_MS : CALM_MS,
      keepPrevious: true,
    },
  );
  const computes =
    data === undefined || data.progress !== null || (data.asOf === null && data.error === null);
  if (computes !== isComputing) setComputing(computes);
  const trade = useCallback(
    (pair: ScreenedPair) => {
      const link = linkOf(pair);
      if (link !== null) navigate(tradeHref(link));
    },
    [navigate],
  );
  const all = useMemo(() => screenerColumns(trade), [trade]);
  const columns = useChosenColumns('Screened pairs', all);
  /** Another filter or order begins at the first page. */
  const change = (next: Partial<Filter>) => {
    setOffset(0);
    setFilter({ ...filter, ...next });
  };
  const isFirst = data?.asOf === null;
  return (
    <Page title="Screener">
      <Panel flush>
        <div className={css['tools']}>
          <Input
            type="search"
            aria-label="Search"
            placeholder="Ticker, or two: sol/eth"
            maxLength={MAX_SEARCH}
            before={<Search size={13} />}
            value={filter.search}
            onChange={(event) => change({ search: event.currentTarget.value })}
            className={css['search']}
          />
          <Select
            label="Cointegration"
            options={P_VALUES}
            value={filter.maxPValue}
            onChange={(maxPValue) => change({ maxPValue })}
            className={css['choice'] ?? ''}
          />
          <Select
            label="z-score"
            options={Z_SCORES}
            value={filter.minAbsZScore}
            onChange={(minAbsZScore) => change({ minAbsZScore })}
            className={css['choice'] ?? ''}
          />
          <AsOf data={data} />
        </div>
        <p className={css['note']}>
          90 days of hourly closes. ln(first) = c + h·ln(second) + spread; z is the spread in its deviations.
          The direction is arithmetic: it gains if z returns to 0. Nothing says that it does. Z-score sorts by
          |z|. Dim: p &gt; 0.1, not shown to move together. Carry: + you receive, of the gross notional.
          Volume: of the smaller leg.
        </p>
        <Fresh className={layout['fill'] ?? ''}>
          {isFirst ? (
            <Computing data={data} onRetry={() => void refetch()} />
          ) : (
            <Table
              label="Pairs"
              rows={data?.pairs}
              columns={columns}
              rowKey={({ first, second }) => `${first.id} ${second.id}`}
              onOpen={trade}
              isDim={isWeak}
              sortedBy={sorting}
              onSort={(next) => {
                setOffset(0);
                setSorting(next);
              }}
              error={error}
              onRetry={() => void refetch()}
              empty={<NoPair filter={filter} onClear={() => change(NO_FILTER)} />}
            />
          )}
        </Fresh>
        {!isFirst && data !== undefined && data.count > 0 && (
          <Pager offset={offset} count={data.count} onChange={setOffset} />
        )}
      </Panel>
    </Page>
  );
}

function AsOf({ data }: { readonly data: Screener | undefined }) {
  if (data === undefined || data.asOf === null) return null;
  return (
    <span className={css['asOf']}>
      <span>
        {data.instruments} instruments, computed <Age since={data.asOf} /> ago
      </span>
      {data.error !== null && <span role="status">The last hour could not be computed: {data.error}</span>}
    </span>
  );
}

/** The first screen since the gateway started is on its way, or could not be made. */
function Computing({ data, onRetry }: { readonly data: Screener; readonly onRetry: () => void }) {
  if (data.progress === null && data.error !== null) {
    return (
      <EmptyState
        icon={<ScanSearch />}
        title="The pairs could not be computed"
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        {data.error}. The gateway tries again with the next full hour.
      </EmptyState>
    );
  }
  const { done, total } = data.progress ?? { done: 0, total: 0 };
  return (
    <EmptyState icon={<ScanSearch />} title="Computing all pairs">
      <span role="status">{done === 0 ? 'Reading 90 days of hours…' : `${done} of ${total} pairs`}</span>
    </EmptyState>
  );
}

function NoPair({ filter, onClear }: { readonly filter: Filter; readonly onClear: () => void }) {
  const search = filter.search.trim();
  const isOnlySearched = filter.maxPValue === '' && filter.minAbsZScore === '';
  return (
    <EmptyState
      icon={<ScanSearch />}
      title={search === '' ? 'No pair fits' : `No pair fits “${search}”`}
      action={<Button onClick={onClear}>{isOnlySearched ? 'Clear search' : 'Clear filters'}</Button>}
    >
      {isOnlySearched
        ? 'A pair needs two of the most traded instruments: search one ticker, or two.'
        : 'Filters and search leave none of the pairs.'}
    </EmptyState>
  );
}

function Pager({
  offset,
  count,
  onChange,
}: {
  readonly offset: number;
  readonly count: number;
  readonly onChange: (offset: number) => void;
}) {
  const last = Math.min(offset + PAGE, count);
  return (
    <nav className={css['pager']} aria-label="Pages">
      <span role="status">
        {Math.min(offset + 1, count)}–{last} of {count}
      </span>
      <IconButton
        icon={<ChevronLeft />}
        label="Previous page"
        disabled={offset === 0}
        onClick={() => onChange(Math.max(0, offset - PAGE))}
      />
      <IconButton
        icon={<ChevronRight />}
        label="Next page"
        disabled={last >= count}
        onClick={() => onChange(offset + PAGE)}
      />
    </nav>
  );
}
