/** Nonces of a key at Hyperliquid: each is used once, however many orders leave and whatever the clock does. */
import { expect } from 'chai';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { whileTimePasses } from '../../../../support/until.ts';
import { VenueDesk } from '../../../../support/venues/hyperliquid/venue-desk.ts';

describe('nonces at an emulated Hyperliquid', () => {
  const desk = openForEachTest(() => VenueDesk.start({ pulseMs: 200 }));

  for (const count of [100, 1_000])
    it(`${count} sends in parallel have ${count} nonces, also while the clock steps back 10 s${count === 100 ? '' : ' @long'}`, async function () {
      this.timeout(60_000);
      const sends: ReturnType<VenueDesk['place']>[] = [];
      for (let index = 0; index < count; index += 1) {
        if (index === count * 0.4) {
          desk.clock.jump(-10_000);
          // The venue's clock goes on.
          desk.script.setClockOffset(10_000);
        }
        const order = desk.order({ expiresAt: desk.clock.now() + 50_000 });
        sends.push(desk.adapter.placeBatch(desk.test.account, [order]));
      }
      const outcomes = (await whileTimePasses(desk.clock, Promise.all(sends))).flat();
      const nonces = desk.script
        .sentContaining('"nonce":')
        .flatMap((text) => [...text.matchAll(/"nonce":(\d+)/g)].map(([, nonce]) => Number(nonce)));
      expect(nonces.length).to.be.at.least(count);
      expect(new Set(nonces).size).to.equal(nonces.length);
      for (const one of outcomes) expect(one.kind, JSON.stringify(one)).to.be.oneOf(['done', 'not_sent']);
    });
});
