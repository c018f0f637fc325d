/** The emulated venue's answers have the fields of the recorded ones, of the same kinds. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { openForSuite } from '../../../../support/open-for-tests.ts';
import { startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { REFUSALS } from '../../../../support/venues/hyperliquid/state/refusals.ts';
import { cloidOf, Trader } from '../../../../support/venues/hyperliquid/trader.ts';
import { expectSameShape as expectShape } from '../../../../support/venues/shared/recordings.ts';
import type { Answer } from '../../../../support/venues/shared/socket-listener.ts';

const MASTER = '0x00000000000000000000000000000000000000aa';
const ETH = 1;

function recorded(file: string): Answer {
  const folder = resolve(import.meta.dirname, '../../../../data/live/hyperliquid');
  return JSON.parse(readFileSync(resolve(folder, file), 'utf8'));
}

/** Fields that venue has dropped since the recording, or that only some answers have. */
const OPTIONAL = new Set(['maxTradeSzs', 'builderFee', 'liquidation']);

const expectSameShape = (ours: Answer, theirs: Answer, where: string) =>
  expectShape(ours, theirs, where, OPTIONAL);

describe('emulated Hyperliquid beside recorded answers', () => {
  const clock = createFakeClock();
  let trader: Trader;

  const venue = openForSuite(() =>
    startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }], pulseMs: 0 }),
  );
  before(async () => {
    trader = new Trader(venue.url, `0x${'11'.repeat(32)}`, clock);
    venue.script.addAgent(MASTER, trader.address);
    await trader.order([
      { asset: ETH, px: '4040', sz: '1', cloid: cloidOf(1) },
      { asset: ETH, px: '3000', sz: '1', tif: 'Gtc' },
      { asset: ETH, px: '4040', sz: '0.0001' },
    ]);
    venue.script.settleFunding();
  });

  const answered = [
    'extraAgents',
    'userRateLimit',
    'historicalOrders',
    'userFunding',
    'clearinghouseState',
  ].concat(['frontendOpenOrders', 'userFills', 'userFillsByTime', 'meta', 'userRole']);
  for (const type of answered) {
    it(`info: ${type}`, async () => {
      const { interactions } = recorded('recorded-info.json');
      const { request, response } = interactions.find((one: Answer) => one.request.type === type);
      const { user: _, endTime: __, ...rest } = request;
      const asked = type === 'meta' ? {} : { ...rest, user: MASTER };
      expectSameShape(await trader.info(type, asked), response, type);
    });
  }

  it('exchange: filled, resting, refused, cancelled, and refused as a whole', async () => {
    const { items } = recorded('recorded-orders.json');
    const what = (part: string) => items.find((item: Answer) => item.what.startsWith(part)).response;
    const filled = await trader.act(orderOf('4040', 'Ioc'));
    expectSameShape(filled, what('order, IOC filled'), 'filled');
    const resting = await trader.act(orderOf('3000', 'Gtc'));
    expectSameShape(resting, what('order: resting'), 'resting');
    const { oid } = resting.response.data.statuses[0].resting;
    const cancel = { type: 'cancel', cancels: [oid, oid].map((o: number) => ({ a: ETH, o })) };
    const [theirs, ours] = [what('cancel'), await trader.act(cancel)];
    expectSameShape(ours, theirs, 'cancel');
    expect(ours.response.data.statuses[0]).to.equal(theirs.response.data.statuses[0]);
    expect(ours.response.data.statuses[1].error).to.equal(
      `${theirs.response.data.statuses[1].error} asset=1`,
    );
    const stranger = new Trader(venue.url, `0x${'99'.repeat(32)}`, clock);
    const refused = await stranger.act({ type: 'noop' });
    const words = what('the whole request').response;
    expect(refused.response).to.equal(words.replace(/0x\w+/, stranger.address));
    const unknown = await trader.info('orderStatus', { user: MASTER, oid: 1 });
    expect(unknown).to.deep.equal(what('orderStatus'));
  });

  it('refuses orders in the words that are known of the venue', () => {
    const { errors, statuses } = recorded('order-statuses.json');
    const ours = Object.entries(REFUSALS)
      .filter(([name]) => !['halted', 'duplicate', 'expired', 'oracle'].includes(name))
      .map(([, { text }]) => text);
    expect(Object.keys(errors)).to.include.members(ours);
    const states = Object.values(REFUSALS).map(({ status }) => status);
    expect(Object.keys(statuses)).to.include.members(states.filter((status) => status !== 'rejected'));
  });

  function orderOf(p: string, tif: string) {
    const leg = { a: ETH, b: true, p, s: '0.1', r: false, t: { limit: { tif } } };
    return { type: 'order', orders: [leg], grouping: 'na' };
  }
});
