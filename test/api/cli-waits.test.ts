/** Commands that are asked while a gateway starts on the folder: they wait for it, and for no other. */
import { expect } from 'chai';
import { acquireDataFolderLock, type DataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { tandem } from '../support/command-line.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { whileTimePasses } from '../support/until.ts';
import { unwrap } from '../support/unwrap.ts';

describe('CLI: a gateway that is starting', () => {
  let dataDir: string;
  let clock: FakeClock;
  let lock: DataFolderLock;
  let gateway: TestGateway | null;

  beforeEach(async () => {
    dataDir = await temporaryFolder();
    clock = createFakeClock();
    gateway = null;
    lock = unwrap(acquireDataFolderLock(dataDir));
  });
  afterEach(async () => {
    lock.release();
    await gateway?.close();
  });

  /** It serves already, and says so after a time in which commands have to wait: no start races with their patience. */
  async function servesAfter(ms: number): Promise<void> {
    const started = await startTestGateway({ dataDir, host: { nonce: lock.token } });
    gateway = started;
    clock.after(ms, () => lock.publish(started.url));
  }

  const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    whileTimePasses(clock, tandem([...argv, '--data-dir', dataDir], { clock, env }));

  for (const env of [{}, { TANDEM_PORT: '9' }, { TANDEM_URL: 'http://127.0.0.1:9' }]) {
    it(`is waited for, with ${JSON.stringify(env)}`, async () => {
      await servesAfter(12_000);
      const { code, err } = await run(['venue', 'list', '--json'], env);
      expect(err.split('\n')[0]).to.match(/^tandem: the gateway \(pid \d+\) is starting: waiting for it/);
      if ('TANDEM_URL' in env)
        expect([code, err.split('\n')[1]]).to.deep.equal([
          1,
          `tandem: no gateway answers at ${env.TANDEM_URL}; start it with: tandem start`,
        ]);
      else expect([code, err.split('\n')], err).to.deep.equal([0, [err]]);
    });
  }

  it('is given up after 30 seconds', async () => {
    const began = clock.now();
    const { code, err } = await run(['status']);
    expect([code, err.split('\n')[1]]).to.deep.equal([
      1,
      `tandem: the gateway (pid ${process.pid}) is still starting; try again`,
    ]);
    expect(clock.now() - began).to.be.within(30_000, 31_000);
  });

  it('is not waited for once it has ended', async () => {
    clock.after(2_000, () => lock.release());
    const began = clock.now();
    const { code, err } = await run(['status']);
    expect(code).to.equal(1);
    expect(err).to.contain(`no gateway runs on the data folder ${dataDir}`);
    expect(clock.now() - began).to.be.below(4_000);
  });

  it('is not waited for where another machine is named, or none starts', async () => {
    const began = clock.now();
    const elsewhere = await run(['status', '--url', 'https://127.0.0.1:9']);
    expect([elsewhere.code, elsewhere.err.includes('waiting')]).to.deep.equal([1, false]);
    lock.release();
    const none = await run(['status']);
    expect([none.code, none.err.includes('waiting')]).to.deep.equal([1, false]);
    expect(clock.now() - began).to.be.below(2_000);
  });

  it('ends the wait at Ctrl-C', async () => {
    const stop = new AbortController();
    clock.after(1_000, () => stop.abort());
    const argv = ['status', '--data-dir', dataDir];
    const { code } = await whileTimePasses(clock, tandem(argv, { clock, interrupted: stop.signal }));
    expect(code).to.equal(1);
    expect(clock.now()).to.be.below(createFakeClock().now() + 5_000);
  });
});
