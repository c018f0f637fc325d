/** Orders that wait for their user, decided at a terminal: the program in a process of its own. */
import { expect } from 'chai';
import { acquireDataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { AskedDesk, LARGE, PASSWORD } from '../support/asked-desk.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { runTandem } from '../support/tandem-process.ts';
import { tandemAtTerminal } from '../support/tandem-pty.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { unwrap } from '../support/unwrap.ts';

const EMAIL = ['--email', 'ada@example.test'];
const TYPED = { at: /Password: $/, type: PASSWORD };

describe('tandem approvals, approve and deny', () => {
  let desk: AskedDesk;
  before(() => buildGateway());
  let unlock = () => {};
  beforeEach(async () => {
    const dataDir = await temporaryFolder();
    const lock = unwrap(acquireDataFolderLock(dataDir));
    desk = await AskedDesk.open({ dataDir, host: { nonce: lock.token } });
    lock.publish(desk.gateway.url);
    unlock = lock.release;
  });
  afterEach(async () => {
    await desk.gateway.close();
    unlock();
  });

  const flags = () => [...EMAIL, '--data-dir', desk.gateway.dataDir];
  const atTerminal = (
    argv: readonly string[],
    ...rest: [Parameters<typeof tandemAtTerminal>[1], Record<string, string>?]
  ) => tandemAtTerminal([...argv, ...flags()], ...rest);

  it('shows what waits, asks, and places it', async () => {
    const headers = { 'agent-reason': encodeURIComponent('wide spread\u001b[31m') };
    const stopLoss = { type: 'DOLLAR', value: '30' };
    const { id } = await desk.waiting('mine', { stopLoss }, headers);
    const list = await atTerminal(['approvals'], [TYPED]);
    expect([list.code, list.shown]).to.deep.equal([0, list.shown]);
    expect(list.shown).to.match(new RegExp(`PENDING +test +PAPER: .*${id}`));
    const stop = /stop-loss fires at -30\.00 USD \([\d.]+% away\), -30\.00 USD/;
    expect(list.shown).to.match(stop);
    const approve = await atTerminal(['approve', id], [TYPED, { at: /\[y\/N\] $/, type: 'y' }]);
    expect(approve.code, approve.shown).to.equal(0);
    expect(approve.shown)
      .to.contain('play money: ')
      .and.to.contain('Asked by "test" (its own name, unverified), because it is above the 250.00 USD')
      .and.to.match(/LONG BTC-PERP +5x cross/)
      .and.to.match(/SHORT ETH-PERP +5x cross/)
      .and.to.match(new RegExp(`After it: ${stop.source}\\.`))
      .and.to.match(
        /Counts as 80\d\.\d\d USD \(a purchase at its worst price, a sale at its mark\), margin about 16\d\.\d\d USD, fees/,
      )
      .and.to.match(/0\.00 USD before, 80\d\.\d\d USD after, so counted/)
      .and.to.contain('It says: "wide spread')
      .and.not.to.contain('\u001b[31m')
      .and.not.to.contain(PASSWORD);
    const { madeId } = await desk.read(id);
    expect(approve.shown).to.contain(`Approved. Placed as ${madeId}.`);
    expect((await desk.bot.ended(madeId)).status).to.equal('COMPLETED');
  });

  it('shows new figures when they changed meanwhile, and asks again @long', async () => {
    const { id } = await desk.waiting();
    const tighter = async () => desk.mandates.set(desk.keyId, { mandate: { maxPositions: 5 } });
    const approve = await atTerminal(
      ['approve', id],
      [
        TYPED,
        { at: /\[y\/N\] $/, type: 'y', first: tighter },
        { at: /have changed[\s\S]*\[y\/N\] $/, type: 'y' },
      ],
    );
    expect(approve.code, approve.shown).to.equal(0);
    expect(await desk.read(id)).to.include({ status: 'APPROVED' });
  });

  it('anything but yes leaves it waiting; deny ends it @long', async () => {
    const { id } = await desk.waiting();
    const no = await atTerminal(['approve', id], [TYPED, { at: /\[y\/N\] $/, type: '' }]);
    expect(no.code).to.equal(1);
    expect((await desk.read(id)).status).to.equal('PENDING');
    const deny = await atTerminal(['deny', id], [TYPED]);
    expect(deny.shown).to.contain('Denied. Nothing was placed.');
    expect((await desk.read(id)).status).to.equal('DENIED');
    const late = await atTerminal(['approve', id], [TYPED]);
    expect([late.code, late.shown]).to.deep.equal([1, late.shown]);
    expect(late.shown).to.contain('tandem: it is DENIED already');
    expect(await desk.executions()).to.deep.equal([]);
  });

  it('takes the password from a person at a terminal only, and says so @long', async () => {
    const { id } = await desk.waiting();
    for (const argv of [['approvals'], ['approve', id], ['deny', id]]) {
      const set = await atTerminal(argv, [], { TANDEM_PASSWORD: PASSWORD });
      expect(set.code).to.equal(2);
      expect(set.shown).to.contain('TANDEM_PASSWORD is not taken here: a person types the password');
      const piped = await runTandem([...argv, ...flags()], { input: `${PASSWORD}\ny\n` });
      expect([piped.code, piped.out]).to.deep.equal([2, '']);
      expect(piped.err).to.contain('the password is read from a terminal only');
    }
    const wrong = await atTerminal(['approve', id], [{ ...TYPED, type: 'not the password' }]);
    expect(wrong.code).to.equal(1);
    expect((await desk.read(id)).status).to.equal('PENDING');
  });

  it('asked with real words for every kind of order @long', async () => {
    const condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000000' };
    const asked = await desk.bot.call('POST', '/triggers/open', { legs: LARGE, condition });
    const { approvalId: id } = asked.json.details;
    const approve = await atTerminal(['approve', id], [TYPED, { at: /\[y\/N\] $/, type: 'y' }]);
    expect(approve.shown).to.match(/When: type PRICE_RATIO, direction MORE_THAN, value 1000000/);
    const { triggers } = (await desk.bot.call('GET', '/triggers')).json;
    expect(triggers.map((one: { id: string }) => one.id)).to.deep.equal([(await desk.read(id)).madeId]);
  });
});
