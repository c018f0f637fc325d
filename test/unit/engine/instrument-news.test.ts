/** News of instruments that their venue restricts: who is told, of what, and that nobody is told twice. */

import { expect } from 'chai';
import type { Instrument, Tradeability } from '../../../gateway/domain/model.ts';
import { tellInstrumentNews } from '../../../gateway/engine/notices/instrument-news.ts';
import type { InstrumentsChange } from '../../../gateway/engine/ports/market.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('news of instruments', () => {
  const desk = engineDeskForEachTest();
  let listed: readonly Instrument[];
  let tell: (change: InstrumentsChange) => void;
  let stop = () => {};

  beforeEach(async () => {
    listed = desk.engine.accept.market.instruments('scripted');
    follow();
  });
  afterEach(async () => {
    stop();
  });

  function follow(): void {
    stop();
    const market = {
      ...desk.engine.accept.market,
      instruments: () => listed,
      onInstruments(listener: typeof tell) {
        tell = listener;
        return () => {};
      },
    };
    stop = tellInstrumentNews({ ...desk.engine.accept, market }, ['scripted'], () => [desk.account]);
  }
  function change(id: string, over: Partial<Instrument>): void {
    const before = listed.find((one) => one.id === id);
    if (before === undefined) throw new Error(`no ${id}`);
    const after = { ...before, ...over };
    listed = listed.map((one) => (one.id === id ? after : one));
    tell({ connector: 'scripted', changed: [{ before, after }], gone: [] });
  }
  const turn = (id: string, status: Tradeability['status'], reason: string | null = null) =>
    change(id, { tradeability: { status, reason } });
  const told = async () => {
    await desk.quiet();
    return (await notificationsOf(desk)).filter(({ category }) => category === 'INSTRUMENT_RESTRICTED');
  };
  const reasons = async () => (await told()).map(({ parameters }) => parameters.reason);

  it('are told to whom holds it, with the basket; each step towards less is one more', async () => {
    const { positionId } = await desk.opened([
      leg('AAA', 'BUY', '2', 'BASE'),
      leg('BBB', 'SELL', '3', 'BASE'),
    ]);
    turn('AAA-PERP', 'reduce_only', 'it is to be delisted');
    turn('CCC-PERP', 'not_tradable');
    turn('AAA-PERP', 'not_tradable');
    expect(await reasons()).to.deep.equal([
      'AAA-PERP takes only orders that reduce a position (it is to be delisted). Baskets: long AAA / short BBB',
      'AAA-PERP cannot be traded any more. Baskets: long AAA / short BBB',
    ]);
    expect((await told())[0]?.parameters).to.deep.include({
      positionId,
      tradeAccountId: desk.account.id,
      connector: 'scripted',
    });
  });

  it('are not told when it is tradable again, has other rules, or was always so', async () => {
    await desk.opened([leg('AAA', 'BUY', '2', 'BASE')]);
    turn('AAA-PERP', 'tradable');
    change('AAA-PERP', { maxLeverage: 2 });
    const [known] = listed;
    if (known === undefined) throw new Error('no instruments');
    const after: Instrument = { ...known, tradeability: { status: 'not_tradable', reason: null } };
    tell({ connector: 'scripted', changed: [{ before: undefined, after }], gone: [] });
    expect(await told()).to.deep.equal([]);
  });

  it('of a delisting with a date are told a day before, once, also after a restart', async () => {
    await desk.opened([leg('AAA', 'BUY', '2', 'BASE')]);
    const delistsAt = Math.floor(desk.clock.now() / DAY_MS) * DAY_MS + 3 * DAY_MS;
    change('AAA-PERP', { delistsAt });
    expect(await told()).to.deep.equal([]);
    await desk.clock.advance(delistsAt - DAY_MS - desk.clock.now() - 1);
    expect(await told()).to.deep.equal([]);
    await desk.clock.advance(1);
    const day = new Date(delistsAt).toISOString().slice(0, 10);
    const sentence = `The venue delists AAA-PERP on ${day} at 00:00 UTC. Baskets: long AAA`;
    expect(await reasons()).to.deep.equal([sentence]);
    await desk.clock.advance(HOUR_MS);
    change('AAA-PERP', { maxLeverage: 2 });
    follow();
    await desk.clock.advance(HOUR_MS);
    expect(await reasons()).to.deep.equal([sentence]);
  });
});
