/** A mandate binds wherever something of its holder is accepted, waits, fires, becomes ACTIVE or is tried again. */
import { expect } from 'chai';
import type { Mandate } from '../../../gateway/domain/mandate.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../support/engine-desk.ts';
import { AGENT, AGENT_HOLDER, limitsOf, MandateDesk } from '../../support/mandate-desk.ts';
import { openMandate, stopAt } from '../../support/mandates.ts';

const DAY_MS = 86_400_000;

describe('a mandate in the engine', () => {
  let on: MandateDesk;
  const desk = engineDeskForEachTest((made) => {
    on = new MandateDesk(made);
  });

  const allow = (over: Partial<Mandate> = {}) =>
    desk.mandates.put(AGENT_HOLDER, openMandate([desk.account.id], over));
  const usage = () => {
    const bound = desk.mandates.of({ authorityKind: 'oauth_grant', authorityId: 'agent' });
    if (bound === null) throw new Error('no mandate');
    return desk.warden.usageOf(bound);
  };
  const buy = (usd: string) => [leg('AAA', 'BUY', usd)];

  describe('at acceptance', () => {
    it('refuses with every limit that would be broken, and reserves nothing', async () => {
      allow({ maxOrderUsd: '100', maxOpenedUsd24h: '150', maxLeverage: 2 });
      const refused = await on.refusal(on.open(AGENT, buy('200')));
      expect(refused.code).to.equal('AGENT_LIMIT');
      // 1 % slippage: at worst 202 USD.
      expect(refused.details).to.deep.equal({
        limits: [
          { limit: 'maxOrderUsd', allowed: '100', used: null, asked: '202' },
          { limit: 'maxOpenedUsd24h', allowed: '150', used: '0', asked: '202' },
          { limit: 'maxLeverage', allowed: '2', used: null, asked: '5' },
        ],
      });
      expect(usage().own).to.include({ openedUsd24h: '0', grossUsd: '0' });
      expect(desk.commits.flatMap(({ unit }) => unit.newExecutions ?? [])).to.deep.equal([]);
    });

    it('two orders at once never share what is left', async () => {
      allow({ maxOpenedUsd24h: '303' });
      const answers = ['AAA', 'BBB', 'CCC', 'DDD'].map((symbol) =>
        on.open(AGENT, [leg(symbol, 'BUY', '100')]),
      );
      const said = await desk.advanceUntil(Promise.all(answers));
      expect(said.map(({ ok }) => ok)).to.deep.equal([true, true, true, false]);
      const accepted = desk.commits.flatMap(({ unit }) => unit.newExecutions ?? []);
      expect(accepted.map(({ reserved }) => reserved?.usd)).to.deep.equal(['101', '101', '101']);
      await desk.allEnded();
      // They filled at the mark: what was not needed is free again.
      expect(usage().own).to.include({ openedUsd24h: '300', grossUsd: '300', positions: 3 });
    });

    it('an order that is not committed reserves nothing', async () => {
      allow({ maxOpenedUsd24h: '101' });
      desk.storeRefuses = (unit) => unit.newExecutions !== undefined;
      expect((await on.refusal(on.open(AGENT, buy('100')))).code).to.equal('DATABASE_ERROR');
      expect(usage().own.openedUsd24h).to.equal('0');
      desk.storeRefuses = () => false;
      await on.id(on.open(AGENT, buy('100')));
    });

    it('whoever has no mandate is asked nothing', async () => {
      allow({ maxOrderUsd: '1' });
      await on.id(on.open(PRINCIPAL, buy('100')));
      await desk.allEnded();
      const accepted = desk.commits.flatMap(({ unit }) => unit.newExecutions ?? []);
      expect(accepted.map(({ reserved }) => reserved)).to.deep.equal([null]);
    });

    it('limits all agents of a user together', async () => {
      allow();
      desk.mandates.put({ kind: 'api_key', id: 'key' }, openMandate([desk.account.id]));
      desk.mandates.limitHouse({ maxOpenedUsd24h: '202' });
      const key = {
        kind: 'api_key',
        userId: 'user',
        keyId: 'key',
        scope: 'read_write',
        tradeAccountIds: null,
      } as const;
      await on.id(on.open(AGENT, buy('100')));
      await on.id(on.open(key, [leg('BBB', 'BUY', '100')]));
      expect(limitsOf(await on.refusal(on.open(key, [leg('CCC', 'BUY', '50')])))).to.deep.equal([
        'house.maxOpenedUsd24h',
      ]);
    });

    it('orders are counted, and after three refusals nothing is taken for a while', async () => {
      allow({ maxOrderUsd: '500', rate: { perMinute: 2, perDay: 3, coolDownSeconds: 60 } });
      for (const symbol of ['AAA', 'BBB']) await on.id(on.open(AGENT, [leg(symbol, 'BUY', '50')]));
      await desk.allEnded();
      const often = await on.refusal(on.open(AGENT, [leg('CCC', 'BUY', '50')]));
      expect(often.code).to.equal('RESOURCE_BUSY');
      expect(often.details).to.have.property('reason', 'AGENT_RATE');
      const { retryAt } = often.details as { readonly retryAt: number };
      await desk.pass(retryAt - desk.clock.now());
      await on.id(on.open(AGENT, [leg('CCC', 'BUY', '50')]));
      await desk.pass(120_000);
      const daily = await on.refusal(on.open(AGENT, [leg('DDD', 'BUY', '50')]));
      expect(daily.details).to.have.property('reason', 'AGENT_RATE');
      allow({ maxOrderUsd: '500', rate: { perMinute: 100, perDay: 100, coolDownSeconds: 60 } });
      for (let nth = 0; nth < 3; nth += 1)
        expect(limitsOf(await on.refusal(on.open(AGENT, buy('600'))))).to.deep.equal(['maxOrderUsd']);
      const cool = await on.refusal(on.open(AGENT, buy('50')));
      expect(cool.details).to.have.property('reason', 'AGENT_RATE');
      await desk.pass(60_001);
      await on.id(on.open(AGENT, buy('50')));
    });
  });

  describe('the budget of 24 hours', () => {
    it('is free again a day after the end, and not by a clock that is set', async () => {
      allow({ maxOpenedUsd24h: '150' });
      await on.id(on.open(AGENT, buy('100')));
      await desk.allEnded();
      const refused = async () => limitsOf(await on.refusal(on.open(AGENT, buy('100'))));
      expect(await refused()).to.deep.equal(['maxOpenedUsd24h']);
      desk.clock.jump(DAY_MS);
      expect(await refused()).to.deep.equal(['maxOpenedUsd24h']);
      desk.clock.jump(-3 * DAY_MS);
      expect(await refused()).to.deep.equal(['maxOpenedUsd24h']);
      await desk.start();
      expect(await refused()).to.deep.equal(['maxOpenedUsd24h']);
      await desk.pass(DAY_MS);
      await on.id(on.open(AGENT, buy('100')));
    });

    it('is the same after a restart, and goes on with a new registration', async () => {
      allow();
      await on.id(on.open(AGENT, [leg('AAA', 'BUY', '100'), leg('BBB', 'SELL', '70')]));
      await desk.allEnded();
      const before = usage();
      expect(before.own).to.include({ openedUsd24h: '170', grossUsd: '170' });
      await desk.start();
      expect(usage()).to.deep.equal(before);
      const again = { kind: 'oauth_grant', id: 'again' } as const;
      desk.mandates.remove(AGENT_HOLDER);
      desk.mandates.put(again, openMandate([desk.account.id], { maxOpenedUsd24h: '200' }), {
        lineage: ['agent'],
      });
      const agent = { ...AGENT, grantId: 'again' } as typeof AGENT;
      expect(limitsOf(await on.refusal(on.open(agent, buy('50'))))).to.deep.equal(['maxOpenedUsd24h']);
    });
  });

  describe('what waits', () => {
    it('counts in the gross with its whole worst case, fires within it, and is free when cancelled', async () => {
      allow({ maxGrossUsd: '303', maxResting: 2 });
      const id = await on.id(on.trigger(AGENT, buy('100'), '110'));
      expect(usage().own).to.include({ grossUsd: '101', openedUsd24h: '0', resting: 1 });
      await on.id(on.twap(AGENT, [leg('BBB', 'BUY', '200')]));
      expect(usage().own).to.include({ resting: 2 });
      const refused = await on.refusal(on.trigger(AGENT, buy('10'), '120'));
      expect(limitsOf(refused)).to.deep.equal(['maxGrossUsd', 'maxResting']);
      await desk.pass(400_000);
      const sent = desk.venue.sent.filter(({ symbol }) => symbol === 'BBB-PERP');
      expect(sent).to.have.length(3);
      expect(usage().own).to.include({ resting: 1 });
      desk.venue.setMark('AAA-PERP', '111');
      await desk.pass(5_000);
      const trigger = await desk.store.trigger(desk.account.id, id);
      expect(trigger?.status).to.equal('COMPLETED');
      expect(usage().own).to.include({ resting: 0, positions: 2 });
    });

    it('pauses where the mandate of the firing does not allow it; its user may take it over', async () => {
      allow();
      const id = await on.id(on.trigger(AGENT, buy('100'), '110'));
      allow({ maxOrderUsd: '50' });
      desk.venue.setMark('AAA-PERP', '111');
      await desk.pass(5_000);
      const paused = await desk.store.trigger(desk.account.id, id);
      expect(paused).to.include({ status: 'PAUSED', pauseReason: 'AGENT_LIMIT' });
      expect(paused?.error).to.contain('maxOrderUsd');
      expect(desk.venue.sent).to.have.length(0);
      const told = desk.commits.flatMap(({ unit }) => unit.notifications ?? []);
      expect(told.map(({ category }) => category)).to.deep.equal(['AGENT_LIMIT']);
      expect(usage().own).to.include({ grossUsd: '0', resting: 0 });
      const { triggers } = on.services.triggers;
      const byAgent = await on.refusal(triggers.resume(AGENT, desk.account, id));
      expect(byAgent).to.deep.include({ code: 'RESOURCE_BUSY', details: { reason: 'AGENT_LIMIT' } });
      expect((await desk.advanceUntil(triggers.resume(PRINCIPAL, desk.account, id))).ok).to.equal(true);
      await desk.pass(5_000);
      const fired = await desk.store.trigger(desk.account.id, id);
      expect(fired).to.include({ status: 'COMPLETED', authorityKind: 'session' });
      expect(usage().own.openedUsd24h).to.equal('0');
    });

    it('a slice that is not allowed pauses its schedule', async () => {
      allow();
      const id = await on.id(on.twap(AGENT, [leg('BBB', 'BUY', '300')]));
      await desk.pass(1_000);
      allow({ validUntil: desk.clock.now() });
      await desk.pass(200_000);
      const schedule = await desk.store.schedule(desk.account.id, id);
      expect(schedule).to.include({ status: 'PAUSED', pauseReason: 'AGENT_LIMIT' });
      expect(desk.venue.sent).to.have.length(1);
    });

    it('a change of a trigger is judged as if it were new, without counting itself', async () => {
      allow({ maxGrossUsd: '101' });
      const id = await on.id(on.trigger(AGENT, buy('100'), '110'));
      expect((await desk.advanceUntil(on.changeTrigger(AGENT, id, '120'))).ok).to.equal(true);
      allow({ maxGrossUsd: '100' });
      expect(limitsOf(await on.refusal(on.changeTrigger(AGENT, id, '130')))).to.deep.equal(['maxGrossUsd']);
    });
  });

  describe('just before it leaves', () => {
    it('what the mandate of now forbids fails while IDLE', async () => {
      allow();
      const { balances } = desk.venue;
      desk.venue.balances = async (account) => {
        desk.venue.balances = balances;
        allow({ maxOrderUsd: '50' });
        return balances(account);
      };
      const execution = await desk.ended(await on.id(on.open(AGENT, buy('100'))));
      expect(execution).to.include({ status: 'FAILED', errorCode: 'RISK_LIMIT', activeAt: null });
      expect(execution.error).to.contain('maxOrderUsd: 50 allowed, 101 asked');
      expect(usage().own.openedUsd24h).to.equal('0');
    });

    it('is judged by its exact quantities at their worst prices', async () => {
      allow({ maxOrderUsd: '105' });
      const { balances } = desk.venue;
      const moved = (mark: string) => {
        desk.venue.setMark('AAA-PERP', '100');
        desk.venue.balances = async (account) => {
          desk.venue.balances = balances;
          desk.venue.setMark('AAA-PERP', mark);
          return balances(account);
        };
        return on.id(on.open(AGENT, [leg('AAA', 'BUY', '1', 'BASE')]));
      };
      const small = await desk.ended(await moved('103'));
      expect(small.status).to.equal('COMPLETED');
      // 1 × 104.5 × 1.01
      expect(await desk.ended(await moved('104.5'))).to.include({
        status: 'FAILED',
        errorCode: 'RISK_LIMIT',
      });
    });

    it('is judged by the leverage that the venue keeps for what is held, whatever is set here', async () => {
      allow({ maxLeverage: 5 });
      await desk.ended(await on.id(on.open(PRINCIPAL, buy('100'))));
      desk.venue.keepLeverage(20);
      const added = await desk.ended(await on.id(on.open(AGENT, buy('100'))));
      expect(added).to.include({ status: 'FAILED', errorCode: 'RISK_LIMIT', activeAt: null });
      expect(added.error).to.contain('maxLeverage: 5 allowed, 20 asked');
      expect(usage().own.openedUsd24h).to.equal('0');
      // Nothing is held of another instrument, and of what closes nobody asks.
      const other = await desk.ended(await on.id(on.open(AGENT, [leg('BBB', 'BUY', '100')])));
      expect(other.status).to.equal('COMPLETED');
      const closed = await desk.ended(await on.id(on.close(AGENT, other.positionId ?? '')));
      expect(closed.status).to.equal('COMPLETED');
      allow({ maxLeverage: 20 });
      expect((await desk.ended(await on.id(on.open(AGENT, buy('100'))))).status).to.equal('COMPLETED');
    });

    /** The next life begins, in which the venue's stream tells what is held. */
    async function streamed(): Promise<void> {
      const of = { tradeAccountId: desk.account.id, exchangeIdentifier: desk.account.exchangeIdentifier };
      const [balances, positions] = await Promise.all([desk.venue.balances(of), desk.venue.positions(of)]);
      if (!balances.ok || !positions.ok) throw new Error('the venue said nothing');
      const told = { balances: balances.value, positions: positions.value };
      desk.venue.accountState = () => told;
      await desk.start();
    }

    it('is refused when it is asked for, where the account’s stream tells what the venue keeps', async () => {
      allow({ maxLeverage: 5 });
      await desk.ended(await on.id(on.open(PRINCIPAL, buy('100'))));
      desk.venue.keepLeverage(20);
      await streamed();
      const refused = await on.refusal(on.open(AGENT, buy('100')));
      expect(refused.details).to.deep.equal({
        limits: [{ limit: 'maxLeverage', allowed: '5', used: null, asked: '20' }],
      });
      const other = await desk.ended(await on.id(on.open(AGENT, [leg('BBB', 'BUY', '100')])));
      expect(other.status).to.equal('COMPLETED');
      allow({ maxLeverage: 20 });
      expect((await desk.ended(await on.id(on.open(AGENT, buy('100'))))).status).to.equal('COMPLETED');
    });

    it('is not tried again at a leverage that was tightened away', async () => {
      allow({ maxLeverage: 20 });
      await desk.ended(await on.id(on.open(PRINCIPAL, buy('100'))));
      desk.venue.keepLeverage(20);
      const before = desk.venue.sent.length;
      desk.venue.behave(() => ({ fraction: '0.25' }));
      const id = await on.id(on.open(AGENT, buy('100'), { onLegFailure: 'RETRY' }));
      await desk.pass(10);
      expect(desk.venue.sent).to.have.length(before + 1);
      allow({ maxLeverage: 5 });
      await desk.ended(id);
      expect(desk.venue.sent).to.have.length(before + 1);
    });

    it('nothing that was tightened away is tried again', async () => {
      allow();
      desk.venue.behave(() => ({ fraction: '0.25' }));
      const id = await on.id(on.open(AGENT, buy('100'), { onLegFailure: 'RETRY' }));
      await desk.pass(10);
      expect(desk.venue.sent).to.have.length(1);
      allow({ maxOrderUsd: '50' });
      await desk.ended(id);
      expect(desk.venue.sent).to.have.length(1);
      expect(usage().own.openedUsd24h).to.equal('25');
    });

    it('a reversal reserves what it will open, through its close', async () => {
      allow({ maxOpenedUsd24h: '250' });
      const opened = await desk.ended(await on.id(on.open(AGENT, buy('100'))));
      await on.id(on.reverse(AGENT, opened.positionId ?? ''));
      // 100 filled, and at worst 100 for the opposite side, which is a sale.
      expect(usage().own.openedUsd24h).to.equal('200');
      await desk.allEnded();
      expect(usage().own).to.include({ openedUsd24h: '200', grossUsd: '100' });
    });
  });

  describe('what closes', () => {
    it('is refused by no money, time or suspension, but for what is not its own', async () => {
      allow();
      const own = await desk.ended(await on.id(on.open(AGENT, buy('100'))));
      const users = await desk.ended(await on.id(on.open(PRINCIPAL, [leg('BBB', 'BUY', '100')])));
      allow({ maxOrderUsd: '0', maxOpenedUsd24h: '0', maxGrossUsd: '0', validUntil: 0, kinds: [] });
      desk.mandates.suspend(AGENT_HOLDER, 'test');
      expect(limitsOf(await on.refusal(on.close(AGENT, users.positionId ?? '')))).to.deep.equal(['manage']);
      const closed = await desk.ended(await on.id(on.close(AGENT, own.positionId ?? '')));
      expect(closed.status).to.equal('COMPLETED');
      expect(usage().own).to.include({ grossUsd: '0', positions: 0 });
    });

    it('takes no more of a shared basket than its own share', async () => {
      allow();
      const first = await desk.ended(await on.id(on.open(PRINCIPAL, [leg('AAA', 'BUY', '3', 'BASE')])));
      const positionId = first.positionId ?? '';
      await desk.ended(await on.id(on.open(AGENT, [leg('AAA', 'BUY', '1', 'BASE')])));
      expect(limitsOf(await on.refusal(on.close(AGENT, positionId)))).to.deep.equal(['manage']);
      expect(limitsOf(await on.refusal(on.close(AGENT, positionId, '0.5')))).to.deep.equal(['manage']);
      await desk.ended(await on.id(on.close(AGENT, positionId, '0.25')));
      expect((await desk.position(positionId)).legs[0]?.quantity).to.equal('3');
      expect(limitsOf(await on.refusal(on.close(AGENT, positionId, '0.1')))).to.deep.equal(['manage']);
    });
  });

  describe('a loss', () => {
    it('at the marks suspends, and what opens is refused', async () => {
      allow({ lossStop: stopAt('20') });
      await desk.ended(await on.id(on.open(AGENT, buy('100'))));
      desk.venue.setMark('AAA-PERP', '80.1');
      await on.id(on.open(AGENT, [leg('BBB', 'BUY', '10')]));
      desk.venue.setMark('AAA-PERP', '79');
      expect(limitsOf(await on.refusal(on.open(AGENT, [leg('CCC', 'BUY', '10')])))).to.include('lossStop');
      expect(desk.mandates.suspensions).to.have.length(1);
      desk.venue.setMark('AAA-PERP', '100');
      expect(limitsOf(await on.refusal(on.open(AGENT, [leg('CCC', 'BUY', '10')])))).to.deep.equal([
        'suspended',
      ]);
    });
  });

  describe('a loss with the marks', () => {
    it('suspends within a second and closes its own share, over a restart too', async () => {
      allow({ lossStop: stopAt('20', true) });
      const users = await desk.ended(await on.id(on.open(PRINCIPAL, [leg('AAA', 'BUY', '3', 'BASE')])));
      await desk.ended(await on.id(on.open(AGENT, [leg('AAA', 'BUY', '1', 'BASE')])));
      await desk.ended(await on.id(on.open(AGENT, [leg('BBB', 'SELL', '1', 'BASE')])));
      desk.venue.setMarks({ 'AAA-PERP': '85', 'BBB-PERP': '104.8' });
      await desk.pass(2_000);
      expect(desk.mandates.suspensions).to.have.length(0);
      // The first closing attempts find no liquidity.
      desk.venue.behave(() => ({ fraction: '0' }));
      desk.venue.setMark('BBB-PERP', '105');
      await desk.pass(1_500);
      expect(desk.mandates.suspensions.map(({ holder }) => holder.id)).to.deep.equal(['agent']);
      expect(desk.venue.held('BBB-PERP')).to.equal('-1');
      await desk.start();
      desk.venue.behave(() => ({}));
      desk.venue.setMark('BBB-PERP', '106');
      await desk.pass(60_000);
      expect(desk.venue.held('BBB-PERP')).to.equal('0');
      expect(desk.venue.held('AAA-PERP')).to.equal('3');
      expect((await desk.position(users.positionId)).legs[0]).to.include({ quantity: '3' });
      expect(usage().own).to.include({ grossUsd: '0', positions: 0 });
    });
  });

  describe('a person', () => {
    it('is asked once, counts as if it were placed, and approves what still fits', async () => {
      const { approval } = openMandate([]);
      allow({ maxOpenedUsd24h: '250', approval: { ...approval, when: 'above', aboveUsd: '50' } });
      const request = on.request('POST /trade/open', { legs: buy('100') });
      const waits = await on.refusal(on.open(AGENT, buy('100'), {}, request));
      expect(waits).to.deep.include({ code: 'RESOURCE_BUSY' });
      expect(waits.details).to.include({ reason: 'APPROVAL', approvalId: 'approval 1' });
      expect((await on.refusal(on.open(AGENT, buy('100'), {}, request))).details).to.include({
        approvalId: 'approval 1',
      });
      expect(desk.desk.asked).to.have.length(1);
      expect(desk.desk.asked[0]).to.deep.include({
        reasons: ['ABOVE'],
        reserveUsd: '101',
        kind: 'now',
        opensPosition: true,
      });
      expect(desk.desk.asked[0]?.asked.legs).to.deep.equal([
        {
          symbol: 'AAA-PERP',
          side: 'BUY',
          worstUsd: '101',
          feeUsd: '0.0505',
          quantity: '1',
          mark: '100',
          worstPrice: '101',
          reduces: false,
        },
      ]);
      expect(usage().own).to.include({ openedUsd24h: '101', grossUsd: '101', positions: 1 });
      const approved = {
        approvalId: 'approval 1',
        worstPrices: new Map([['AAA-PERP', '101']]),
        ...{ fits: () => true, at: 0 },
        alongside: (made: string) => ({ settings: [{ key: 'approved', value: made }] }),
      };
      const id = await on.id(on.open(AGENT, buy('100'), {}, { ...request, approved }));
      desk.desk.done('approval 1');
      expect(await desk.store.setting('approved')).to.equal(id);
      expect((await desk.ended(id)).status).to.equal('COMPLETED');
      expect(usage().own.openedUsd24h).to.equal('100');
    });

    it('approves no price worse than the one that was shown', async () => {
      allow();
      const approved = {
        approvalId: 'x',
        worstPrices: new Map([['AAA-PERP', '101']]),
        ...{ fits: () => true, at: 0 },
        alongside: () => ({}),
      };
      desk.venue.setMark('AAA-PERP', '100.5');
      const request = { ...on.request('POST /trade/open', {}), approved };
      const execution = await desk.ended(await on.id(on.open(AGENT, buy('100'), {}, request)));
      // One per cent above the mark of now would be 101.5.
      expect(execution.orders.map(({ limitPrice }) => limitPrice)).to.deep.equal(['101']);
    });
  });
});
