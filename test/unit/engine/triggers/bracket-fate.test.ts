/** Effect of orders on a position's brackets: additions keep them unless asked, reversals carry them over. */
import { expect } from 'chai';
import type { PositionSetup } from '../../../../gateway/domain/position-setup.ts';
import { inMode } from '../../../../gateway/domain/position-setup.ts';
import type { Bracket, Trigger } from '../../../../gateway/domain/trigger.ts';
import type { Accepted } from '../../../../gateway/engine/execution/accept.ts';
import type { OpenBasket } from '../../../../gateway/engine/execution/open-basket.ts';
import { createPositionService } from '../../../../gateway/engine/positions/position-service.ts';
import { basketOf, closeDesks, leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import {
  AAA,
  over as above,
  BBB,
  PAIR,
  type TriggerDesk,
  triggerDesk,
} from '../../../support/trigger-desk.ts';
import { unwrap } from '../../../support/unwrap.ts';
import { type BracketChange, plain, setBrackets, setupOf, trailing } from './bracket-desk.ts';

describe('brackets and later orders', () => {
  let at: TriggerDesk;
  let positionId: string;
  beforeEach(async () => {
    at = await triggerDesk();
    positionId = await at.position();
  });
  afterEach(async () => {
    at.desk.kill();
    await closeDesks();
  });

  const set = (change: BracketChange) => setBrackets(at, positionId, change);
  /** A command whose answer is what is told of the brackets. */
  const telling = () => ({
    account: at.desk.account,
    idempotency: null,
    answer: ({ execution, brackets }: Accepted) => JSON.stringify({ id: execution.id, brackets }),
  });
  const adding = async (setup: PositionSetup, legs = PAIR, over: Partial<OpenBasket> = {}) => {
    const basket = basketOf(legs, { setup, ...over });
    return JSON.parse(unwrap(await at.desk.engine.openBasket(PRINCIPAL, telling(), basket)).json);
  };
  const TURNED = [leg('AAA', 'SELL', '1000'), leg('BBB', 'BUY', '1000')];
  const reversed = async (brackets: 'CARRY' | 'DROP' = 'CARRY') => {
    const answered = await createPositionService(at.desk.engine.accept).reverse(PRINCIPAL, telling(), {
      positionId,
      slippage: null,
      onLegFailure: 'KEEP',
      brackets,
      clientId: null,
    });
    return JSON.parse(unwrap(answered).json);
  };
  const open = () => at.desk.state.positions.of(at.desk.account.id);
  const bracketsNow = () => {
    const [position] = open();
    return at.services.brackets.of(position?.id ?? '');
  };
  const ids = (triggers: readonly Trigger[]) => triggers.map(({ id }) => id);

  describe('an addition that brings a stop', () => {
    it('keeps the present one, and its answer says so', async () => {
      const { stopLoss } = await set({ stopLoss: plain('PERCENTAGE', '3') });
      const { id, brackets } = await adding(
        setupOf({ stopLoss: plain('PERCENTAGE', '1'), takeProfit: plain('PERCENTAGE', '9') }),
      );
      expect(ids(brackets.kept)).to.deep.equal([stopLoss?.id]);
      expect(brackets.replaced).to.deep.equal([]);
      expect(brackets.set.map(({ kind }: { kind: string }) => kind)).to.deep.equal(['TAKE_PROFIT']);
      await at.desk.ended(id);
      expect(bracketsNow().stopLoss?.id).to.equal(stopLoss?.id);
      expect(bracketsNow().takeProfit?.armed.bracket.value).to.equal('9');
    });

    it('takes its place where that is asked for, in one unit with the first fills', async () => {
      const { stopLoss } = await set({ stopLoss: plain('PERCENTAGE', '3') });
      const { id, brackets } = await adding(setupOf({ stopLoss: plain('PERCENTAGE', '1') }, 'REPLACE'));
      expect(ids(brackets.replaced)).to.deep.equal([stopLoss?.id]);
      expect(brackets.kept).to.deep.equal([]);
      await at.desk.ended(id);
      expect(bracketsNow().stopLoss?.armed.bracket).to.deep.equal(plain('PERCENTAGE', '1'));
      expect((await at.trigger(stopLoss?.id ?? '')).error).to.equal(
        'Replaced by the bracket of a later order',
      );
      const unit = at.desk.commits.find(({ unit: { triggers } }) =>
        triggers?.some((one) => one.id === stopLoss?.id && one.status === 'CANCELLED'),
      );
      expect(unit?.unit.triggers).to.have.length(2);
      expect(unit?.unit.positions).to.have.length(1);
    });

    it('a dry run says the same and changes nothing', async () => {
      const { stopLoss } = await set({ stopLoss: plain('PERCENTAGE', '3') });
      for (const [mode, field] of [
        ['KEEP', 'kept'],
        ['REPLACE', 'replaced'],
      ] as const) {
        const basket = basketOf(PAIR, { setup: setupOf({ stopLoss: plain('PERCENTAGE', '1') }, mode) });
        const told = await at.desk.engine.dryRunBasket(PRINCIPAL, at.desk.account, basket);
        expect(told.ok && ids(told.value.brackets?.[field] ?? [])).to.deep.equal([stopLoss?.id]);
      }
      expect(bracketsNow().stopLoss?.id).to.equal(stopLoss?.id);
    });

    it('a level that is passed already matters only where it would be set', async () => {
      await set({ stopLoss: plain('DOLLAR', '300') });
      await at.moveMark(AAA, '90');
      const { id } = await adding(setupOf({ stopLoss: plain('DOLLAR', '50') }));
      await at.desk.ended(id);
      const basket = basketOf(PAIR, { setup: setupOf({ stopLoss: plain('DOLLAR', '50') }, 'REPLACE') });
      const refused = await at.desk.engine.openBasket(PRINCIPAL, telling(), basket);
      expect(refused.ok ? null : refused.error.code).to.equal('VALIDATION_ERROR');
    });

    it('never takes the place of one that is closing the position', async () => {
      const { stopLoss } = await set({ stopLoss: plain('DOLLAR', '50') });
      at.desk.venue.behave(({ side, symbol }) => ({
        fraction: side === (symbol === AAA ? 'BUY' : 'SELL') ? '1' : '0',
      }));
      at.desk.venue.setMark(AAA, '94');
      await at.desk.advanceTo(() => (bracketsNow().stopLoss?.armed.work?.rounds ?? 0) >= 6);
      const { id, brackets } = await adding(setupOf({ stopLoss: plain('PERCENTAGE', '50') }, 'REPLACE'));
      expect(ids(brackets.kept)).to.deep.equal([stopLoss?.id]);
      await at.desk.ended(id);
      expect(bracketsNow().stopLoss?.id).to.equal(stopLoss?.id);
      at.desk.venue.behave(() => ({}));
      expect((await at.ended(stopLoss?.id ?? '')).status).to.equal('COMPLETED');
      expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
    });

    for (const mode of ['KEEP', 'REPLACE'] as const) {
      it(`of a trigger, where nobody can be asked: ${mode}`, async () => {
        const { stopLoss } = await set({ stopLoss: plain('PERCENTAGE', '30') });
        const id = await at.open({
          condition: above('110'),
          stopLoss: inMode(plain('PERCENTAGE', '10'), mode),
        });
        await at.firesAt(id, '111');
        const now = bracketsNow().stopLoss;
        expect(now?.armed.bracket).to.deep.equal(plain('PERCENTAGE', mode === 'KEEP' ? '30' : '10'));
        expect(now?.id === stopLoss?.id).to.equal(mode === 'KEEP');
      });
    }

    it('a trigger keeps its mode when its brackets are changed, and takes another', async () => {
      const id = await at.open({ stopLoss: inMode(plain('PERCENTAGE', '10'), 'REPLACE') });
      const eleven = plain('PERCENTAGE', '11');
      const changed = unwrap(await at.change(id, { stopLoss: eleven }));
      expect(changed.stopLoss).to.deep.equal({ ...eleven, replaces: true });
      expect(unwrap(await at.change(id, { brackets: 'KEEP' })).stopLoss).to.deep.equal(eleven);
    });

    it('of an order that fills in several attempts: there with the first fill, set once', async () => {
      let attempts = 0;
      at.desk.venue.behave(() => {
        attempts += 1;
        return { fraction: attempts <= 2 ? '0.5' : '1' };
      });
      const asked = setupOf({ stopLoss: plain('PERCENTAGE', '3') });
      const { id } = await adding(asked, [leg('CCC', 'BUY', '1000')], { onLegFailure: 'RETRY' });
      await at.desk.ended(id);
      const first = at.desk.commits.find(({ unit: { positions } }) =>
        positions?.some(({ legs: held }) => held.some(({ symbol }) => symbol === 'CCC-PERP')),
      );
      expect(first?.unit.triggers?.map(({ bracketType, status }) => [bracketType, status])).to.deep.equal([
        ['STOP_LOSS', 'ACTIVE'],
      ]);
      expect((await at.triggers()).filter(({ bracketType }) => bracketType !== null)).to.have.length(1);
    });
  });

  describe('a reversal', () => {
    it('carries PERCENTAGE and DOLLAR over and drops absolute levels, and says so', async () => {
      const { takeProfit, stopLoss } = await set({
        takeProfit: plain('PRICE_RATIO', '1.2'),
        stopLoss: { ...plain('PERCENTAGE', '3'), slippage: '0.05' },
      });
      const { brackets } = await reversed();
      expect(
        brackets.carried.map(({ from, to }: { from: Trigger; to: Bracket }) => [from.id, to]),
      ).to.deep.equal([[stopLoss?.id, { ...plain('PERCENTAGE', '3'), slippage: '0.05' }]]);
      expect(
        brackets.dropped.map(({ from, reason }: { from: Trigger; reason: string }) => [from.id, reason]),
      ).to.deep.equal([[takeProfit?.id, 'ABSOLUTE_LEVEL']]);
      await at.desk.allEnded();
      expect((await at.trigger(stopLoss?.id ?? '')).status).to.equal('CANCELLED');
      const now = bracketsNow();
      expect(now.takeProfit).to.equal(null);
      expect(now.stopLoss?.armed.bracket).to.deep.equal({ ...plain('PERCENTAGE', '3'), slippage: '0.05' });
      await at.firesAt(now.stopLoss?.id ?? '', '107');
      expect(at.desk.venue.held(AAA)).to.equal('0');
    });

    it('carries a trailing stop of a ratio over at its distance from now', async () => {
      await set({ stopLoss: trailing('PRICE_RATIO', '0.9', '0.1') });
      await at.moveMark(AAA, '125');
      const { brackets } = await reversed();
      // 0.1 of 1.25 is 8 %, and 8 % of 0.8 is 0.064.
      expect(brackets.carried[0].to).to.deep.equal(trailing('PRICE_RATIO', '0.736', '0.064'));
      await at.desk.allEnded();
      expect(bracketsNow().stopLoss?.armed).to.deep.include({ peak: '0.8' });
      await at.moveMark(AAA, '135', 1_000);
      expect(bracketsNow().stopLoss?.status).to.equal('ACTIVE');
      await at.moveMark(AAA, '136', 1_000);
      expect(open()).to.deep.equal([]);
    });

    it('drops them where that is asked for', async () => {
      const { stopLoss } = await set({ stopLoss: plain('PERCENTAGE', '3') });
      const { brackets } = await reversed('DROP');
      expect(brackets.carried).to.deep.equal([]);
      expect(brackets.dropped[0]).to.deep.include({ reason: 'ASKED' });
      expect(brackets.dropped[0].from.id).to.equal(stopLoss?.id);
      await at.desk.allEnded();
      expect(bracketsNow()).to.deep.equal({ takeProfit: null, stopLoss: null });
    });

    it('leaves the opposite position its own', async () => {
      await at.desk.ended((await adding(setupOf({ stopLoss: plain('PERCENTAGE', '7') }), TURNED)).id);
      await set({ stopLoss: plain('PERCENTAGE', '3') });
      const { brackets } = await reversed();
      expect(brackets.dropped[0]).to.deep.include({ reason: 'OPPOSITE_POSITION_HAS_ONE' });
      await at.desk.allEnded();
      expect(bracketsNow().stopLoss?.armed.bracket.value).to.equal('7');
    });

    it('protects where the opposite position is gone before the reversal comes to it', async () => {
      await at.desk.ended((await adding(setupOf({ stopLoss: plain('PERCENTAGE', '7') }), TURNED)).id);
      const opposite = open().find(({ id }) => id !== positionId)?.id ?? '';
      await set({ stopLoss: plain('PERCENTAGE', '3') });
      // Its close begins first, and both take a while.
      await at.desk.close(opposite);
      const { brackets } = await reversed();
      expect(brackets.dropped[0]).to.deep.include({ reason: 'OPPOSITE_POSITION_HAS_ONE' });
      await at.desk.allEnded();
      expect(open().map(({ id }) => id)).to.not.include.oneOf([opposite, positionId]);
      expect(bracketsNow().stopLoss?.armed.bracket.value).to.equal('3');
    });

    it('end with a trigger that was to close the position, and its owner is told', async () => {
      const id = await at.closes(positionId);
      await reversed();
      await at.desk.pass(5_000);
      expect(await at.trigger(id)).to.include({ status: 'CANCELLED', error: 'The position was reversed' });
      expect(await at.notifications()).to.include('TRIGGER_FAILED');
    });

    it('a close that failed leaves the brackets where they are', async () => {
      const { stopLoss } = await set({ stopLoss: plain('PERCENTAGE', '3') });
      at.desk.venue.behave(() => ({ fraction: '0' }));
      await reversed();
      await at.desk.allEnded();
      expect(open().map(({ id }) => id)).to.deep.equal([positionId]);
      expect(bracketsNow().stopLoss?.id).to.equal(stopLoss?.id);
    });

    it('dead at every commit: whatever is open has a stop', async function () {
      this.timeout(60_000);
      const live = async (dead: number): Promise<number> => {
        await set({ stopLoss: plain('PERCENTAGE', '3') });
        const begin = at.desk.commits.length;
        const wrong: string[] = [];
        const count = () => at.desk.commits.length - begin;
        at.desk.afterCommit = async () => {
          const all = await at.triggers();
          for (const position of await at.desk.positions()) {
            const hasStop = all.some((one) => one.positionId === position.id && one.status === 'ACTIVE');
            if (position.status === 'OPEN' && !hasStop)
              wrong.push(`commit ${count()}: ${position.basketKey}`);
          }
        };
        at.desk.dieAfterCommit = () => count() === dead;
        void reversed().catch(() => undefined);
        const isOver = () => open().some(({ id }) => id !== positionId) && at.desk.allHaveEnded;
        await at.desk.advanceTo(() => !at.desk.isAlive || isOver());
        if (!at.desk.isAlive) {
          await at.desk.start();
          await at.desk.allEnded();
        }
        expect(wrong, `dead after commit ${dead}`).to.deep.equal([]);
        // An opening that was never sent opens nothing.
        for (const { id } of open()) {
          const { stopLoss } = at.services.brackets.of(id);
          expect(stopLoss?.armed.bracket, `dead after commit ${dead}`).to.deep.equal(
            plain('PERCENTAGE', '3'),
          );
        }
        return count();
      };
      const commits = await live(-1);
      expect(commits).to.be.greaterThan(4);
      for (let dead = 1; dead <= commits; dead += 1) {
        at.desk.kill();
        await closeDesks();
        at = await triggerDesk();
        positionId = await at.position();
        await live(dead);
      }
    });
  });
});
