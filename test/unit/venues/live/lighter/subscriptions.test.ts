/** Subscriptions at Lighter, which refuses bursts and may acknowledge late, in another order or never. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { MarketUpdate } from '../../../../../gateway/engine/ports/venue.ts';
import { createSubscriptions } from '../../../../../gateway/venues/live/lighter/subscriptions.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { forAllAsync, propertyRuns } from '../../../../support/property-runs.ts';
import { until } from '../../../../support/until.ts';
import type { Emulator } from '../../../../support/venues/lighter/emulator.ts';
import { VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';

const MARKETS = 70;
/** The venue refuses what is beyond 50; a part is left to other programs of the address. */
const MOST_IN_FLIGHT = 35;
const QUOTED_WITHIN_MS = 3_000;

const coin = (index: number) => `X${index}`;

function addMarkets({ script }: Emulator): void {
  for (let index = 0; index < MARKETS; index += 1)
    script.addMarket({
      ...{ index: 500 + index, symbol: coin(index), sizeDecimals: 2, priceDecimals: 3, mark: '50' },
    });
}

describe('subscriptions at Lighter', () => {
  let desk: VenueDesk;
  const quotes = new Map<string, { readonly bid: string; readonly mark: string; readonly at: number }>();

  async function begin(acknowledgedAfterMs: readonly number[]): Promise<void> {
    quotes.clear();
    desk = await VenueDesk.start({
      prepare(emulator) {
        addMarkets(emulator);
        emulator.script.streamFaults({ acknowledgedAfterMs });
      },
    });
    desk.venue.marketStream(({ quotes: told }: MarketUpdate) => {
      for (const { id, bid, mark } of told) quotes.set(id, { bid, mark, at: desk.clock.uptime() });
    });
  }
  afterEach(() => desk.close());

  /** The best bid of the emulator's book, which a bid made up around the middle is not. */
  const hasBest = (index: number) => quotes.get(`${coin(index)}-PERP`)?.bid === '49.995';
  const isFresh = (id: string) =>
    desk.clock.uptime() - (quotes.get(id)?.at ?? Number.NEGATIVE_INFINITY) < QUOTED_WITHIN_MS;
  const all = () => Array.from({ length: MARKETS }, (_, index) => index);
  const refusals = () => desk.warnings(/refuses a stream/);

  it('of more markets than the venue takes at once: none is refused, and every market has its quotes', async function () {
    this.timeout(120_000);
    await begin([400]);
    await until(desk.clock, 'all have their best prices', () => all().every(hasBest), 120_000);
    expect(desk.script.mostInFlight()).to.be.at.most(MOST_IN_FLIGHT);
    expect(refusals()).to.deep.equal([]);
  });

  it('late, in another order and some never: each is asked for again until it is made', async function () {
    this.timeout(120_000);
    await begin([3_000, 50, -1, 1_200, 7_000, 10]);
    await until(desk.clock, 'all have their best prices', () => all().every(hasBest), 300_000);
    expect(desk.script.mostInFlight()).to.be.at.most(50);
    expect(desk.events.filter(({ kind }) => kind === 'order')).to.deep.equal([]);
  });

  it('a market whose subscription is not made is not fresh; it is again when it is @long', async function () {
    this.timeout(120_000);
    await begin([10]);
    await until(desk.clock, 'all have their best prices', () => all().every(hasBest), 120_000);
    const lost = [3, 11, 42];
    desk.script.streamFaults({
      acknowledgedAfterMs: [10],
      lostSubscriptions: lost.map((index) => `ticker:${500 + index}`),
    });
    desk.script.cutStreams();
    await until(desk.clock, 'the venue is away', () => desk.venue.status().status !== 'UP');
    await until(desk.clock, 'the venue is up', () => desk.venue.status().status === 'UP', 60_000);
    await desk.clock.advance(75_000);
    expect(all().filter((index) => !isFresh(`${coin(index)}-PERP`))).to.deep.equal(lost);
    desk.script.streamFaults({});
    await until(
      desk.clock,
      'all are fresh',
      () => all().every((one) => isFresh(`${coin(one)}-PERP`)),
      120_000,
    );
  });
});

describe('subscriptions, whatever the venue acknowledges', () => {
  it('no more are in flight than allowed, none counts as made that is not, and all are in the end', async () => {
    const answer = fc.constantFrom('soon', 'late', 'never', 'refused', 'news') as fc.Arbitrary<
      'soon' | 'late' | 'never' | 'refused' | 'news'
    >;
    await forAllAsync(
      [
        fc.array(answer, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 60_000 }),
      ],
      propertyRuns(200, 12),
      async (answers, count, dropAtMs) => {
        const clock = createFakeClock();
        const made = new Set<string>();
        const atVenue = new Set<string>();
        const inFlight = new Map<string, number>();
        let asked = 0;
        let isUp = true;
        let connection = 0;
        const subscriptions = createSubscriptions({
          clock,
          send(text) {
            if (!isUp) return false;
            const { channel } = JSON.parse(text);
            const one = answers[asked % answers.length];
            // Answers that never come are over after a while: this venue gets better.
            const how = asked > Math.min(400, 10 * count) ? 'soon' : one;
            asked += 1;
            const of = connection;
            inFlight.set(channel, clock.uptime());
            expect([...inFlight.values()].filter((at) => clock.uptime() - at < 5_000).length).to.be.at.most(
              35,
            );
            const acknowledge = () => {
              if (of !== connection) return;
              atVenue.add(channel);
              inFlight.delete(channel);
              subscriptions.heard('subscribed', channel.replaceAll('/', ':'));
            };
            if (how === 'soon') clock.after(20, acknowledge);
            if (how === 'late') clock.after(7_000, acknowledge);
            if (how === 'refused') clock.after(5, () => of === connection && subscriptions.refused());
            if (how === 'news')
              clock.after(9_000, () => {
                if (of !== connection) return;
                atVenue.add(channel);
                subscriptions.heard('update', channel.replaceAll('/', ':'));
              });
            return true;
          },
          takePlace: async () => true,
          countMessage: () => {},
          graceMs: 30_000,
          onMissing: (channel) => expect(atVenue.has(channel)).to.equal(false),
          onMade: (channel) => {
            expect(atVenue.has(channel)).to.equal(true);
            made.add(channel);
          },
        });
        const channels = Array.from({ length: count }, (_, index) => `ticker/${index}`);
        for (const [index, channel] of channels.entries())
          subscriptions.want(channel, () => JSON.stringify({ channel }), index % 7 === 0);
        subscriptions.begin();
        await clock.advance(dropAtMs);
        isUp = false;
        subscriptions.end();
        connection += 1;
        made.clear();
        atVenue.clear();
        inFlight.clear();
        await clock.advance(1_000);
        isUp = true;
        subscriptions.begin();
        await until(clock, 'all are made', () => channels.every((one) => made.has(one)), 3_600_000);
        subscriptions.end();
      },
    );
  });
});
