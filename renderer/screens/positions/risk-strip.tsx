/** Risk of the account: exposure of all holdings, margin, and distance to the nearest liquidation. */
import { useStaleSeconds } from '../../api/clock.ts';
import { Amount, NoFigure, Quantity } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import {
  type BasketRisk,
  Far,
  isWithinReach,
  LiquidationMove,
  MarginRatio,
} from '../../features/liquidation/liquidation.tsx';
import type { Risk } from '../../features/position-columns/use-risk.ts';
import { FirstToGo } from './first-to-go.tsx';
import { exposureOf } from './position-sums.ts';
import css from './positions.module.css';
import { type Position, type Unassigned, useUnassigned } from './use-position-data.ts';

/** Basket with the smallest move to a liquidation by the venue; undefined: none has one. */
function nearest(baskets: readonly BasketRisk[]): BasketRisk | undefined {
  const distance = ({ ratioMove }: BasketRisk) => Math.abs(Number(ratioMove));
  return baskets.filter(isWithinReach).sort((one, other) => distance(one) - distance(other))[0];
}

/** True: the account holds something, in baskets or outside them. */
export function hasRisk(
  positions: readonly Position[] | undefined,
  past: readonly Unassigned[] | undefined,
): boolean {
  return (positions ?? []).length > 0 || exposureOf(positions, past).pastGross !== null;
}

export function RiskStrip({
  positions,
  risk,
}: {
  /** undefined: not read. */
  readonly positions: readonly Position[] | undefined;
  readonly risk: Risk | undefined;
}) {
  const isStale = useStaleSeconds() !== null;
  const closest = risk === undefined ? undefined : nearest(risk.baskets);
  const past = useUnassigned().data;
  const { gross, net, pastGross } = exposureOf(positions, past);
  const position = positions?.find(({ id }) => id === closest?.positionId);
  return (
    <Facts
      className={classNames(css['totals'], isStale && 'stale')}
      label="Risk"
      of={{
        Gross: (
          <span>
            <Amount value={gross} />
            {pastGross !== null && (
              <small className={css['under']}>
                <Amount value={pastGross} /> outside Tandem
              </small>
            )}
          </span>
        ),
        'Net, long − short': <Amount value={net} />,
        'Beta to BTC': (
          <span title="Σ signed notional × beta of its instrument ÷ equity; hourly returns of 30 days">
            <Quantity value={risk?.beta ?? null} step="0.01" />
          </span>
        ),
        'Margin ratio': <MarginRatio of={risk} />,
        'Nearest liquidation': (
          <span className={(position?.legs.length ?? 0) > 1 ? css['long'] : undefined}>
            {closest === undefined ? (
              <NoneNear isRead={positions !== undefined && risk !== undefined} />
            ) : (
              <>
                <LiquidationMove risk={closest} />
                {/* The rows are read at another time, so this position may not be among them. */}
                {position !== undefined && (
                  <>
                    {' '}
                    <BasketText position={position} />
                    <FirstToGo risk={closest} legs={position.legs} />
                  </>
                )}
              </>
            )}
          </span>
        ),
        'Free margin': <Amount value={risk?.freeMargin} />,
      }}
    />
  );
}

function NoneNear({ isRead }: { readonly isRead: boolean }) {
  return isRead ? <Far why="No basket is within ten times the prices of its legs" /> : <NoFigure />;
}

function BasketText({ position }: { readonly position: Position }) {
  const text = useBasketText(position.legs);
  return <small title={text}>{text}</small>;
}
