/** Traffic to Lighter, byte by byte: nobody else's fee or number, no key, and tokens in no address. */
import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { refOf, VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';

describe('what leaves for Lighter', () => {
  it('holds no integrator, no key, no token in an address, and goes to the venue alone', async () => {
    const settings = new Map<string, string>();
    const bytes: Buffer[] = [];
    const desk = await VenueDesk.start({ settings, tap: (chunk) => bytes.push(chunk) });
    try {
      const { venue, test } = desk;
      await venue.checkCredentials?.(test.access);
      const basket = desk.basket();
      await desk.place(...basket);
      for (const order of basket) await desk.ended(order);
      const resting = desk.order({ timeInForce: 'GTC', limitPrice: '90000' });
      await desk.placeOne(resting);
      await until(desk.clock, 'it rests', () => desk.told(resting)?.kind === 'resting');
      await venue.cancel(test.account, refOf(resting));
      await venue.setLeverage(test.account, { symbol: 'SOL-PERP', leverage: 2, marginMode: 'cross' });
      await venue.history(test.account, await desk.cursor());
      await venue.openOrders(test.account);
      await desk.lookUp(...basket);
      await venue.check?.(
        { account: test.account, access: test.access },
        () => {},
        () => {},
      );
      const sent = decodeURIComponent(Buffer.concat(bytes).toString('latin1'));
      expect(sent).to.include('sendTxBatch').and.to.include('ClientOrderIndex');
      for (const foreign of [
        'integrator',
        'referr',
        'broker',
        'builder',
        'user-agent',
        'L2TxAttributes":{',
        '\\"1\\":',
      ])
        expect(sent.toLowerCase().includes(foreign.toLowerCase()), foreign).to.equal(false);
      const key = test.key.privateKey;
      expect(sent.includes(key), 'the private key').to.equal(false);
      expect([...settings.values()].join().includes(key), 'the private key on disk').to.equal(false);
      expect(
        desk.logger.lines
          .map((line) => JSON.stringify(line))
          .join()
          .includes(key),
        'in the log',
      ).to.equal(false);
      const lines = sent.split('\r\n');
      const requests = lines.filter((line) => /^(GET|POST) /.test(line));
      expect(requests.length).to.be.greaterThan(10);
      for (const line of requests)
        expect(line).to.match(/^(GET|POST) \/(api\/v1\/[A-Za-z]+)?(\?[^ ]*)? HTTP/);
      for (const line of requests) expect(line).to.not.match(/auth/i);
      const hosts = new Set(lines.filter((line) => /^host:/i.test(line)).map((line) => line.slice(5).trim()));
      expect([...hosts]).to.deep.equal([new URL(desk.emulator.url).host]);
    } finally {
      await desk.close();
    }
  });
});
