/** A venue process killed at no particular moment, several times over: what it had answered is there when it is back. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import { limitPrice } from '../../gateway/domain/price-rules.ts';
import type { MarketUpdate, OrderOutcome, PlaceOrder } from '../../gateway/engine/ports/venue.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { PAPER_PROFILES } from '../../gateway/venues/paper/market/profile.ts';
import { createRemotePaperVenue } from '../../gateway/venues/paper/process/remote.ts';
import { lookUp } from '../support/order-lookup.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { startSim } from '../support/sim-client.ts';

const ACCOUNT = { tradeAccountId: 'ta-1', exchangeIdentifier: 'paper-1' };
const KILLS = 3;
const BATCHES_UNDER_WAY = 16;

describe('paper venue process, killed', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-kill-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('has every order it answered, once, and its positions are the sum of its fills', async () => {
    const answered = new Map<string, OrderOutcome>();
    const sent = new Set<string>();
    let made = 0;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const sim = await startSim({ dataDir, seed: 5 });
      const venue = createRemotePaperVenue({
        host: '127.0.0.1',
        port: sim.port,
        connector: 'paper',
        profile: PAPER_PROFILES.frictionless,
        clock: systemClock,
        logger: silentLogger,
      });
      await venue.start();
      await venue.openAccount(ACCOUNT);
      for (const [clientOrderId, outcome] of answered) {
        const found = await lookUp(venue, ACCOUNT, clientOrderId);
        expect(found.ok && found.value).to.deep.equal(outcome);
      }
      const inspector = await sim.inspect();
      const fills = await inspector.fills(ACCOUNT);
      expect(new Set(fills.map(({ tradeId }) => tradeId)).size).to.equal(fills.length);
      for (const { clientOrderId } of fills) expect(sent.has(clientOrderId ?? '')).to.equal(true);
      const positions = await venue.positions(ACCOUNT);
      for (const { symbol, quantity } of positions.ok ? positions.value : []) {
        const ofSymbol = fills.filter((fill) => fill.symbol === symbol);
        const net = sum(ofSymbol.map((fill) => dec(fill.quantity).mul(fill.side === 'BUY' ? 1 : -1)));
        expect(quantity).to.equal(text(net));
      }
      inspector.close();

      const updates: MarketUpdate[] = [];
      venue.marketStream((update) => updates.push(update))();
      const listed = venue.instruments().slice(0, 4);
      const batch = (): PlaceOrder[] =>
        listed.map((instrument) => {
          made += 1;
          const side = made % 3 === 0 ? 'SELL' : 'BUY';
          const mark = dec(updates[0]?.quotes.find(({ id }) => id === instrument.id)?.mark ?? '0');
          const step = dec(instrument.stepSize);
          const clientOrderId = `k-${made}`;
          sent.add(clientOrderId);
          return {
            clientOrderId,
            symbol: instrument.id,
            side,
            quantity: text(dec(30).div(mark).div(step).ceil().mul(step)),
            limitPrice: text(limitPrice(mark, side, dec('0.02'), instrument)),
            timeInForce: 'IOC',
            reduceOnly: false,
            expiresAt: systemClock.now() + 60_000,
          };
        });
      let unknowns = 0;
      const trade = async () => {
        while (unknowns === 0) {
          for (const outcome of await venue.placeBatch(ACCOUNT, batch())) {
            if (outcome.kind === 'unknown') unknowns += 1;
            else answered.set(outcome.clientOrderId, outcome);
          }
        }
      };
      const trading = Array.from({ length: BATCHES_UNDER_WAY }, trade);
      while (answered.size < 60 * (kill + 1)) await systemClock.sleep(1);
      await sim.stop('SIGKILL');
      await Promise.all(trading);
      await venue.stop();
      expect(unknowns).to.be.above(0);
    }
  });
});
