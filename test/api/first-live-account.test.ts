/** A first account at an emulated venue, through the composed gateway: connected, armed, traded, closed, found again. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { addressOf, toHex } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { lighter } from '../../gateway/venues/live/lighter/connector.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import type { TestAnswer } from '../support/gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import * as hyperliquidVenue from '../support/venues/hyperliquid/emulator.ts';
import { accountAt, KEY_INDEX } from '../support/venues/lighter/adapter.ts';
import * as lighterVenue from '../support/venues/lighter/emulator.ts';
import { makeKey } from '../support/venues/lighter/trader.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';
import { LiveAccountBase, LiveUser } from '../support/venues/shared/live-account.ts';
import type { AnyEmulator } from '../support/venues/shared/start-emulator.ts';

/** A venue with one funded account that no gateway knows yet. */
interface Venue {
  readonly emulator: AnyEmulator;
  readonly connector: string;
  readonly plug: unknown;
  readonly settings: Record<string, string>;
  readonly credentials: object;
  /** Credentials that are refused, each with the reason, and a kind of request that they do not cause. */
  readonly wrong: readonly (readonly [credentials: object, reason: RegExp, unasked?: string])[];
  /** The key may trade from now on. */
  readonly allow: () => void;
  readonly tradeElsewhere: () => void;
  readonly positions: () => readonly unknown[];
  /** Requests that opened the basket: orders, and lookups of them. */
  readonly requests: (counts: Record<string, number>) => readonly number[];
  readonly expectOwnTraffic: (sent: string) => void;
}

async function hyperliquidWith(clock: FakeClock): Promise<Venue> {
  const emulator = await hyperliquidVenue.startEmulator({ clock, pulseMs: 200 });
  const { script, url } = emulator;
  const [main, agent] = [randomBytes(32), randomBytes(32)];
  const accountAddress = addressOf(main);
  script.addAccount({ address: accountAddress, deposit: '10000' });
  const credentials = { accountAddress, agentPrivateKey: toHex(agent) };
  return {
    ...{ emulator, connector: 'hyperliquid', plug: hyperliquid, settings: { hyperliquidUrl: url } },
    credentials,
    wrong: [
      [{ ...credentials, agentPrivateKey: toHex(main) }, /withdraw everything/],
      [credentials, /not know this key as an agent/],
    ],
    allow: () => script.addAgent(accountAddress, addressOf(agent)),
    tradeElsewhere: () => script.tradeElsewhere(accountAddress, 'SOL', 'buy', '1.5', '200'),
    positions: () => script.state(accountAddress).positions,
    requests: (counts) => [counts['order'] ?? 0, 0],
    expectOwnTraffic: (sent) => expect(sent.toLowerCase()).to.not.include('builder'),
  };
}

