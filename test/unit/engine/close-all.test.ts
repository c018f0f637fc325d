/** Closing all positions of an account when one of them meets what nobody foresaw. */

import { expect } from 'chai';
import type { Principal } from '../../../gateway/domain/model.ts';
import type { CloseAllReport } from '../../../gateway/engine/positions/close-all.ts';
import { createPositionService } from '../../../gateway/engine/positions/position-service.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { basketOf, leg } from '../../support/engine-desk.ts';
import { unwrap } from '../../support/unwrap.ts';

const TRADER: Principal = { kind: 'session', userId: 'user', sessionId: 'session' };
const ALL = { connector: null, slippage: null, clientId: null };

describe('closing all positions', () => {
  const desk = engineDeskForEachTest();
  beforeEach(async () => {
    for (const symbol of ['AAA', 'BBB']) {
      const basket = basketOf([leg(symbol, 'BUY', '2', 'BASE')]);
      await desk.ended(
        JSON.parse(unwrap(await desk.engine.openBasket(TRADER, desk.command(), basket)).json).id,
      );
    }
  });

  const positions = () => createPositionService(desk.engine.accept);
  const command = () => ({
    ...desk.command(),
    answer: ({ executions }: CloseAllReport) => JSON.stringify({ executions }),
  });
  const closeAll = () => positions().closeAll(TRADER, command(), ALL);

  it('closes the others when the venue does not list an instrument any more', async () => {
    const { market } = desk.venue;
    const instrument = market.instrument.bind(market);
    market.instrument = (connector, symbol) =>
      symbol === 'BBB-PERP' ? undefined : instrument(connector, symbol);
    const { executions } = JSON.parse(unwrap(await closeAll()).json);
    expect(executions).to.have.length(2);
    const [ofListed] = executions.filter(({ orders }: { orders: readonly { symbol: string }[] }) =>
      orders.some(({ symbol }) => symbol === 'AAA-PERP'),
    );
    expect(await desk.ended(ofListed.id)).to.include({ intent: 'CLOSE', status: 'COMPLETED' });
  });

  it('leaves no basket busy when it fails before anything is written', async () => {
    const { get } = desk.state.positions;
    let asked = 0;
    desk.state.positions.get = (id) => {
      asked += 1;
      if (asked === 2) throw new Error('unforeseen');
      return get.call(desk.state.positions, id);
    };
    const failed = await closeAll().then(
      () => null,
      (error: Error) => error.message,
    );
    desk.state.positions.get = get;
    expect(failed).to.equal('unforeseen');
    expect(desk.state.claims.isRunning(desk.account.id)).to.equal(false);
    const again = await closeAll();
    expect(again.ok).to.equal(true);
  });
});
