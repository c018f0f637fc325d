/** Portfolio screen: results and risk of the account. */
import { ChartLine } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useAccountNow } from '../../api/account-now.ts';
import { useMaybeAccount } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { PaperCaution } from '../../components/paper-caution.tsx';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { EmptyState, Fresh, Loaded, Renewed } from '../../components/states.tsx';
import { AssetBreakdown, PairBreakdown } from './breakdown.tsx';
import { EquityAndDrawdown, PnlByTime, RollingRisk } from './curves.tsx';
import { withPresent } from './day-change.ts';
import { useDayText } from './day-text.ts';
import { HeatMap } from './heat-map-view.tsx';
import { Overview } from './overview.tsx';
import css from './portfolio.module.css';
import { RANGES, type Range, ROLLING_WINDOWS, SOURCES, type Source, sourceName, spanText } from './range.ts';
import { Risk } from './risk.tsx';
import { type Analytics, type PortfolioView, usePortfolio } from './use-portfolio.ts';

const WINDOW_OPTIONS = ROLLING_WINDOWS.map((days) => ({
  value: String(days),
  label: `Rolling ${days} days`,
}));

export default function Portfolio() {
  const [view, setView] = useState<PortfolioView>({ range: '90d', source: 'all', rollingWindow: 30 });
  const { range, source, rollingWindow } = view;
  const choose = (part: Partial<PortfolioView>) => setView({ ...view, ...part });
  const { portfolio, analytics } = usePortfolio(view);
  const viewOfPortfolio = useShownView(view, portfolio.isPlaceholderData);
  const viewOfAnalytics = useShownView(view, analytics.isPlaceholderData);
  const account = useMaybeAccount();
  return (
    <Page
      title="Portfolio"
      long
      actions={
        <>
          <Segmented
            label="Range"
            options={RANGES}
            value={range}
            onChange={(next: Range) => choose({ range: next })}
          />
          <Select
            label="Source"
            options={SOURCES}
            value={source}
            onChange={(next: Source) => choose({ source: next })}
            className={css['select'] ?? ''}
          />
          <Select
            label="Rolling window"
            options={WINDOW_OPTIONS}
            value={String(rollingWindow)}
            onChange={(days) =>
              choose({ rollingWindow: ROLLING_WINDOWS.find((one) => String(one) === days) ?? rollingWindow })
            }
            className={css['select'] ?? ''}
          />
        </>
      }
    >
      <Fresh className={layout['stack'] ?? ''}>
        {account?.mode === 'PAPER' && <PaperCaution className={layout['quiet'] ?? ''} />}
        <Renewed
          className={layout['stack']}
          busy={portfolio.isPlaceholderData || analytics.isPlaceholderData}
        >
          <Panel>
            <Loaded query={portfolio} rows={2}>
              {(data) => (
                <Overview
                  portfolio={data}
                  span={spanText(viewOfPortfolio.range)}
                  readAt={portfolio.dataUpdatedAt}
                />
              )}
            </Loaded>
          </Panel>
          {analytics.data === undefined && analytics.error !== null && (
            <p className={layout['quiet']}>Curves, risk and results by basket could not be read:</p>
          )}
          <Loaded query={analytics} rows={12}>
            {(data) => (
              <Parts
                analytics={data}
                view={viewOfAnalytics}
                isVenueAnswering={portfolio.data?.equity != null}
                buckets={portfolio.data?.buckets ?? []}
              />
            )}
          </Loaded>
        </Renewed>
      </Fresh>
    </Page>
  );
}

/** View of the shown data: until the data of a new view arrive, the words stay with the previous view. */
function useShownView(view: PortfolioView, isOfBefore: boolean): PortfolioView {
  const [shown, setShown] = useState(view);
  if (!isOfBefore && shown !== view) setShown(view);
  return isOfBefore ? shown : view;
}

interface PartsProps {
  readonly analytics: Analytics;
  readonly view: PortfolioView;
  readonly isVenueAnswering: boolean;
  readonly buckets: Parameters<typeof PnlByTime>[0]['buckets'];
}

function Parts({ analytics, view, isVenueAnswering, buckets }: PartsProps) {
  const { risk, pairs, assets } = analytics;
  const now = useAccountNow().data;
  // The current figures are of the whole account, so they fit no other source.
  const series = useMemo(
    () => withPresent(analytics.series ?? [], view.source === 'all' ? now : undefined),
    [analytics.series, view.source, now],
  );
  const basis = useBasisText(analytics);
  const hasCurve = series.length > 0;
  // Risk covers the days as the gateway has them, while the curve ends with the present.
  const isOfNow = analytics.sampledSince === null && series.at(-1) !== analytics.series?.at(-1);
  return (
    <>
      <div className={css['split']}>
        <Panel title={view.source === 'all' ? 'Equity' : `Equity, ${sourceName(view.source)} only`}>
          {hasCurve ? <EquityAndDrawdown series={series} /> : <NoCurve {...{ view, isVenueAnswering }} />}
          {hasCurve && basis !== null && <p className={css['note']}>{isOfNow ? ONLY_NOW : basis}</p>}
        </Panel>
        <Panel title="Risk">
          <Risk
            risk={risk}
            data={{ days: series.length, isVenueAnswering }}
            basis={hasCurve ? basis : null}
          />
        </Panel>
      </div>
      {hasCurve && (
        <>
          <div className={css['halves']}>
            <RollingRisk series={series} window={view.rollingWindow} />
            <PnlByTime buckets={buckets} />
          </div>
          <Panel title={daysTitle(analytics, isOfNow)}>
            <HeatMap series={series} />
          </Panel>
        </>
      )}
      <div className={css['halves']}>
        <PairBreakdown pairs={pairs} assets={assets} />
        <AssetBreakdown assets={assets} />
      </div>
    </>
  );
}

/** Title of the calendar: it names the counted PnL, in line with the basis below the curve. */
function daysTitle({ basis, sampledSince }: Analytics, isOfNow: boolean): string {
  if (isOfNow) return "PnL of each day, unrealised in today's only";
  if (basis === 'MARKED') return 'PnL of each day, with unrealised';
  return sampledSince === null ? 'PnL of each day, realised' : 'PnL of each day';
}

const ONLY_NOW =
  'Today with open positions as they stand now. Days before are of realised results only: positions count on the day they are closed.';

/** Basis of the daily equity: the days on which open positions are included. null: there is no day. */
function useBasisText({ basis, sampledSince }: Analytics): string | null {
  const { long } = useDayText();
  if (basis === null) return null;
  if (basis === 'MARKED') return 'Marked to market: open positions count at the mark price of each day.';
  if (sampledSince === null) return 'Of realised results only: positions count on the day they are closed.';
  const since = long(sampledSince.slice(0, 10));
  return `Marked to market since ${since}. Days before, and days without a sample, count realised results only.`;
}

function NoCurve({ view, isVenueAnswering }: Pick<PartsProps, 'view' | 'isVenueAnswering'>) {
  const [, navigate] = useLocation();
  if (!isVenueAnswering)
    return (
      <EmptyState icon={<ChartLine />} title="The venue does not answer right now">
        The venue has not reported the deposits yet. The curve appears once it has.
      </EmptyState>
    );
  const isNarrowed = view.range !== 'all' || view.source !== 'all';
  return (
    <EmptyState
      icon={<ChartLine />}
      title={isNarrowed ? 'Nothing was traded in this range' : 'Nothing has been traded yet'}
      action={
        <Button kind="primary" onClick={() => navigate('/trade')}>
          Build a basket
        </Button>
      }
    >
      The curve begins with the first fill of the account.
    </EmptyState>
  );
}
