/** `tandem agents`: what a person in a shell sees of agents and does with them, against a whole gateway. */
import { expect } from 'chai';
import { type Agent, connectAgent } from '../support/agents.ts';
import { type CommandEnd, tandem as runTandem } from '../support/command-line.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayClient, PASSWORD } from '../support/gateway-client.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trader } from '../support/trader.ts';

describe('tandem agents', () => {
  let process: GatewayProcess;
  let dataDir: string;
  let agent: Agent;

  before(async () => {
    buildGateway();
    dataDir = await temporaryFolder();
    process = launchGateway({ dataDir });
    const { url, port } = await process.ready;
    const gateway = { ...gatewayClient(url), url, port };
    const bot = await trader(gateway);
    agent = await connectAgent(gateway, bot, consentVisitor(gateway), {
      consent: { mandate: smallMandate(bot.accountId) },
    });
  });
  after(() => process.stop('SIGKILL'));

  const tandem = (...argv: readonly string[]): Promise<CommandEnd> =>
    runTandem([...argv, '--email', 'ada@example.test', '--data-dir', dataDir], {
      env: { TANDEM_PASSWORD: PASSWORD },
    });

  it('lists them, says what one may do, pauses and resumes', async () => {
    const list = await tandem('agents', 'list');
    expect(list.code, list.err).to.equal(0);
    expect(list.out).to.match(/^Test agent +agent +trades, asks +0 /m);
    const limits = await tandem('agents', 'limits', 'Test agent');
    expect(limits.out).to.contain('It can lose at most about 200\u00a0USD a day before it is stopped.');
    const paused = await tandem('agents', 'pause');
    expect(paused.out).to.equal(`Paused: ${agent.grantId}`);
    expect((await tandem('agents', 'pause')).out).to.equal('All were paused already.');
    expect((await agent.call('GET', '/agents/me')).json.suspended).to.include({ by: 'USER' });
    expect((await tandem('agents', 'resume', agent.grantId)).code).to.equal(0);
    expect((await tandem('agents', 'pause', 'Test agent')).out).to.contain(agent.grantId);
    expect((await tandem('agents', 'resume', 'Nobody')).code).to.equal(2);
  });

  it('limits all of them together; more than before is not taken from the environment @long', async () => {
    const none = await tandem('agents', 'limits');
    expect(none.out).to.equal('No limit binds all of them together.');
    const set = await tandem('agents', 'limits', '--opened', '5000', '--loss', '500');
    expect(set.code, set.err).to.equal(0);
    expect(set.out).to.contain('They may open up to 5,000\u00a0USD in any 24 hours.');
    const wider = await tandem('agents', 'limits', '--opened', 'none');
    expect([wider.code, wider.err]).to.deep.equal([
      1,
      'tandem: this allows more than before: do it in a terminal, or on the dashboard',
    ]);
    expect((await tandem('agents', 'limits', '--loss', 'much')).code).to.equal(2);
  });
});
