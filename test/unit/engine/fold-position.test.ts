/** Effect of fills on a basket's position: its legs, and the meaning of its target weights. */
import { expect } from 'chai';
import type { Execution, Position } from '../../../gateway/domain/model.ts';
import { foldPosition, type OrderFold } from '../../../gateway/engine/execution/fold-outcome.ts';
import * as records from '../../support/store-records.ts';

const START = records.START;
const FACTS = {
  isGuest: false,
  mark: () => '100',
  planned: null,
};

function executionOf(over: Partial<Execution>): Execution {
  const made = records.execution({ intent: 'ADJUST', ...over });
  const orders = made.orders.map((order) => ({
    ...order,
    mode: 'BASE' as const,
    quantity: '1',
    limitPrice: '100',
    sizedPrice: '100',
  }));
  return { ...made, slippage: '0', orders };
}

/** Every order filled at 100. */
function filled(execution: Execution): readonly OrderFold[] {
  return execution.orders.map((order) => {
    const fill = {
      tradeId: order.id,
      clientOrderId: null,
      venueOrderId: 'v',
      symbol: order.symbol,
      side: order.side,
      price: '100',
      quantity: '1',
      fee: '0',
      feeAsset: 'USDC',
      liquidity: 'TAKER',
      isLiquidation: false,
      timestamp: START,
    } as const;
    const settlement = { kind: 'done', venueOrderId: 'v', fills: [fill] } as const;
    return { order, fills: [fill], settlement };
  });
}

function fold(execution: Execution, current: Position | undefined) {
  return foldPosition(execution, current, filled(execution), FACTS, records.nextId, START);
}

describe('folding fills into a position', () => {
  const btc = records.position({
    legs: [
      {
        symbol: 'BTC-PERP',
        side: 'BUY',
        quantity: '1',
        entryPrice: '100',
        entryNotional: '100',
        realizedPnl: '0',
        feesPaid: '0',
        fundingPaid: '0',
        targetWeight: '1',
      },
    ],
  });

  it('takes in a leg of its basket that it began without', () => {
    const folded = fold(executionOf({ origin: 'SCHEDULE' }), btc);
    const legs = folded.ok ? (folded.value.position?.legs ?? []) : [];
    expect(legs.map(({ symbol, side, quantity }) => [symbol, side, quantity])).to.deep.equal([
      ['BTC-PERP', 'BUY', '2'],
      ['ETH-PERP', 'SELL', '1'],
    ]);
    expect(legs.map(({ targetWeight }) => Number(targetWeight).toFixed(6))).to.deep.equal([
      '0.666667',
      '0.333333',
    ]);
  });

  it('a rebalance trades both ways and leaves the target weights alone', () => {
    const execution = executionOf({ origin: 'REBALANCE' });
    const [order] = execution.orders;
    if (order === undefined) throw new Error('no order');
    const folded = fold({ ...execution, orders: [{ ...order, side: 'BUY' }] }, btc);
    const legs = folded.ok ? (folded.value.position?.legs ?? []) : [];
    expect(legs[0]).to.include({ quantity: '2', targetWeight: '1' });
  });

  it('a rebalance whose position is gone makes no other', () => {
    const folded = fold(executionOf({ origin: 'REBALANCE' }), undefined);
    expect(folded.ok).to.equal(false);
    expect(!folded.ok && folded.error.kind).to.equal('position_gone');
  });
});
