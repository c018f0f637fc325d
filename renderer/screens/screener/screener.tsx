/** Screener: pairs of the venue's most traded instruments, each once, with statistics of 90 days of hours. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useConnector } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { IconButton } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { Fresh } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Sorting } from '../../components/table-header.tsx';
import { tradeHref } from '../../features/basket-link/basket-link.ts';
import { useChosenColumns } from '../../features/chosen-columns/chosen-columns.tsx';
import { useSettled } from '../../features/settled-value/use-settled.ts';
import { FilterBar } from './filter-bar.tsx';
import { linkOf, type ScreenedPair } from './screened-pair.ts';
import css from './screener.module.css';
import { chooseMaxPValue, type Filter, NO_FILTER, useMaxPValue } from './screener-filter.ts';
import { isWeak, orderOf, screenerColumns } from './screener-table.tsx';
import { AsOf, Computing, Legend, NoPair, type Shown, Standing } from './screener-words.tsx';

const PAGE = 100;
const TYPING_MS = 250;
const COMPUTING_MS = 1_000;
const CALM_MS = 30_000;

export default function ScreenerScreen() {
  const [, navigate] = useLocation();
  const connector = useConnector()?.id;
  const [{ search: typed, minAbsZScore }, setFilter] = useState(NO_FILTER);
  const maxPValue = useMaxPValue();
  const filter: Filter = { search: typed, maxPValue, minAbsZScore };
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [offset, setOffset] = useState(0);
  const [isComputing, setComputing] = useState(true);
  const search = useSettled(typed.trim(), TYPING_MS);
  const { data, error, refetch, isPlaceholderData } = useGet(
    'GET /analytics/screener',
    {
      query: {
        connector: connector ?? '',
        ...orderOf(sorting),
        limit: PAGE,
        offset,
        ...(search === '' ? {} : { search }),
        ...(maxPValue === '' ? {} : { maxPValue }),
        ...(minAbsZScore === '' ? {} : { minAbsZScore }),
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
  // Until the answer to another choice arrives, the words describe the shown pairs.
  const isNarrowed = search !== '' || minAbsZScore !== '';
  const [shown, setShown] = useState<Shown>({ maxPValue, isNarrowed });
  if (!isPlaceholderData && (shown.maxPValue !== maxPValue || shown.isNarrowed !== isNarrowed))
    setShown({ maxPValue, isNarrowed });
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
    if (next.maxPValue !== undefined) chooseMaxPValue(next.maxPValue);
  };
  const isFirst = data?.asOf === null;
  return (
    <Page title="Screener">
      <Panel flush>
        <FilterBar filter={filter} onChange={change}>
          <AsOf data={data} />
        </FilterBar>
        <Standing data={data} isGrouped={sorting === null} shown={shown} />
        <Legend data={data} />
        <Fresh className={layout['fill'] ?? ''}>
          {isFirst ? (
            <Computing data={data} onRetry={() => void refetch()} />
          ) : (
            <Table
              label="Pairs"
              {...readTable({ error, refetch }, data?.pairs)}
              columns={columns}
              rowKey={({ first, second }) => `${first.id} ${second.id}`}
              onOpen={trade}
              isDim={isWeak}
              sortedBy={sorting}
              onSort={(next) => {
                setOffset(0);
                setSorting(next);
              }}
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
