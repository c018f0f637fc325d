/** One position in full: its figures, legs, chart, fills and timeline. */
import { type ReactNode, useRef, useState } from 'react';
import { ResourceNotFound } from '../../../gateway/client/client.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, NoFigure, Percent, Pnl, Ratio } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Drawer } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Age, Time } from '../../components/time.tsx';
import { AtWork } from '../../features/at-work/at-work.tsx';
import { useWork } from '../../features/at-work/use-work.ts';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { NextFunding } from '../../features/next-funding/next-funding.tsx';
import { NextPayment, useRates } from '../../features/next-funding/next-payment.tsx';
import { Guards } from '../../features/position-columns/guards.tsx';
import { isWhole, NOT_WHOLE } from '../../features/position-columns/position-columns.tsx';
import { netPnl } from '../../features/position-columns/position-net.ts';
import { RATIO_Z } from '../../features/ratio-chart/spread-words.ts';
import { BreakEven } from './break-even.tsx';
import { isolatedLegs } from './margin-dialog.tsx';
import { OpenedBy } from './opened-by.tsx';
import { PositionChart } from './position-chart.tsx';
import type { PositionAction } from './position-dialogs.tsx';
import { PositionFills } from './position-fills.tsx';
import { PositionLegs } from './position-legs.tsx';
import { PositionZ, positionPast } from './position-past.tsx';
import { PositionTimeline } from './position-timeline.tsx';
import css from './positions.module.css';
import { Repair } from './repair.tsx';
import { type Position, usePosition } from './use-position-data.ts';

const VIEWS = [
  { value: 'chart', label: 'Chart' },
  { value: 'fills', label: 'Fills' },
  { value: 'timeline', label: 'Timeline' },
] as const;
type View = (typeof VIEWS)[number]['value'];

const ACTIONS: readonly { readonly action: PositionAction; readonly label: string }[] = [
  { action: 'adjust', label: 'Adjust' },
  { action: 'brackets', label: 'TP / SL' },
  { action: 'rebalance', label: 'Rebalance' },
  { action: 'margin', label: 'Margin' },
  { action: 'reverse', label: 'Reverse' },
];

interface Drawn {
  readonly id: string;
  readonly onClose: () => void;
  readonly onAction: (action: PositionAction, position: Position) => void;
  /** Dialogs over the drawer. */
  readonly children: ReactNode;
}

export function PositionDrawer({ id, onClose, onAction, children }: Drawn) {
  const account = useAccount();
  const position = usePosition(id);
  const content = useRef<HTMLDivElement>(null);
  const { data } = position;
  const isMissing = position.error instanceof ResourceNotFound;
  return (
    <Drawer
      open
      onClose={onClose}
      size="large"
      account={account}
      initialFocus={content}
      title={
        data === undefined ? (
          'Position'
        ) : (
          <span className={css['whole']}>
            <BasketLabel legs={data.legs} />
          </span>
        )
      }
      actions={
        data?.status !== 'OPEN' ? undefined : (
          <>
            {ACTIONS.filter(({ action }) => action !== 'margin' || isolatedLegs(data).length > 0).map(
              ({ action, label }) => (
                <Button key={action} onClick={() => onAction(action, data)}>
                  {label}
                </Button>
              ),
            )}
            <Button kind="danger" onClick={() => onAction('close', data)}>
              Close position
            </Button>
          </>
        )
      }
    >
      <div ref={content} tabIndex={-1} className={css['focusable']}>
        {isMissing ? (
          <EmptyState title="There is no such position" action={<Button onClick={onClose}>Back</Button>}>
            The selected account has no position with this id.
          </EmptyState>
        ) : (
          <Loaded query={position}>{(loaded) => <Content position={loaded} onAction={onAction} />}</Loaded>
        )}
      </div>
      {children}
    </Drawer>
  );
}

function Content({ position, onAction }: Pick<Drawn, 'onAction'> & { readonly position: Position }) {
  const [view, setView] = useState<View>('chart');
  return (
    <div className={css['drawer']}>
      <Figures position={position} />
      <Repair position={position} onAction={onAction} />
      <section aria-label="Legs" className={css['legs']}>
        <PositionLegs legs={position.legs} isBrief />
      </section>
      <Tabs tabs={VIEWS} value={view} onChange={setView} label="Of this position">
        {view === 'chart' && <PositionChart position={position} />}
        {view === 'fills' && <PositionFills positionId={position.id} />}
        {view === 'timeline' && <PositionTimeline position={position} />}
      </Tabs>
    </div>
  );
}

function Figures({ position }: { readonly position: Position }) {
  const closed = position.closedAt !== null;
  const workOn = useWork();
  const rates = useRates();
  const ratio = (value: string | null) =>
    isWhole(position) ? <Ratio value={value} /> : <NoFigure why={NOT_WHOLE} />;
  return (
    <div className={layout['stack']}>
      <Facts
        className={css['figures']}
        of={{
          Size: <Amount value={position.grossNotional} />,
          'Long − short': <Amount value={position.netNotional} />,
          'Price ratio at entry': ratio(position.entryPrice),
          'Price ratio': ratio(position.markPrice),
          'Weighted ratio at entry': ratio(position.entryRatio),
          'Weighted ratio': ratio(position.markRatio),
          ...(closed
            ? {}
            : {
                [`${RATIO_Z} at entry`]: <PositionZ position={position} at="entry" />,
                [`${RATIO_Z} (${positionPast(position).lookback} h)`]: (
                  <PositionZ position={position} at="now" />
                ),
              }),
          Unrealised: (
            <>
              <Pnl value={position.unrealizedPnl} />{' '}
              <Percent value={position.unrealizedPnlPct} of="percent" pnl />
            </>
          ),
          Realised: <Pnl value={position.realizedPnl} />,
          Funding: <Pnl value={negated(position.fundingPaid)} />,
          ...(closed
            ? {}
            : {
                'Next funding': (
                  <>
                    <NextPayment legs={position.legs} rates={rates} />{' '}
                    <small>
                      <NextFunding symbols={position.legs.map(({ symbol }) => symbol)} />
                    </small>
                  </>
                ),
              }),
          Fees: <Pnl value={negated(position.feesPaid)} />,
          Net: (
            <span title="Unrealised and realised, funding and fees together; closing costs its own fee">
              <Pnl value={netPnl(position)} />
            </span>
          ),
          ...(closed ? {} : { 'Break-even': <BreakEven position={position} /> }),
          Margin: <Amount value={position.marginUsed} />,
          'Opened by': <OpenedBy id={position.id} />,
          Opened: (
            <>
              <Time at={position.createdAt} style="short" />
              {!closed && (
                <small className={css['ago']}>
                  <Age since={position.createdAt} /> ago
                </small>
              )}
            </>
          ),
          ...(closed ? { Closed: <Time at={position.closedAt} style="short" /> } : {}),
        }}
      />
      <div className={css['badges']}>
        {closed && <Badge tone="quiet">Closed</Badge>}
        {position.origin !== 'GATEWAY' && (
          <Badge tone="warn">
            {position.origin === 'MIXED' ? 'Partly traded past Tandem' : 'Traded past Tandem'}
          </Badge>
        )}
        <Guards position={position} />
        {!closed && <AtWork work={workOn(position)} legs={position.legs} />}
      </div>
    </div>
  );
}
