/** Prices of the stream: the usual message, and the same news written in every other way that is JSON. */
import { expect } from 'chai';
import type { MarketUpdate } from '../../../../../gateway/engine/ports/venue.ts';
import { listingOf } from '../../../../../gateway/venues/live/hyperliquid/listing.ts';
import { MarketData } from '../../../../../gateway/venues/live/hyperliquid/market-data.ts';
import { createStreams, type Streams } from '../../../../../gateway/venues/live/hyperliquid/streams.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { createLiveHarness, type LiveHarness } from '../../../../support/live-harness.ts';
import { silentLogger } from '../../../../support/silent-logger.ts';
import { untilSettled } from '../../../../support/until.ts';

const NO_CONTEXT = { funding: null, openInterest: null, prevDayPx: null, dayNtlVlm: null };

describe('Hyperliquid: prices of the stream', () => {
  const clock = createFakeClock();
  let harness: LiveHarness;
  let streams: Streams;
  let market: MarketData;
  let updates: MarketUpdate[];

  before(async () => {
    harness = await createLiveHarness();
    market = new MarketData('hyperliquid', clock);
    streams = createStreams({
      ...{ url: harness.wsUrl, clock, market, sessionOf: () => undefined },
      logger: silentLogger,
      note: () => {},
      onUp: () => {},
      onDown: () => {},
      onCount: () => {},
    });
    streams.start();
    await untilSettled('it is up', () => harness.sockets.size === 1 && streams.up);
  });
  after(async () => {
    streams.close();
    await harness.stop();
  });
  beforeEach(() => {
    market.use(
      listingOf('hyperliquid', {
        universe: [
          { name: 'BTC', szDecimals: 5, maxLeverage: 40, marginTableId: null },
          { name: 'kPEPE', szDecimals: 0, maxLeverage: 10, marginTableId: null },
        ],
      }),
    );
    market.takeContexts(
      ['100', '0.01'].map((px) => ({ ...NO_CONTEXT, oraclePx: px, markPx: px, midPx: px })),
    );
    market.tellNow();
    updates = [];
    market.follow((update) => updates.push(update));
    updates = [];
  });

  /** Update of an instrument after the message; null: none. */
  async function told(message: string, id = 'BTC-PERP'): Promise<(string | undefined)[] | null> {
    harness.broadcast(message);
    // Whatever becomes of the message, what comes after it is heard after it.
    harness.broadcast('{"channel":"bbo","data":{"coin":"kPEPE","time":1,"bbo":[null,null]}}');
    await untilSettled('the next message is taken', () => {
      market.tellNow();
      return updates.some(({ quotes }) => quotes.some((quote) => quote.id === 'PEPE-PERP'));
    });
    const quote = updates.flatMap(({ quotes }) => quotes).find((one) => one.id === id);
    return quote === undefined ? null : [quote.bid, quote.ask];
  }
  const level = (px: string) => ({ px, sz: '1.5', n: 2 });
  const bbo = (coin: string, bid: object | null, ask: object | null) =>
    JSON.stringify({ channel: 'bbo', data: { coin, time: 1_700_000_000_000, bbo: [bid, ask] } });

  const same: Record<string, string> = {
    'as the venue writes it': bbo('BTC', level('99.5'), level('100.5')),
    'with zeros at the end': bbo('BTC', level('99.50'), level('100.500')),
    'with spaces': JSON.stringify(JSON.parse(bbo('BTC', level('99.5'), level('100.5'))), null, 2),
    'with other fields':
      '{"channel":"bbo","data":{"coin":"BTC","time":1,"bbo":[{"px":"99.5","sz":"1","n":1,"x":0},{"px":"100.5"}],"y":0}}',
    'in another order':
      '{"data":{"bbo":[{"n":1,"px":"99.5"},{"n":1,"px":"100.5"}],"coin":"BTC"},"channel":"bbo"}',
  };
  for (const [how, message] of Object.entries(same))
    it(how, async () => {
      expect(await told(message)).to.deep.equal(['99.5', '100.5']);
    });

  it('where nobody offers, a price next to the middle', async () => {
    expect(await told(bbo('BTC', null, level('100.5')))).to.deep.equal(['99.9', '100.5']);
    updates = [];
    expect(await told(bbo('BTC', level('99.5'), null))).to.deep.equal(['99.5', '100.1']);
  });

  it('in the venue’s units: a thousand in one', async () => {
    harness.broadcast(bbo('kPEPE', level('0.0095'), level('0.0105')));
    await untilSettled('it is told', () => {
      market.tellNow();
      return updates.some(({ quotes }) => quotes.some(({ bid }) => bid === '0.0000095'));
    });
  });

  it('the same price again is news of its age', async () => {
    const message = bbo('BTC', level('99.5'), level('100.5'));
    await told(message);
    updates = [];
    expect(await told(message)).to.deep.equal(['99.5', '100.5']);
  });

  for (const price of ['-1', '1e5', 'NaN', '', '1.'])
    it(`the price "${price}" is none`, async () => {
      expect(await told(bbo('BTC', level(price), level('100.5')))).to.equal(null);
    });

  it('of a coin that is not listed nothing is told', async () => {
    expect(await told(bbo('NEW', level('1'), level('2')))).to.equal(null);
  });
});
