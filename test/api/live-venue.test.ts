/** A venue that is plugged in with credentials, through the composed gateway: listed, connected, traded on, found again. */
import { expect } from 'chai';
import { listConnectors } from '../../gateway/contract/market.ts';
import { tradeAccount } from '../../gateway/contract/trade-accounts.ts';
import { fail, ok } from '../../gateway/domain/result.ts';
import type { CredentialField, Venue, VenueCredentials } from '../../gateway/engine/ports/venue.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import type { VenuePlug } from '../../gateway/venues/venue-plug.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createMarketVenue, type MarketVenue, perp } from '../support/market-venue.ts';
import { createScriptedVenue, type ScriptedVenue } from '../support/scripted-venue.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET = 'open sesame';
const FIELDS: CredentialField[] = [
  {
    name: 'apiSecret',
    label: 'API secret',
    kind: 'text',
    secret: true,
    required: true,
    hint: 'Page API keys',
  },
];
const BASKET = {
  type: 'MARKET',
  legs: [
    { symbol: 'AAA-PERP', side: 'BUY', mode: 'USD', amount: '500' },
    { symbol: 'BBB-PERP', side: 'SELL', mode: 'USD', amount: '500' },
  ],
};

describe('API: a live venue', () => {
  const clock = createFakeClock();
  let dataDir: string;
  let gateway: TestGateway;
  let market: MarketVenue;
  let scripted: ScriptedVenue;
  let opened: (VenueCredentials | undefined)[];
  let headers: Record<string, string>;

  function liveVenue(): Venue {
    const { instruments, marketStream, status, onStatus, start, stop } = market;
    return {
      ...scripted,
      ...{ instruments, marketStream, status, onStatus, start, stop },
      info: { ...scripted.info, mode: 'LIVE', credentials: FIELDS },
      async checkCredentials({ credentials: { apiSecret } }) {
        if (apiSecret === SECRET) return ok({ exchangeIdentifier: 'desk-7', expiresAt: null, warnings: [] });
        return fail({ kind: 'refused', path: 'apiSecret', message: 'Not known here' });
      },
      async openAccount(_, access) {
        opened.push(access?.credentials);
        return ok(undefined);
      },
    };
  }

  async function start(): Promise<void> {
    opened = [];
    scripted = createScriptedVenue(clock);
    const instruments = ['AAA', 'BBB', 'CCC'].map((symbol) => perp('scripted', symbol));
    market = createMarketVenue({ id: 'scripted', clock, instruments, price: '100' });
    const plug: VenuePlug = {
      connectors: ['scripted'],
      settings: {},
      sources: [],
      load: async () => undefined,
      create: async () => [liveVenue()],
    };
    gateway = await startTestGateway({
      dataDir,
      clock,
      settings: { allowFileVault: true },
      overrides: { venues: [paper, plug] },
    });
  }

  const connect = (credentials: object) =>
    gateway.request('POST', '/trade-accounts', {
      headers,
      body: { alias: 'Live', connector: 'scripted', credentials },
    });

  before(async () => {
    dataDir = await temporaryFolder();
    await start();
    headers = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
  });
  after(() => gateway.close());

  it('is listed with the fields that it asks for; a paper one asks for none', async () => {
    const answer = await gateway.request('GET', '/connectors');
    const { connectors } = listConnectors.success[200].parse(answer.json);
    expect(connectors.map(({ id, mode, credentials }) => [id, mode, credentials])).to.deep.equal([
      ['paper', 'PAPER', undefined],
      ['paper-cross', 'PAPER', undefined],
      ['scripted', 'LIVE', FIELDS],
    ]);
  });

  it('refuses credentials at their field', async () => {
    for (const [credentials, message] of [
      [{ apiKey: 'x' }, 'API secret is needed'],
      [{ apiSecret: 'x' }, 'Not known here'],
    ] as const) {
      const answer = await connect(credentials);
      expect(answer.status).to.equal(400);
      expect(answer.json.details).to.have.length(1);
      expect(answer.json.details[0]).to.include({ path: 'credentials.apiSecret', message });
    }
    expect(opened).to.deep.equal([]);
  });

  it('takes an account, fills its orders, and gets the credentials again after a restart', async () => {
    const made = tradeAccount.parse((await connect({ apiSecret: SECRET })).json);
    expect(made).to.include({ mode: 'LIVE', status: 'READY', exchangeIdentifier: 'desk-7' });
    expect(opened).to.deep.equal([{ apiSecret: SECRET }]);
    market.move({ 'AAA-PERP': '100', 'BBB-PERP': '100' });
    const on = { ...headers, 'x-trade-account-id': made.id };
    const arming = { alias: 'Live', perOrderUsd: '500', totalUsd: '1000' };
    await gateway.expect('PUT', `/trade-accounts/${made.id}/arming`, {
      headers,
      body: arming,
    });
    const placed = await gateway.expect('POST', '/trade/open', { headers: on, body: BASKET }, 202);
    let status = '';
    while (!['COMPLETED', 'FAILED'].includes(status)) {
      const read = await gateway.request('GET', `/executions/${placed.execution.id}`, { headers: on });
      status = read.json.execution.status;
    }
    expect(status).to.equal('COMPLETED');
    expect(scripted.sent.map(({ symbol, side }) => [symbol, side])).to.deep.equal([
      ['AAA-PERP', 'BUY'],
      ['BBB-PERP', 'SELL'],
    ]);
    expect(gateway.gateway.mode).to.equal('MIXED');
    await gateway.close();
    await start();
    expect(gateway.gateway.mode).to.equal('MIXED');
    expect(opened).to.deep.equal([{ apiSecret: SECRET }]);
  });
});
