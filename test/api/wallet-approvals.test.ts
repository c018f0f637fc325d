/** A trading key that a browser wallet approves, at the emulated Hyperliquid; and a key that the venue drops in mid-day. */
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { type Emulator, startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';
import { LiveUser } from '../support/venues/shared/live-account.ts';

const CHAIN_ID = 42_161;
const PATH = '/connectors/hyperliquid/wallet-approvals';

class Desk {
  emulator!: Emulator;
  gateway!: TestGateway;
  user!: LiveUser;
  readonly wallet = privateKeyToAccount(generatePrivateKey());
  readonly address = this.wallet.address.toLowerCase();

  async open(): Promise<void> {
    const clock = createFakeClock();
    this.emulator = await startEmulator({ pulseMs: 200, clock });
    this.emulator.script.addAccount({ address: this.address, deposit: '10000' });
    this.gateway = await startGatewayWithVenue(clock, hyperliquid, { hyperliquidUrl: this.emulator.url });
    this.user = new LiveUser(this.gateway, (await this.gateway.register()).accessToken, 'hyperliquid');
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.emulator.close();
  }

  ask(method: string, path: string, body?: object, accountId?: string) {
    return this.user.ask(method, path, body, accountId);
  }

  async prepare() {
    const answer = await this.ask('POST', PATH, { address: this.wallet.address, chainId: CHAIN_ID });
    expect(answer.status, JSON.stringify(answer.json)).to.equal(201);
    return answer.json as Prepared;
  }

  async live(): Promise<Row[]> {
    const { tradeAccounts } = (await this.ask('GET', '/trade-accounts')).json as { tradeAccounts: Row[] };
    return tradeAccounts.filter(({ mode }) => mode === 'LIVE');
  }

  ready(): Promise<true> {
    return until(this.gateway.clock, 'the account is ready', async () =>
      (await this.live())[0]?.status === 'READY' ? true : null,
    );
  }
}

type Row = { id: string; mode: string; network: string | null; status: string; exchangeIdentifier: string };
interface Prepared {
  readonly id: string;
  readonly typedData: Parameters<Desk['wallet']['signTypedData']>[0];
  readonly terms: readonly { readonly name: string; readonly value: string }[];
}

describe('API: a trading key that a wallet approves', () => {
  const desk = new Desk();
  const { wallet, address } = desk;
  const stranger = privateKeyToAccount(generatePrivateKey());
  const ask = desk.ask.bind(desk);
  const prepare = desk.prepare.bind(desk);
  const live = desk.live.bind(desk);

  before(async function () {
    this.timeout(20_000);
    await desk.open();
  });
  after(() => desk.close());

  it('says in words what the wallet signs: a key that trades and does not withdraw', async () => {
    const { id, typedData, terms } = await prepare();
    const words = Object.fromEntries(terms.map(({ name, value }) => [name, value]));
    expect(words).to.include({ Account: wallet.address, 'May withdraw or transfer': 'no' });
    const { message, domain } = typedData as {
      message: Record<string, unknown>;
      domain: { chainId: unknown };
    };
    expect(message['agentAddress']).to.equal(words['Agent that may trade']);
    expect(Number(domain.chainId)).to.equal(CHAIN_ID);
    expect((await ask('DELETE', `${PATH}/${id}`)).status).to.equal(204);
    const signature = await wallet.signTypedData(typedData);
    expect((await ask('POST', `${PATH}/${id}`, { signature })).status).to.equal(404);
    expect((await ask('DELETE', `${PATH}/${id}`)).status).to.equal(404);
  });

  it('is for the owner in person, for connectors that take it, and for addresses', async () => {
    const key = await ask('POST', '/api-keys', { label: 'bot', scope: 'read_write' });
    const bot = { 'x-api-key': (key.json as { key: string }).key };
    const body = { address: wallet.address, chainId: CHAIN_ID };
    expect((await desk.gateway.request('POST', PATH, { headers: bot, body })).status).to.equal(403);
    expect((await ask('POST', '/connectors/paper/wallet-approvals', body)).status).to.equal(501);
    expect((await ask('POST', '/connectors/nowhere/wallet-approvals', body)).status).to.equal(404);
    expect((await ask('POST', PATH, { ...body, address: '0x12' })).status).to.equal(400);
    expect((await ask('POST', PATH, { ...body, chainId: 0 })).status).to.equal(400);
  });

  it('is connected by the signature of its wallet, and of no other', async () => {
    const { id, typedData } = await prepare();
    const path = `${PATH}/${id}`;
    const wrong = await ask('POST', path, { signature: await stranger.signTypedData(typedData) });
    expect([wrong.status, JSON.stringify(wrong.json)]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && /another account/.test(text),
    );
    expect((await ask('POST', path, { signature: '0x00' })).status).to.equal(400);
    expect(await live()).to.deep.equal([]);
    const signature = await wallet.signTypedData(typedData);
    const made = await ask('POST', path, { signature, alias: 'Main' });
    expect(made.status, JSON.stringify(made.json)).to.equal(201);
    expect(made.json).to.include({
      alias: 'Main',
      mode: 'LIVE',
      network: 'mainnet',
      exchangeIdentifier: address,
    });
    expect((await ask('POST', path, { signature })).status).to.equal(404);
    const [account] = await live();
    await desk.ready();
    const stored = await ask('POST', `/trade-accounts/${account?.id}/credentials`, {});
    expect(stored.json.credentials).to.have.keys('accountAddress', 'agentPrivateKey');
  });

  it('adds an account once: another key of it goes to the account that is there @long', async () => {
    const [account] = await live();
    const first = await prepare();
    const signed = await wallet.signTypedData(first.typedData);
    const again = await ask('POST', `${PATH}/${first.id}`, { signature: signed });
    expect([again.status, JSON.stringify(again.json)]).to.satisfy(
      ([status, text]: [number, string]) => status === 409 && /connected already, as 'Main'/.test(text),
    );
    // The key still waits: the same signature connects it where it belongs.
    // The venue counts such questions: who asks again too early hears when to.
    const kept = await until(desk.gateway.clock, 'the venue takes the question', async () => {
      const answer = await ask('POST', `${PATH}/${first.id}`, {
        signature: signed,
        tradeAccountId: account?.id,
      });
      const { details } = answer.json as { details?: { reason: string; retryAt: number } };
      if (details?.reason !== 'VENUE_LIMIT') return answer;
      await desk.gateway.clock.advance(details.retryAt - desk.gateway.clock.now());
      return null;
    });
    expect(kept.status, JSON.stringify(kept.json)).to.equal(200);
    expect(kept.json).to.include({ id: account?.id });
    expect(await live()).to.have.length(1);
  });
});

describe('API: a key that the venue drops in mid-day', () => {
  const desk = new Desk();
  const { wallet, address } = desk;
  const ask = desk.ask.bind(desk);
  const live = desk.live.bind(desk);

  before(async function () {
    this.timeout(20_000);
    await desk.open();
    const { id, typedData } = await desk.prepare();
    const signature = await wallet.signTypedData(typedData);
    const made = await ask('POST', `${PATH}/${id}`, { signature, alias: 'Main' });
    expect(made.status, JSON.stringify(made.json)).to.equal(201);
    await desk.ready();
  });
  after(() => desk.close());

  it('makes the account INVALID_CREDENTIALS and tells its owner, until a new key is approved', async () => {
    const [account] = await live();
    const id = account?.id ?? '';
    const askAbout = (method: string, path: string, body?: object) => ask(method, path, body, id);
    const armed = { alias: 'Main', perOrderUsd: '100', totalUsd: '500' };
    expect((await askAbout('PUT', `/trade-accounts/${id}/arming`, armed)).status).to.equal(200);
    const stored = await askAbout('POST', `/trade-accounts/${id}/credentials`, {});
    const { agentPrivateKey } = stored.json.credentials as { agentPrivateKey: `0x${string}` };
    const agent = privateKeyToAccount(agentPrivateKey).address.toLowerCase();
    await desk.user.untilStatus('UP');
    desk.emulator.script.revokeAgent(address, agent);
    const basket = { type: 'MARKET', legs: [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '50' }] };
    const opened = await askAbout('POST', '/trade/open', basket);
    expect(opened.status, JSON.stringify(opened.json)).to.be.oneOf([202, 400, 409]);
    await until(desk.gateway.clock, 'the account says so', async () =>
      (await live())[0]?.status === 'INVALID_CREDENTIALS' ? true : null,
    );
    expect(desk.emulator.script.state(address).positions).to.deep.equal([]);
    const { notifications } = (await askAbout('GET', '/notifications')).json as {
      notifications: { category: string; parameters: { tradeAccountId?: string } }[];
    };
    const refused = notifications.filter(({ category }) => category === 'CREDENTIALS_REFUSED');
    expect(refused.map(({ parameters }) => parameters.tradeAccountId)).to.deep.equal([id]);
    const later = await askAbout('POST', '/trade/open', basket);
    const failed = await until(desk.gateway.clock, 'the next basket fails', async () => {
      const { execution } = (await askAbout('GET', `/executions/${later.json.execution.id}`)).json;
      return execution.status === 'FAILED' ? (execution as { error: string }) : null;
    });
    expect(failed.error).to.match(/credentials/i);

    const { id: approval, typedData } = await desk.prepare();
    const signature = await wallet.signTypedData(typedData);
    const renewed = await ask('POST', `${PATH}/${approval}`, { signature, tradeAccountId: id });
    expect(renewed.status, JSON.stringify(renewed.json)).to.equal(200);
    await desk.ready();
  });
});
