/**
 * Closing, as a careless trader does it: after trades past the gateway, of baskets that net to less than an order, of more
 * than the margin bears. Nothing is ever opened by it, and nothing stays open without a word.
 */
import { expect } from 'chai';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import { base, closingDeskForEachTest } from '../support/closing-desk.ts';
import type { Json } from '../support/json.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const STOP = { type: 'PERCENTAGE', value: '5' };
const ONE_BTC = '0.425';
const QUARTER = '0.106';

describe('closing what was sold past the gateway', () => {
  const desk = closingDeskForEachTest();
  let positionId: string;
  beforeEach(async () => {
    positionId = await desk.basket([base('BTC', 'BUY', ONE_BTC)], { stopLoss: STOP });
  });

  const sell = (quantity: string) => desk.outside({ symbol: 'BTC-PERP', side: 'SELL', quantity });
  const nothingIsOpen = async () => {
    await desk.untilClosed(positionId);
    expect(await desk.venuePositions(), 'the venue').to.deep.equal({});
    const own = await desk.fills(positionId);
    const causes = new Set(own.map(({ cause }) => cause));
    expect([...causes].sort(), 'what the fills say').to.include('CLOSED_OUTSIDE');
    expect(await desk.unassigned()).to.deep.equal([]);
    await desk.untilTold(positionId);
  };

  it('a close sells nothing more, takes it out of the basket and says so', async () => {
    await sell(ONE_BTC);
    await desk.close(positionId);
    await nothingIsOpen();
  });

  for (const [sold, target, ends] of [
    ['0.2', '0.225', '0.225'],
    ['0.1', '0.225', '0.225'],
    ['0.3', '0.225', '0.125'],
  ] as const) {
    it(`a reduction to ${target} after ${sold} were sold outside ends at ${ends}`, async () => {
      await sell(sold);
      const { execution } = await desk.post(`/positions/${positionId}/adjust`, {
        intent: 'REDUCE',
        targets: [{ symbol: 'BTC-PERP', quantity: target }],
      });
      const ended = await desk.bot.ended(execution.id);
      expect(ended.status, JSON.stringify(ended)).to.equal('COMPLETED');
      expect((await desk.position(positionId)).legs[0].quantity).to.equal(ends);
      expect(await desk.venuePositions()).to.deep.equal({ 'BTC-PERP': ends });
    });
  }

  it('the same with close-all', async () => {
    await sell(ONE_BTC);
    const { executions } = await desk.post('/positions/close-all', {});
    for (const { id } of executions) await desk.bot.ended(id);
    await nothingIsOpen();
  });

  it('the same with panic', async () => {
    await sell(ONE_BTC);
    await desk.panic();
    await nothingIsOpen();
  });

  it('the same when its stop-loss fires', async () => {
    await sell(ONE_BTC);
    await desk.venue.shock('BTC-PERP', 0.9);
    await nothingIsOpen();
  });

  it('what was sold in part bounds the close: only the rest is sent', async () => {
    await sell(QUARTER);
    const { orders } = await desk.close(positionId);
    // All of the leg is accounted for; the venue was sent the rest.
    expect(orders[0]).to.include({ filledQuantity: ONE_BTC, status: 'FILLED' });
    await nothingIsOpen();
    const traded = (await desk.fills(positionId)).filter(
      ({ cause, side }) => cause === 'TRADE' && side === 'SELL',
    );
    expect(text(sum(traded.map(({ quantity }) => dec(quantity))))).to.equal('0.319');
  });

  it('half of what is left is closed, not half of what was @long', async () => {
    await sell('0.225');
    await desk.close(positionId, { fraction: '0.5' });
    const { legs } = await until(desk.gateway.clock, 'the leg is halved', async () => {
      const position = await desk.position(positionId);
      return position.legs[0].quantity !== ONE_BTC && position;
    });
    expect(legs[0].quantity).to.equal('0.1');
    expect(await desk.venuePositions()).to.deep.equal({ 'BTC-PERP': '0.1' });
  });

  it('a part that is less than one step of the venue is refused with the reason, the leg named once', async () => {
    const { status, error, errorCode } = await desk.close(positionId, { fraction: '0.000000000001' });
    expect({ status, errorCode }).to.deep.equal({ status: 'FAILED', errorCode: 'ZERO_QUANTITY' });
    expect(error).to.match(/^Leg 1 \(BTC-PERP SELL\): the amount is below one quantity step of [\d.]+/);
    expect(error).to.contain('No orders were placed');
  });

  it('what is held in no basket is explained: the gateway is ready', async () => {
    await desk.outside({ symbol: 'ETH-PERP', side: 'BUY', quantity: '0.1' });
    await until(desk.gateway.clock, 'it is on record', async () => (await desk.unassigned()).length === 1);
    const { differences } = await desk.post('/sync', {}, 200);
    expect(differences).to.have.length(1);
    const { checks } = await desk.get('/ready');
    expect(checks.find(({ name }: Json) => name === 'reconciliation').ok).to.equal(true);
  });

  it('a reversal turns over what is left', async () => {
    await sell('0.225');
    const { execution } = await desk.post(`/positions/${positionId}/reverse`, {});
    await desk.bot.ended(execution.id);
    await desk.untilClosed(positionId);
    await until(
      desk.gateway.clock,
      'the opposite is open',
      async () => (await desk.venuePositions())['BTC-PERP'] === '-0.2',
    );
  });

  it('another basket that holds the other side keeps it @long', async () => {
    const other = await desk.basket([base('BTC', 'SELL', '0.1'), usd('ETH', 'BUY', '1000')]);
    await sell(ONE_BTC);
    await desk.close(positionId);
    await desk.untilClosed(positionId);
    expect((await desk.venuePositions())['BTC-PERP']).to.equal('-0.1');
    expect((await desk.position(other)).legs.map(({ quantity }: Json) => quantity !== '0')).to.deep.equal([
      true,
      true,
    ]);
  });

  it('two baskets that close at once share it: it is taken out once', async () => {
    const others = [await desk.basket([base('BTC', 'BUY', '0.3'), usd('ETH', 'BUY', '1000')])];
    others.push(await desk.basket([base('BTC', 'BUY', '0.3'), usd('SOL', 'BUY', '1000')]));
    await sell(QUARTER);
    await Promise.all([positionId, ...others].map((id) => desk.close(id)));
    await Promise.all([positionId, ...others].map((id) => desk.untilClosed(id)));
    expect(await desk.venuePositions()).to.deep.equal({});
    expect(await desk.unassigned()).to.deep.equal([]);
  });

  it('what was bought outside stays what it is: a close sells the basket alone', async () => {
    await desk.outside({ symbol: 'BTC-PERP', side: 'BUY', quantity: '0.1' });
    await desk.close(positionId);
    await desk.untilClosed(positionId);
    expect(await desk.venuePositions()).to.deep.equal({ 'BTC-PERP': '0.1' });
    const items = await desk.unassigned();
    expect(items.map(({ symbol, source, quantity }) => [symbol, source, quantity])).to.deep.equal([
      ['BTC-PERP', 'OUTSIDE', '0.1'],
    ]);
  });
});