async function lighterWith(clock: FakeClock): Promise<Venue> {
  const emulator = await lighterVenue.startEmulator({ clock, pulseMs: 200 });
  const { script, url } = emulator;
  const { index, key, access } = accountAt(emulator, { collateral: '10000' });
  const { credentials } = access;
  const stranger = makeKey('somebody else').privateKey;
  return {
    ...{ emulator, connector: 'lighter', plug: lighter, settings: { lighterUrl: url } },
    credentials,
    wrong: [
      [{ ...credentials, apiKeyIndex: 2 }, /belong to the venue's own programs/, 'apikeys'],
      [{ ...credentials, apiPrivateKey: stranger }, /another key under index 5/],
      [{ ...credentials, apiKeyIndex: 6 }, /no API key 6/],
      [{ ...credentials, accountIndex: 999_999 }, /no account of this number/],
    ],
    allow: () => undefined,
    tradeElsewhere: () => script.tradeElsewhere(index, 'SOL', 'buy', '1.5', '200'),
    positions: () => script.state(index).positions,
    requests: (counts) => [counts['sendTxBatch createOrder'] ?? 0, counts['accountOrders'] ?? 0],
    expectOwnTraffic(sent) {
      expect(sent).to.include('ClientOrderIndex');
      expect(sent).to.match(new RegExp(`ApiKeyIndex\\\\?":${KEY_INDEX},`));
      expect(sent.toLowerCase()).to.not.include('integrator');
      expect(sent).to.not.match(/L2TxAttributes\\*":\{/);
      expect(sent).to.not.include(key.privateKey);
    },
  };
}

const BASKET = [
  ['BTC', 'BUY', '50'],
  ['ETH', 'SELL', '50'],
] as const;

for (const [name, make] of [
  ['Hyperliquid', hyperliquidWith],
  ['Lighter', lighterWith],
] as const)
  describe(`API: ${name}, emulated`, () => {
    const clock = createFakeClock();
    let venue: Venue;
    let live: LiveUser;
    let bot: LiveAccountBase;

    before(async function () {
      this.timeout(20_000);
      venue = await make(clock);
      const { plug, settings, connector } = venue;
      const dataDir = await temporaryFolder();
      const gateway = await startGatewayWithVenue(clock, plug, settings, { dataDir });
      live = new LiveUser(gateway, (await gateway.register()).accessToken, connector);
    });
    after(async () => {
      await live.gateway.close();
      await venue.emulator.close();
    });
    const connect = (credentials: object): Promise<TestAnswer> =>
      live.ask('POST', '/trade-accounts', { alias: 'Main', connector: venue.connector, credentials });

    it('is not in use, and disturbs nobody, until an account is connected', async () => {
      const override = venue.emulator.url;
      expect(await live.status()).to.include({ mode: 'LIVE', network: 'mainnet', inUse: false, override });
      await live.gateway.expect('GET', '/ready');
      expect(venue.emulator.script.traffic().counts).to.deep.equal({});
    });

    it('refuses credentials that are not those of a key which may trade for the account, with the reason', async () => {
      for (const [credentials, reason, unasked = 'anything'] of venue.wrong) {
        const { status, text } = await connect(credentials);
        expect(status, text).to.equal(400);
        expect(text).to.match(reason);
        expect(venue.emulator.script.traffic().counts).to.not.have.property(unasked);
      }
    });

    it('connects with its key, takes what the account holds as its baseline, and opens nothing before it is armed', async () => {
      venue.allow();
      venue.tradeElsewhere();
      const made = await connect(venue.credentials);
      expect(made.status, made.text).to.equal(201);
      bot = new LiveAccountBase(live, made.json.id);
      await live.untilStatus('UP');
      const unassigned = await live.until('the baseline is recorded', async () => {
        const { text } = await bot.ask('GET', '/positions/unassigned');
        return text.includes('SOL-PERP') ? text : null;
      });
      expect(unassigned).to.include('1.5');
      const fills = await bot.fills();
      expect(fills).to.have.length(1);
      expect(fills[0]).to.include({ cause: 'BASELINE', symbol: 'SOL-PERP', quantity: '1.5', fee: '0' });
      const refused = await bot.tryOpen(BASKET);
      expect(refused.status, refused.text).to.equal(409);
    });

    it('armed, opens a basket with one request, settles it without a lookup, and closes it again', async () => {
      const terms = { alias: 'Main', perOrderUsd: '100', totalUsd: '500' };
      await bot.expect('PUT', `/trade-accounts/${bot.id}/arming`, terms, 200);
      // Connecting has used most of what the venue lets an address ask in a minute.
      await clock.advance(20_000);
      venue.emulator.script.clearTraffic();
      const end = await bot.open(BASKET);
      expect(end, JSON.stringify(end)).to.include({ status: 'COMPLETED' });
      expect(venue.requests(venue.emulator.script.traffic().counts)).to.deep.equal([1, 0]);
      expect(venue.positions()).to.have.length(3);
      await bot.close(end.positionId);
      expect(venue.positions()).to.have.length(1);
      expect((await bot.sync()).status).to.equal(200);
    });

    it('finds everything again after a restart, and orders of the run before keep their names', async () => {
      await live.gateway.restart();
      await live.untilStatus('UP');
      const opened = await live.until('it opens', async () => {
        const answer = await bot.tryOpen(BASKET);
        return answer.status === 202 ? answer : null;
      });
      expect(await bot.ended(opened.json.execution.id)).to.include({ status: 'COMPLETED' });
      expect(await bot.unexplained()).to.deep.equal([]);
    });

    it('sends nobody else’s number or fee, and no key', () => {
      venue.expectOwnTraffic(venue.emulator.script.sent().map(decodeURIComponent).join('\n'));
    });
  });
