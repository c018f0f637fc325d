/** `tandem venue connect lighter`: the text is printed, the wallet signs elsewhere, the signature is typed. */
import { expect } from 'chai';
import { tandem } from '../support/command-line.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { type RecordingTerminal, recordingTerminal } from '../support/recording-terminal.ts';
import { ACCOUNT, SetupDesk } from '../support/setup-desk.ts';
import { whileTimePasses } from '../support/until.ts';

const CONNECT = ['venue', 'connect', 'lighter', '--email', 'ada@example.test', '--alias', 'Main'];

describe('CLI: an account at Lighter', function () {
  this.timeout(20_000);
  const desk = new SetupDesk();
  before(() => desk.open());
  after(() => desk.close());

  const run = (argv: readonly string[], terminal: RecordingTerminal) =>
    whileTimePasses(
      desk.gateway.clock,
      tandem([...argv, '--data-dir', desk.gateway.dataDir, '--url', desk.gateway.url], {
        env: { TANDEM_PASSWORD: PASSWORD },
        terminal,
        clock: desk.gateway.clock,
      }),
    );
  const live = async (): Promise<Json[]> =>
    (await desk.as(desk.owner, 'GET', '/trade-accounts')).json.tradeAccounts.filter(
      ({ mode }: Json) => mode === 'LIVE',
    );

  /** Somebody at a terminal whose wallet is elsewhere. @param answers to each request for a signature */
  function person(answers: readonly ((text: string) => Promise<string>)[]): RecordingTerminal {
    const left = [...answers];
    const terminal = recordingTerminal({ typed: [] });
    return {
      ...terminal,
      ask: async (question) => {
        if (!question.startsWith('LIVE: Signature')) return desk.wallet.address;
        const text = terminal.errLines.find((line) => line.startsWith('Register Lighter Account')) ?? '';
        return (await left.shift()?.(text)) ?? '';
      },
    };
  }

  it('connects nothing without a signature, and erases the key', async () => {
    const end = await run(CONNECT, person([]));
    expect(end.code).to.equal(1);
    expect(end.err).to.contain('the wallet did not sign');
    expect(await live()).to.deep.equal([]);
    expect(desk.emulator.script.state(ACCOUNT).keys).to.have.length(2);
  });

  it('prints the text and its meaning, asks again after the signature of another wallet, and prints the account', async () => {
    const terminal = person([
      (text) => desk.stranger.signMessage({ message: text }),
      (text) => desk.sign(text),
    ]);
    const end = await run(CONNECT, terminal);
    expect([end.code, end.out], end.err).to.deep.equal([0, (await live())[0]?.id]);
    expect(end.err)
      .to.contain(`Account: ${ACCOUNT}`)
      .and.contain("May withdraw or transfer: only to the owner's own address")
      .and.contain('personal_sign')
      .and.contain("not the signature of the account's owner");
    const text = terminal.errLines.find((line) => line.startsWith('Register Lighter Account')) ?? '';
    expect(end.err).to.contain(`0x${Buffer.from(text).toString('hex')}`);
    expect((await live())[0]).to.include({ alias: 'Main', exchangeIdentifier: String(ACCOUNT) });
    // As a person is asked on the dashboard: programs may not read the credentials unless that is said.
    const { id } = (await live())[0];
    const read = await desk.as(desk.program, 'POST', `/trade-accounts/${id}/credentials`, {});
    expect(read.status).to.equal(403);
  });

  it('takes a key that was made elsewhere, its numbers from flags or questions and the secret from standard input', async () => {
    const [account] = await live();
    expect((await desk.as(desk.owner, 'DELETE', `/trade-accounts/${account?.id}`)).status).to.equal(204);
    const { apiKeyIndex, apiPrivateKey } = await desk.key();
    const flags = ['--account-index', String(ACCOUNT), '--key-index', String(apiKeyIndex)];
    const piped = await run([...CONNECT, ...flags], recordingTerminal({ input: `${apiPrivateKey}\n` }));
    expect([piped.code, piped.out], piped.err).to.deep.equal([0, (await live())[0]?.id]);
    const wrong = await run(
      [...CONNECT, '--paste', '--account-index', 'one'],
      recordingTerminal({ typed: [] }),
    );
    expect([wrong.code, wrong.err]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && /whole number/.test(text),
    );
  });
});
