/** Orders that a change of a position would send, one leg a row. */
import { Quantity } from '../../components/amount.tsx';
import layout from '../../components/layout.module.css';
import { Price } from '../../features/instrument-figure/instrument-figure.tsx';
import css from './positions.module.css';

interface PlannedOrder {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly ticker: string;
  readonly quantity: string | null;
  readonly expectedPrice: string | null;
  readonly limitPrice: string | null;
  readonly problem?: { readonly message: string } | null;
  /** Quantity of the leg after the order; left out: the order opens. */
  readonly remaining?: string;
}

export function PlannedOrders({
  caption,
  legs,
}: {
  readonly caption: string;
  readonly legs: readonly PlannedOrder[];
}) {
  const closes = legs.some(({ remaining }) => remaining !== undefined);
  return (
    <div className={css['preview']}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Quantity</th>
            <th scope="col">Expected</th>
            <th scope="col">Worst</th>
            {closes && <th scope="col">Left</th>}
          </tr>
        </thead>
        <tbody>
          {legs.map(({ symbol, side, ticker, quantity, expectedPrice, limitPrice, problem, remaining }) => (
            <tr key={symbol}>
              <th scope="row">
                {side === 'BUY' ? 'Buy' : 'Sell'} {ticker}
                {problem != null && <span className={layout['problem']}> {problem.message}</span>}
              </th>
              <td>
                <Quantity value={quantity} />
              </td>
              <td>
                <Price symbol={symbol} value={expectedPrice} />
              </td>
              <td>
                <Price symbol={symbol} value={limitPrice} />
              </td>
              {closes && (
                <td>
                  <Quantity value={remaining} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
