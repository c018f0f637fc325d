/** Table of a position's results at a few price moves. */
import Big from 'big.js';
import { useHoldings } from '../../api/account-now.ts';
import { Amount, NoFigure, Percent, Pnl, Ratio } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import layout from '../../components/layout.module.css';
import { EmptyState, Skeleton } from '../../components/states.tsx';
import { NOT_WHOLE } from '../../features/position-columns/is-whole.ts';
import { netPnl } from '../../features/position-columns/position-net.ts';
import { useRisk } from '../../features/position-columns/use-risk.ts';
import css from './positions.module.css';
import { type Scenario, scenariosOfPosition } from './scenarios.ts';
import type { Position } from './use-position-data.ts';

const NAMES = { RATIO: 'Price ratio', PRICE: 'Price', MARKET: 'All prices' } as const;

export function PositionScenarios({ position }: { readonly position: Position }) {
  const { holdings } = useHoldings();
  const risk = useRisk().data;
  if (position.status !== 'OPEN')
    return <EmptyState title="It is closed">What is not held gains and loses nothing.</EmptyState>;
  if (holdings === undefined) return <Skeleton rows={6} />;
  const scenarios = scenariosOfPosition(position, holdings, risk);
  if (scenarios.length === 0)
    return <EmptyState title="No scenarios">There are none where {NOT_WHOLE}.</EmptyState>;
  const net = netPnl(position);
  return (
    <div className={classNames(layout['stack'], css['tabContent'])}>
      <div className={css['preview']}>
        <table aria-label="Scenarios">
          <thead>
            <tr>
              <th scope="col">If this moves</th>
              <th scope="col">Ratio then</th>
              <th scope="col">PnL of the move</th>
              <th scope="col">Net PnL then</th>
              <th scope="col">Size then</th>
              <th scope="col">Free margin then</th>
            </tr>
          </thead>
          <tbody>
            {scenarios.map((one) => (
              <tr key={`${one.what} ${one.move}`}>
                <th scope="row">
                  {NAMES[one.what]} {Number(one.move) > 0 && '+'}
                  <Percent value={one.move} digits={0} />
                </th>
                <td>
                  <RatioThen scenario={one} position={position} />
                </td>
                <td>
                  <Pnl value={one.change} />
                </td>
                <td>
                  <Pnl value={new Big(net).plus(one.change).toFixed()} />
                </td>
                <td>
                  <Amount value={one.size} />
                </td>
                <td>
                  <FreeThen scenario={one} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={layout['quiet']}>
        Arithmetic at the marks of now, no forecast and no advice: the legs move alike, every other price
        stays (with “All prices” all move), and fees, funding and slippage are left out.
      </p>
    </div>
  );
}

interface OfScenario {
  readonly scenario: Scenario;
}

function RatioThen({
  scenario: { ratioTimes },
  position: { markPrice },
}: OfScenario & { readonly position: Position }) {
  if (markPrice === null) return <NoFigure />;
  return <Ratio value={new Big(markPrice).times(ratioTimes).toFixed()} figures={6} />;
}

function FreeThen({ scenario: { freeMargin, isLiquidated } }: OfScenario) {
  if (isLiquidated === true)
    return (
      <strong
        className={layout['problem']}
        title="Before it comes to this the venue has liquidated something of the account"
      >
        liquidated
      </strong>
    );
  // The free margin is unknown as well if something may be liquidated by then.
  if (isLiquidated === null)
    return <NoFigure why="Whether the venue has liquidated something by then is not known" />;
  if (freeMargin === null)
    return <NoFigure why="Not known: nothing is free now, and how much is missing is not told" />;
  return <Amount value={freeMargin} />;
}
