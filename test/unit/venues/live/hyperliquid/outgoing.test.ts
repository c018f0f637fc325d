/** Traffic to the venue: nobody else's fee, no key, every nonce once. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { OrderOutcome, PlaceOrder, Venue } from '../../../../../gateway/engine/ports/venue.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { whileTimePasses } from '../../../../support/until.ts';
import { accountAt, adapterAt } from '../../../../support/venues/hyperliquid/adapter.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { inTime } from '../../../../support/venues/shared/in-time.ts';
import { memoryHost, untilUp } from '../../../../support/venues/shared/memory-host.ts';
import type { TestAccount } from '../../../../support/venues/shared/venue-desk.ts';

describe('what leaves for Hyperliquid', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let adapter: Venue;
  /** The adapter; calls move time until they are answered. */
  let venue: Venue;
  let test: TestAccount;
  let offsetMs: number;
  let bytes: Buffer[];
  const settings = new Map<string, string>();

  beforeEach(async () => {
    offsetMs = 0;
    bytes = [];
    settings.clear();
    emulator = await startEmulator({ clock, pulseMs: 200 });
    const own = { ...clock, now: () => clock.now() + offsetMs };
    adapter = adapterAt(emulator.url, memoryHost(own, settings), (chunk) => bytes.push(chunk));
    venue = inTime(clock, adapter);
    await venue.start();
    await untilUp(clock, venue);
    test = accountAt(emulator);
    const opened = await venue.openAccount(test.account, test.access);
    expect(opened.ok).to.equal(true);
  });
  afterEach(async () => {
    await venue.stop();
    await emulator.close();
    // Checked after every test here, whatever it did.
    const sent = Buffer.concat(bytes).toString('latin1');
    expect(sent).to.include('exchange');
    for (const foreign of ['builder', 'referrer', 'approveBuilderFee', 'setReferrer'])
      expect(sent.includes(foreign), foreign).to.equal(false);
    const key = String(test.access.credentials['agentPrivateKey']).slice(2);
    expect(sent.includes(key), 'the private key').to.equal(false);
    expect([...settings.values()].join().includes(key), 'the private key on disk').to.equal(false);
  });

  const order = (change: Partial<PlaceOrder> = {}): PlaceOrder => ({
    clientOrderId: `0x${randomBytes(16).toString('hex')}`,
    ...{ symbol: 'BTC-PERP', side: 'BUY', quantity: '0.001', limitPrice: '101000' },
    ...{ timeInForce: 'IOC', reduceOnly: false, expiresAt: clock.now() + offsetMs + 5_000 },
    ...change,
  });
  for (const count of [100, 1_000])
    it(`${count} sends in parallel have ${count} nonces, also while the clock steps back 10 s${count === 100 ? '' : ' @long'}`, async function () {
      this.timeout(60_000);
      const sends: Promise<readonly OrderOutcome[]>[] = [];
      for (let index = 0; index < count; index += 1) {
        if (index === count * 0.4) offsetMs = -10_000;
        sends.push(adapter.placeBatch(test.account, [order({ expiresAt: clock.now() + 50_000 })]));
      }
      const outcomes = (await whileTimePasses(clock, Promise.all(sends))).flat();
      const nonces = [
        ...Buffer.concat(bytes)
          .toString('latin1')
          .matchAll(/"nonce":(\d+)/g),
      ].map(([, nonce]) => Number(nonce));
      expect(nonces.length).to.be.at.least(count);
      expect(new Set(nonces).size).to.equal(nonces.length);
      for (const one of outcomes) expect(one.kind, JSON.stringify(one)).to.be.oneOf(['done', 'not_sent']);
    });

  it('quantities and prices of kPEPE count single PEPE here', async () => {
    const instrument = venue.instruments().find(({ id }) => id === 'PEPE-PERP');
    expect(instrument?.stepSize).to.equal('1000');
    const one = order({ symbol: 'PEPE-PERP', quantity: '2000000', limitPrice: '0.0000127' });
    const [outcome] = await venue.placeBatch(test.account, [one]);
    expect(outcome).to.include({ kind: 'done', state: 'filled', filledQuantity: '2000000' });
    const ref = { clientOrderId: one.clientOrderId, venueOrderId: null, sent: null };
    const found = await venue.ordersByClientIds(test.account, [ref]);
    const [lookup] = found.ok ? found.value : [];
    const [fill] = lookup?.kind === 'done' ? lookup.fills : [];
    expect(lookup).to.include({ filledQuantity: '2000000' });
    expect(fill).to.include({ quantity: '2000000' });
    expect(Number(fill?.price)).to.be.within(0.0000124, 0.0000127);
    const positions = await venue.positions(test.account);
    expect(positions.ok ? positions.value[0] : null).to.include({ symbol: 'PEPE-PERP', quantity: '2000000' });
  });
});
