/** Figures of one position in groups, most important first. */
import { type ReactNode, useId } from 'react';
import { Amount, NoFigure, Percent, Pnl, Ratio } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { Age, Time } from '../../components/time.tsx';
import { AtWork } from '../../features/at-work/at-work.tsx';
import { useWork } from '../../features/at-work/use-work.ts';
import { enteredUsd } from '../../features/closed-legs/entered.ts';
import { NextFunding } from '../../features/next-funding/next-funding.tsx';
import { NextPayment, useRates } from '../../features/next-funding/next-payment.tsx';
import { Guards } from '../../features/position-columns/guards.tsx';
import { isWhole, NOT_WHOLE } from '../../features/position-columns/is-whole.ts';
import { NetPnl } from '../../features/position-columns/net-pnl.tsx';
import { protectionFacts } from '../../features/protection/protection.tsx';
import { RATIO_Z } from '../../features/ratio-chart/spread-words.ts';
import { BreakEven } from './break-even.tsx';
import { OpenedBy } from './opened-by.tsx';
import { PositionLiquidation } from './position-liquidation.tsx';
import { PositionZ, positionPast } from './position-past.tsx';
import css from './positions.module.css';
import type { ClosedTrade, Position } from './use-position-data.ts';

interface OfPosition {
  readonly position: Position;
}

/** @param trade closed position from the history, once it has closed */
export function PositionFigures({
  position,
  trade,
}: OfPosition & { readonly trade: ClosedTrade | undefined }) {
  const closed = position.closedAt !== null;
  const workOn = useWork();
  return (
    <div className={layout['stack']}>
      <div className={css['groups']}>
        <Group name="PnL">{closed ? closedPnl(position, trade) : pnl(position)}</Group>
        <Group name="Size">{size(position, closed, trade)}</Group>
        <div className={layout['stack']}>
          {!closed && (
            <Group name="Margin and risk">
              {{
                'To liquidation': <PositionLiquidation position={position} />,
                Margin: <Amount value={position.marginUsed} />,
              }}
            </Group>
          )}
          <Group name="Costs">{costs(position, closed)}</Group>
        </div>
        {position.protection.length > 0 && (
          <Group name="Protection" as="facts">
            {protectionFacts(position.protection)}
          </Group>
        )}
        <Group name="Ratio" as="figures">
          {ratios(position, closed)}
        </Group>
      </div>
      <div className={css['badges']}>
        {closed && <Badge tone="quiet">Closed</Badge>}
        {position.origin !== 'GATEWAY' && (
          <Badge tone="warn">
            {position.origin === 'MIXED' ? 'Partly traded outside Tandem' : 'Traded outside Tandem'}
          </Badge>
        )}
        <Guards position={position} />
        {!closed && <AtWork work={workOn(position)} legs={position.legs} />}
      </div>
    </div>
  );
}

type Named = Readonly<Record<string, ReactNode>>;

function Group({
  name,
  as = 'lines',
  children,
}: {
  readonly name: string;
  /** `lines`: in a column of its own. Else side by side, over the whole width. */
  readonly as?: 'lines' | 'figures' | 'facts';
  readonly children: Named;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames(css['group'], as !== 'lines' && css['across'])}>
      <h3 id={id}>{name}</h3>
      <Facts className={css[as]} of={children} />
    </section>
  );
}

function closedPnl(position: Position, trade: ClosedTrade | undefined): Named {
  return {
    'Net PnL': <NetPnl of={position} />,
    // Returns of small trades are thousandths of a percent, and a small loss must not read as zero.
    Return: <Percent value={trade?.returnPct} of="percent" pnl digits={3} />,
    Realised: <Pnl value={position.realizedPnl} />,
  };
}

function pnl(position: Position): Named {
  return {
    'Net PnL': <NetPnl of={position} />,
    Unrealised: (
      <>
        <Pnl value={position.unrealizedPnl} />{' '}
        <small>
          <Percent value={position.unrealizedPnlPct} of="percent" pnl /> of entry
        </small>
      </>
    ),
    Realised: <Pnl value={position.realizedPnl} />,
    'Break-even': <BreakEven position={position} />,
  };
}

function size(position: Position, closed: boolean, trade: ClosedTrade | undefined): Named {
  return {
    ...(closed
      ? { Entered: <Amount value={trade === undefined ? null : enteredUsd(trade)} /> }
      : {
          Size: <Amount value={position.grossNotional} />,
          'Long − short': <Amount value={position.netNotional} />,
        }),
    Opened: (
      <>
        <Time at={position.createdAt} style="short" />
        {!closed && (
          <small>
            <Age since={position.createdAt} /> ago
          </small>
        )}
      </>
    ),
    ...(closed ? { Closed: <Time at={position.closedAt} style="short" /> } : {}),
    'Opened by': <OpenedBy id={position.id} />,
  };
}

function costs(position: Position, closed: boolean): Named {
  return {
    Fees: <Pnl value={negated(position.feesPaid)} />,
    Funding: <Pnl value={negated(position.fundingPaid)} />,
    ...(closed ? {} : { 'Next funding': <NextFundingOf position={position} /> }),
  };
}

function NextFundingOf({ position: { legs } }: OfPosition) {
  return (
    <>
      <NextPayment legs={legs} rates={useRates()} />{' '}
      <small>
        <NextFunding symbols={legs.map(({ symbol }) => symbol)} />
      </small>
    </>
  );
}

function ratios(position: Position, closed: boolean): Named {
  const ratio = (value: string | null) =>
    isWhole(position) ? <Ratio value={value} /> : <NoFigure why={NOT_WHOLE} />;
  // Without held legs there is no current ratio, and the legs have no entry prices.
  if (closed) return { 'Weighted ratio at entry': ratio(position.entryRatio) };
  return {
    'Price ratio now': ratio(position.markPrice),
    'Price ratio at entry': ratio(position.entryPrice),
    'Weighted ratio now': ratio(position.markRatio),
    'Weighted ratio at entry': ratio(position.entryRatio),
    [`${RATIO_Z} now (${positionPast(position).lookback} h)`]: <PositionZ position={position} at="now" />,
    [`${RATIO_Z} at entry`]: <PositionZ position={position} at="entry" />,
  };
}