for (const connector of ['paper', 'paper-cross'] as const) {
  describe(`closing baskets whose legs net to less than an order (${connector})${connector === 'paper' ? '' : ' @long'}`, () => {
    const desk = closingDeskForEachTest(connector);
    let first: string;
    let second: string;
    const dust = connector === 'paper' ? '0.03' : '0.02';
    beforeEach(async () => {
      // Legs below the minimum come of rounding and of reductions: bought in one piece, reduced to dust.
      first = await desk.basket([usd('BTC', 'BUY', '20000'), base('SOL', 'BUY', '1')]);
      second = await desk.basket([base('SOL', 'SELL', '1'), usd('ETH', 'BUY', '2000')]);
      await reduce(first, dust);
      await reduce(second, dust);
    });

    const reduce = async (id: string, quantity: string) => {
      const targets = [{ symbol: 'SOL-PERP', quantity }];
      const { execution } = await desk.post(`/positions/${id}/adjust`, { intent: 'REDUCE', targets });
      const ended = await desk.bot.ended(execution.id);
      expect(ended.status, JSON.stringify(ended)).to.equal('COMPLETED');
    };

    it('one closes: what is too small to be sent is shown as dust, in no basket', async () => {
      await desk.close(first);
      await desk.untilClosed(first);
      expect(await desk.venuePositions()).to.have.all.keys('ETH-PERP');
      expect(
        (await desk.unassigned()).map(({ symbol, source, quantity }) => [symbol, source, quantity]),
      ).to.deep.equal([['SOL-PERP', 'DUST', dust]]);
      const legs = (await desk.position(second)).legs;
      const sol = legs.find(({ symbol }: Json) => symbol === 'SOL-PERP').quantity;
      expect(sol, 'the other basket').to.equal(dust);
    });

    it('both close, one after the other, and the account is flat', async () => {
      await desk.close(first);
      await desk.close(second);
      await until(desk.gateway.clock, 'flat', () => desk.isFlat());
    });

    it('close-all closes both at once', async () => {
      const report = await desk.post('/positions/close-all', {});
      expect(report.failures).to.deep.equal([]);
      await until(desk.gateway.clock, 'flat', () => desk.isFlat());
      expect((await desk.fills()).filter(({ cause }) => cause === 'INTERNAL')).to.have.length(2);
    });

    it('panic closes both and says that it is flat @long', async () => {
      await desk.panic();
      await until(desk.gateway.clock, 'flat', () => desk.isFlat());
      const told = await until(desk.gateway.clock, 'panic tells its end', async () =>
        (await desk.notifications()).find(({ category }) => category.startsWith('PANIC')),
      );
      expect(JSON.stringify(told)).to.match(/flat/i);
    });

    it('the stop-loss of one fires', async () => {
      await desk.bot.expect('PUT', `/positions/${first}/brackets`, { stopLoss: STOP });
      await desk.venue.shock('BTC-PERP', 0.9);
      await desk.untilClosed(first);
    });
  });
}

