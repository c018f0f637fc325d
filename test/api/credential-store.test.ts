/** Exchange keys on a gateway whose file vault has no passphrase: refused with the remedy, before anybody pastes one. */
import { expect } from 'chai';
import { acquireDataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { tandem } from '../support/command-line.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { paperAlone } from '../support/paper-alone.ts';
import { recordingTerminal } from '../support/recording-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { whileTimePasses } from '../support/until.ts';
import { unwrap } from '../support/unwrap.ts';

const KEY = { accountAddress: `0x${'a'.repeat(40)}`, agentKey: `0x${'b'.repeat(64)}` };

describe('API: exchange keys and a file vault without a passphrase', () => {
  let gateway: TestGateway;
  let headers: Record<string, string>;
  let release: () => void;

  async function start(allowFileVault: boolean): Promise<void> {
    const dataDir = await temporaryFolder();
    // With its lock the gateway proves to a command line that it is the one of the folder.
    const lock = unwrap(acquireDataFolderLock(dataDir));
    release = lock.release;
    gateway = await startTestGateway({
      ...{ dataDir, host: { nonce: lock.token } },
      settings: { allowFileVault, live: true, hyperliquidUrl: 'http://127.0.0.1:1' },
      overrides: { venues: [paperAlone, hyperliquid] as never },
    });
    lock.publish(gateway.url);
    headers = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
  }
  afterEach(async () => {
    await gateway.close();
    release();
  });

  it('are refused with 409 and the remedy, which GET /connectors says before', async () => {
    await start(false);
    const { credentialStore } = (await gateway.request('GET', '/connectors')).json;
    expect(credentialStore.kind).to.equal('file');
    expect(credentialStore.refusal).to.contain('TANDEM_PASSPHRASE');
    const pasted = { alias: 'Main', connector: 'hyperliquid', credentials: KEY };
    const byWallet = { address: KEY.accountAddress, chainId: 1 };
    for (const [path, body] of [
      ['/trade-accounts', pasted],
      ['/connectors/hyperliquid/wallet-approvals', byWallet],
    ] as const) {
      const { status, json } = await gateway.request('POST', path, { headers, body });
      expect([status, json.errorCode, json.message], path).to.deep.equal([
        409,
        'CREDENTIALS_NOT_STORED',
        credentialStore.refusal,
      ]);
    }
  });

  it('are not asked for by the command line', async () => {
    await start(false);
    const flags = ['--email', 'ada@example.test', '--data-dir', gateway.dataDir, '--url', gateway.url];
    const { code, err } = await whileTimePasses(
      gateway.clock,
      tandem(['venue', 'connect', 'hyperliquid', '--paste', ...flags], {
        env: { TANDEM_PASSWORD: PASSWORD },
        terminal: recordingTerminal({ typed: [] }),
        clock: gateway.clock,
      }),
    );
    expect(code).to.equal(1);
    expect(err).to.contain('TANDEM_PASSPHRASE');
  });

  it('are stored where the user has allowed it', async () => {
    await start(true);
    const { credentialStore } = (await gateway.request('GET', '/connectors')).json;
    expect(credentialStore).to.deep.equal({ kind: 'file', refusal: null });
  });
});
