/**
 * A whole gateway at the emulated Lighter, and a program with an API key that sets up an account there: it knows the
 * service description alone, and signs with a wallet of viem.
 */
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { acquireDataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { lighter } from '../../gateway/venues/live/lighter/connector.ts';
import { createFakeClock } from './fake-clock.ts';
import type { TestGateway } from './gateway.ts';
import type { TestAnswer } from './gateway-client.ts';
import type { Json } from './json.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';
import { unwrap } from './unwrap.ts';
import { type Emulator, startEmulator } from './venues/lighter/emulator.ts';
import { makeKey } from './venues/lighter/trader.ts';
import { startGatewayWithVenue } from './venues/shared/gateway-with-venue.ts';

export const ACCOUNT = 21;
/** Account of the same wallet, on the test network. */
export const TEST_ACCOUNT = 31;
/** Account of the stranger, in tests that have one. */
export const OTHER_ACCOUNT = 22;
/** The integrator of the tests that have one. */
export const INTEGRATOR = 77;

export class SetupDesk {
  emulator!: Emulator;
  testnet!: Emulator;
  gateway!: TestGateway;
  /** Owner of the account. */
  readonly wallet = privateKeyToAccount(generatePrivateKey());
  readonly stranger = privateKeyToAccount(generatePrivateKey());
  #release: () => void = () => {};
  /** Signed in. */
  owner: Record<string, string> = {};
  /** With an API key. */
  program: Record<string, string> = {};

  async open(over: { readonly lighterIntegrator?: string } = {}): Promise<void> {
    const clock = createFakeClock();
    this.emulator = await startEmulator({ pulseMs: 200, clock });
    // The venue's own programs have the first keys of every account.
    const keys = { 0: makeKey('app').publicKey, 4: makeKey('another program').publicKey };
    this.emulator.script.addAccount({
      ...{ index: ACCOUNT, l1Address: this.wallet.address, collateral: '10000', keys },
    });
    this.emulator.script.addAccount({ index: INTEGRATOR, l1Address: `0x${'7'.repeat(40)}`, collateral: '0' });
    this.testnet = await startEmulator({ pulseMs: 200, network: 'testnet', clock });
    this.testnet.script.addAccount({
      ...{ index: TEST_ACCOUNT, l1Address: this.wallet.address, collateral: '10000' },
    });
    const dataDir = await temporaryFolder();
    // With it the gateway proves to a command line that it is the one of the folder.
    const lock = unwrap(acquireDataFolderLock(dataDir));
    const urls = { lighterUrl: this.emulator.url, lighterTestnetUrl: this.testnet.url };
    const settings = { ...urls, lighterPerMinute: 100_000, ...over };
    const host = { nonce: lock.token };
    this.gateway = await startGatewayWithVenue(clock, lighter, settings, { dataDir, host });
    lock.publish(this.gateway.url);
    this.#release = lock.release;
    this.owner = { authorization: `Bearer ${(await this.gateway.register()).accessToken}` };
    this.program = await this.apiKey();
  }

  /** With an integrator, another account of the stranger, and a key of the account. @return what signs for the account */
  async openForRefusals(strangerKeys: Readonly<Record<number, string>> = {}) {
    await this.open({ lighterIntegrator: `${INTEGRATOR}:0.0001:0.00005` });
    this.emulator.script.addAccount({
      ...{ index: OTHER_ACCOUNT, l1Address: this.stranger.address, collateral: '500' },
      keys: strangerKeys,
    });
    return { accountIndex: ACCOUNT, ...(await this.key()) };
  }

  async close(): Promise<void> {
    await this.gateway.close();
    this.#release();
    await this.emulator.close();
    await this.testnet.close();
  }

  async apiKey(limit: object = {}): Promise<Record<string, string>> {
    const body = { label: 'bot', scope: 'read_write', ...limit };
    return { 'x-api-key': (await this.as(this.owner, 'POST', '/api-keys', body)).json.key };
  }

  as(headers: Record<string, string>, method: string, path: string, body?: object): Promise<TestAnswer> {
    return this.gateway.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
  }

  /** As the program. @param path behind `/misc/exchange/` */
  post(path: string, body: object, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.as({ ...this.program, ...headers }, 'POST', `/misc/exchange/${path}`, body);
  }

  async good(path: string, body: object, headers: Record<string, string> = {}): Promise<Json> {
    const answer = await this.post(path, body, headers);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  }

  sign(messageToSign: string): Promise<string> {
    return this.wallet.signMessage({ message: messageToSign });
  }

  /** A registered key of the account, not connected here. */
  async key(): Promise<{ apiKeyIndex: number; apiPrivateKey: string }> {
    const made = await this.good('create-api-key', { accountIndex: ACCOUNT });
    const signature = await this.sign(made.messageToSign);
    await this.good('change-pub-key', { txInfo: made.txInfo, signature });
    return { apiKeyIndex: made.apiKeyIndex, apiPrivateKey: made.privateKey };
  }

  /** The account, connected with a new key. */
  async connect(): Promise<{ id: string; apiKeyIndex: number }> {
    const key = await this.key();
    const credentials = { accountIndex: ACCOUNT, ...key };
    const made = await this.as(this.owner, 'POST', '/trade-accounts', {
      ...{ alias: 'Main', connector: 'lighter', credentials },
    });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.json;
    await until(this.gateway.clock, 'the account is ready', async () => {
      const { status } = (await this.as(this.owner, 'GET', `/trade-accounts/${id}`)).json;
      return status === 'READY' ? true : null;
    });
    return { id, apiKeyIndex: key.apiKeyIndex };
  }

  /** Account state at the venue that set-up may change, as JSON. */
  state() {
    const { collateral, keys, tier, integrators } = this.emulator.script.state(ACCOUNT);
    return JSON.stringify({ collateral, keys, tier, integrators });
  }

  async audited(): Promise<readonly string[]> {
    const { auditEntries } = (await this.as(this.owner, 'GET', '/audit-log?limit=200')).json;
    return auditEntries.map(({ action }: Json) => action);
  }
}

/** A `txInfo` with other fields. */
export function altered(txInfo: string, change: object): string {
  return JSON.stringify({ ...JSON.parse(txInfo), ...change });
}

/** Code, and the path or reason that the answer names. */
export function refusal({ status, json }: TestAnswer): string {
  const { details } = json;
  const named = Array.isArray(details) ? details[0]?.path : details?.reason;
  return `${status} ${json.errorCode ?? json.error} ${named ?? ''}`.trim();
}