describe('closing baskets that use up the margin', () => {
  const desk = closingDeskForEachTest();
  let long: string;
  let short: string;
  beforeEach(async () => {
    const leverage = { symbol: 'BTC-PERP', leverage: 5, marginMode: 'cross' };
    expect((await desk.bot.call('PUT', '/leverage', leverage)).status).to.equal(200);
    // In steps, each within the margin that the net of both leaves free.
    const half = (side: 'BUY' | 'SELL') => desk.basket([usd('BTC', side, '300000')]);
    long = await half('BUY');
    short = await half('SELL');
    long = await half('BUY');
    short = await half('SELL');
  });

  it('close-all closes both', async () => {
    const report = await desk.post('/positions/close-all', {});
    expect(report.failures).to.deep.equal([]);
    await until(desk.gateway.clock, 'flat', () => desk.isFlat());
  });

  it('panic closes both', async () => {
    await desk.panic();
    await until(desk.gateway.clock, 'flat', () => desk.isFlat());
  });

  it('one alone would be more than the margin bears: refused, with the name of the other', async () => {
    const ended = await desk.close(long);
    expect(ended.status).to.equal('FAILED');
    expect(ended.errorCode).to.equal('INSUFFICIENT_MARGIN');
    expect(JSON.stringify(ended)).to.include(short);
  });
});

describe('what panic says', () => {
  const desk = closingDeskForEachTest();

  const halt = (symbol: string) =>
    desk.venue.setFaults({
      rules: [
        {
          match: { symbol, times: null },
          action: { kind: 'reject', reason: 'not_tradable', message: `${symbol} is halted` },
        },
      ],
    });

  it('a halted leg stays, is named, and is closed when it trades again', async () => {
    await desk.basket([usd('BTC', 'BUY', '2000'), usd('SOL', 'SELL', '2000')]);
    halt('SOL-PERP');
    await desk.panic();
    await until(desk.gateway.clock, 'the other leg is closed', async () => {
      const held = await desk.venuePositions();
      return !('BTC-PERP' in held) && 'SOL-PERP' in held;
    });
    const said = await until(desk.gateway.clock, 'what is left is named', async () => {
      const safety = JSON.stringify(await desk.get('/safety'));
      return safety.includes('SOL-PERP') && safety;
    });
    expect(said).to.not.include('BTC-PERP');
    desk.venue.setFaults({ rules: [] });
    await until(desk.gateway.clock, 'flat', () => desk.isFlat());
  });

  it('it goes on until flat after the venue has refused everything for a while', async () => {
    await desk.basket([usd('BTC', 'BUY', '2000'), usd('SOL', 'SELL', '2000')]);
    desk.venue.setFaults({
      rules: [{ match: { times: 8 }, action: { kind: 'reject', reason: 'other', message: 'not now' } }],
    });
    await desk.panic();
    await until(desk.gateway.clock, 'flat', () => desk.isFlat());
  });

  it('what the venue holds and nobody can explain is named, and is not flat', async () => {
    await desk.basket([usd('BTC', 'BUY', '2000')]);
    const { venue } = desk;
    const real = venue.positions.bind(venue);
    let more = true;
    venue.positions = async (account) => {
      const told = await real(account);
      if (!told.ok || !more || account.tradeAccountId !== desk.bot.accountId) return told;
      const row = { symbol: 'ETH-PERP', quantity: '0.5', entryPrice: '2000' };
      return { ok: true, value: [...told.value, row as (typeof told.value)[number]] };
    };
    await desk.panic();
    const { panic } = await until(desk.gateway.clock, 'it is named', async () => {
      const safety = await desk.get('/safety');
      return safety.panic.left.length === 1 && safety.panic.left[0].symbol === 'ETH-PERP' && safety;
    });
    expect(panic).to.include({ status: 'CLOSING' });
    expect(panic.left[0]).to.include({ source: 'UNEXPLAINED', positionId: null, quantity: '0.5' });
    more = false;
    await until(desk.gateway.clock, 'flat', async () => (await desk.get('/safety')).panic.status === 'FLAT');
  });

  it('resume ends it', async () => {
    await desk.basket([usd('BTC', 'BUY', '2000')]);
    halt('BTC-PERP');
    await desk.panic();
    await desk.post('/safety/resume', undefined, 200);
    desk.venue.setFaults({ rules: [] });
    expect(await desk.venuePositions()).to.have.property('BTC-PERP');
    expect((await desk.get('/safety')).paused).to.equal(false);
  });
});
