/** Turning a position over: the close first, then the opposite in the same quantities, across a restart too. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec } from '../../../gateway/domain/decimal.ts';
import type { Execution } from '../../../gateway/domain/model.ts';
import type { PositionService } from '../../../gateway/engine/positions/position-service.ts';
import { createPositionService } from '../../../gateway/engine/positions/position-service.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../support/engine-desk.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import { codeOf } from '../../support/unwrap.ts';

const PAIR = [leg('AAA', 'BUY', '2', 'BASE'), leg('BBB', 'SELL', '3', 'BASE')];

describe('reversing a position', () => {
  let positions: PositionService;
  const desk = engineDeskForEachTest((made) => {
    made.around = (engine) => {
      positions = createPositionService(engine.accept);
      return { load: () => Promise.resolve(), start: () => {} };
    };
  });

  const reverse = (
    positionId: string | null,
    over: { onLegFailure?: Execution['onLegFailure'] } = {},
    command = desk.command(),
  ) =>
    positions.reverse(PRINCIPAL, command, {
      positionId: positionId ?? '',
      slippage: null,
      onLegFailure: 'KEEP',
      brackets: 'CARRY',
      clientId: null,
      ...over,
    });
  async function accepted(result: Awaited<ReturnType<typeof reverse>>): Promise<string> {
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    expect(result.value.status).to.equal(202);
    return JSON.parse(result.value.json).id;
  }
  const childOf = async (parentId: string) =>
    (await desk.executions()).find((execution) => execution.parentId === parentId);
  const open = () => desk.state.positions.of(desk.account.id);
  const legsOf = (positionId: string | null) =>
    desk
      .position(positionId)
      .then(({ legs }) => legs.map((one) => `${one.side} ${one.quantity} ${one.symbol}`));

  it('closes, then opens the opposite in the same quantities, as parent and child', async () => {
    const { positionId } = await desk.opened(PAIR);
    const id = await accepted(await reverse(positionId));
    const [closed] = await desk.allEnded().then((all) => all.filter((one) => one.id === id));
    expect(closed).to.include({ intent: 'REVERSE', status: 'COMPLETED', origin: 'API', positionId });
    expect(await desk.position(positionId)).to.include({ status: 'CLOSED' });
    const child = await childOf(id);
    expect(child).to.include({ intent: 'OPEN', status: 'COMPLETED', parentId: id });
    expect(await legsOf(child?.positionId ?? null)).to.deep.equal(['SELL 2 AAA-PERP', 'BUY 3 BBB-PERP']);
    expect(open()).to.have.length(1);
    expect(desk.venue.held('AAA-PERP')).to.equal('-2');
    expect(desk.venue.held('BBB-PERP')).to.equal('3');
  });

  it('adds to an opposite basket that is open already', async () => {
    const { positionId } = await desk.opened(PAIR);
    const opposite = await desk.opened([leg('AAA', 'SELL', '1', 'BASE'), leg('BBB', 'BUY', '1', 'BASE')]);
    const id = await accepted(await reverse(positionId));
    await desk.allEnded();
    expect(await childOf(id)).to.include({ intent: 'ADJUST', positionId: opposite.positionId });
    expect(await legsOf(opposite.positionId)).to.deep.equal(['SELL 3 AAA-PERP', 'BUY 4 BBB-PERP']);
  });

  it('waits for an opposite basket that is busy', async () => {
    const { positionId } = await desk.opened(PAIR);
    desk.venue.behave(() => ({ answer: 'silent', lookups: Array(6).fill('no_answer'), streamed: 0 }));
    const busy = await desk.open([leg('AAA', 'SELL', '1', 'BASE'), leg('BBB', 'BUY', '1', 'BASE')]);
    await desk.advanceTo(() => desk.venue.asked.length > 0);
    desk.venue.behave(() => ({}));
    const id = await accepted(await reverse(positionId));
    await desk.allEnded();
    const child = await childOf(id);
    const first = await desk.execution(busy);
    expect(child).to.include({ intent: 'ADJUST', status: 'COMPLETED', positionId: first.positionId });
    expect(await legsOf(first.positionId)).to.deep.equal(['SELL 3 AAA-PERP', 'BUY 4 BBB-PERP']);
  });

  it('a close that does not complete is tried again inside its bound, and opens nothing', async () => {
    const { positionId } = await desk.opened(PAIR);
    desk.venue.behave(({ symbol }) => (symbol === 'BBB-PERP' ? { fraction: '0.5' } : {}));
    const id = await accepted(await reverse(positionId));
    const [closed] = await desk.allEnded().then((all) => all.filter((one) => one.id === id));
    expect(closed?.status).to.equal('FAILED');
    expect(closed?.orders[1]?.attempt).to.equal(4);
    expect(await childOf(id)).to.equal(undefined);
    expect(open().map((position) => position.id)).to.deep.equal([positionId]);
  });

  it('is refused where a leg is not held: the others would be turned over alone', async () => {
    const { positionId } = await desk.opened(PAIR);
    await desk.pass(10_000);
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '2' });
    await desk.pass(60_000);
    expect(await legsOf(positionId)).to.deep.equal(['BUY 0 AAA-PERP', 'SELL 3 BBB-PERP']);
    const answer = await reverse(positionId);
    expect(answer.ok ? null : answer.error).to.deep.include({ code: 'VALIDATION_ERROR' });
    const planned = await desk.engine.planReverse(PRINCIPAL, desk.account, {
      positionId: positionId ?? '',
      slippage: null,
      brackets: 'CARRY',
    });
    expect(planned.ok ? null : planned.error).to.deep.include({ code: 'VALIDATION_ERROR' });
    expect(desk.venue.held('BBB-PERP')).to.equal('-3');
  });

  it('onLegFailure is that of the opening half', async () => {
    const { positionId } = await desk.opened(PAIR);
    desk.venue.behave(({ symbol, reduceOnly }) =>
      symbol === 'BBB-PERP' && !reduceOnly ? { rejects: { reason: 'other', message: 'no' } } : {},
    );
    await accepted(await reverse(positionId, { onLegFailure: 'UNWIND' }));
    await desk.allEnded();
    expect(open()).to.deep.equal([]);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });

  describe('with less than the whole opposite position at its end', () => {
    const told = async () =>
      (await notificationsOf(desk))
        .filter(({ category }) => category === 'REVERSAL_FAILED')
        .map(({ parameters }) => parameters);

    it('its trader is told that trading was paused before the opening', async () => {
      const { positionId } = await desk.opened(PAIR);
      desk.afterCommit = async ({ newExecutions = [] }) => {
        if (newExecutions.every(({ parentId }) => parentId === null)) return;
        await desk.tradingPause.move(desk.account.userId, 'pause');
      };
      await accepted(await reverse(positionId));
      const [child] = (await desk.allEnded()).filter(({ parentId }) => parentId !== null);
      expect(child).to.include({ status: 'FAILED', errorCode: 'PAUSED' });
      expect(open()).to.deep.equal([]);
      const [parameters, ...more] = await told();
      expect(more).to.deep.equal([]);
      expect(parameters).to.deep.equal({
        type: 'reversal',
        tradeAccountId: desk.account.id,
        connector: 'scripted',
        executionId: child?.id,
        reason: `The position is closed, and the opposite one could not be opened: ${child?.error}`,
        legs: [
          { id: 'AAA-PERP', symbol: 'AAA', side: 'SELL' },
          { id: 'BBB-PERP', symbol: 'BBB', side: 'BUY' },
        ],
      });
    });

    it('its trader is told that the filled leg is closed again, and what of it could not be closed', async () => {
      const { positionId } = await desk.opened(PAIR);
      let closes = 0;
      desk.venue.behave(({ symbol, reduceOnly }) => {
        closes += reduceOnly ? 1 : 0;
        const isRefused = reduceOnly ? closes > 2 : symbol === 'BBB-PERP';
        return isRefused ? { rejects: { reason: 'other', message: 'no' } } : {};
      });
      await accepted(await reverse(positionId, { onLegFailure: 'UNWIND' }));
      await desk.allEnded();
      expect(desk.venue.held('AAA-PERP')).to.equal('-2');
      const [parameters, ...more] = await told();
      expect(more).to.deep.equal([]);
      expect(parameters?.reason).to.match(/more\. What was filled of it is being closed again$/);
      const all = (await notificationsOf(desk)).filter(({ category }) => category === 'LEG_IMBALANCE');
      expect(all.map((one) => one.parameters.reason)).to.have.length(1);
      expect(all[0]?.parameters.reason).to.match(/Still open of it: short 2 AAA$/);
    });

    for (const [sold, opened, said] of [
      ['2', [], /^AAA-PERP had been closed outside Tandem: no opposite position is opened$/],
      ['0.5', ['SELL 1.5 AAA-PERP', 'BUY 2.25 BBB-PERP'], /^AAA-PERP .* in part: .* in that proportion$/],
    ] as const)
      it(`its trader is told that ${sold} of 2 of a leg had been sold outside Tandem, and no leg is opened alone`, async () => {
        const { positionId } = await desk.opened(PAIR);
        await desk.pass(1_000);
        desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: sold });
        await accepted(await reverse(positionId));
        await desk.allEnded();
        expect(await Promise.all(open().map(({ id }) => legsOf(id)))).to.deep.equal(
          opened.length === 0 ? [] : [opened],
        );
        expect((await told()).map(({ reason }) => reason)).to.have.length(1);
        expect((await told())[0]?.reason).to.match(said);
      });

    const fate = fc.record(
      {
        rejects: fc.constant({ reason: 'other', message: 'no' } as const),
        fraction: fc.constantFrom('0', '0.5'),
        answer: fc.constantFrom('told', 'silent'),
        lost: fc.constant(true),
      },
      { requiredKeys: [] },
    );
    it('its trader is told, once, and of no other (property)', () =>
      forAllAsync(
        [
          fc.array(fc.option(fate, { nil: {} }), { maxLength: 8 }),
          fc.constantFrom<Execution['onLegFailure']>('KEEP', 'RETRY', 'UNWIND'),
          fc.option(fc.integer({ min: 1, max: 8 }), { nil: null }),
        ],
        propertyRuns(200, 40),
        async (fates, onLegFailure, death) => {
          const before = (await told()).length;
          const { positionId } = await desk.opened(PAIR);
          const had = [desk.venue.held('AAA-PERP'), desk.venue.held('BBB-PERP')];
          const queue = [...fates];
          desk.venue.behave(() => queue.shift() ?? {});
          let commits = 0;
          desk.dieAfterCommit = () => {
            commits += 1;
            return commits === death;
          };
          void reverse(positionId, { onLegFailure });
          await desk.pass(60_000);
          desk.dieAfterCommit = () => false;
          if (!desk.isAlive) await desk.start();
          await desk.allEnded();
          const has = [desk.venue.held('AAA-PERP'), desk.venue.held('BBB-PERP')];
          const isTurned = has.every((quantity, index) =>
            dec(quantity)
              .plus(had[index] ?? 0)
              .isZero(),
          );
          const wasAccepted = commits > 0;
          expect((await told()).length - before).to.equal(wasAccepted && !isTurned ? 1 : 0);
          desk.venue.behave(() => ({}));
          for (const { id } of open()) await desk.ended(await desk.close(id));
        },
      ));
  });

  it('a process that dies between the two opens the opposite after the start, once', async () => {
    const { positionId } = await desk.opened(PAIR);
    desk.dieAfterCommit = (unit) => unit.newExecutions?.some(({ parentId }) => parentId !== null) === true;
    void reverse(positionId);
    await desk.advanceTo(() => !desk.isAlive);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
    await desk.start();
    await desk.allEnded();
    expect(desk.venue.held('AAA-PERP')).to.equal('-2');
    await desk.start();
    await desk.pass(60_000);
    expect(desk.venue.held('AAA-PERP')).to.equal('-2');
    expect(desk.venue.batches).to.have.length(3);
  });

  it('refusals: unknown, another account’s, closed already, busy, paused', async () => {
    const { positionId } = await desk.opened(PAIR);
    const code = async (result: ReturnType<typeof reverse>) => codeOf(await result);
    expect(await code(reverse('nowhere'))).to.equal('RESOURCE_NOT_FOUND');
    const other = { ...desk.command(), account: { ...desk.account, id: 'another' } };
    expect(await code(reverse(positionId, {}, other))).to.equal('RESOURCE_NOT_FOUND');

    await desk.tradingPause.move(desk.account.userId, 'pause');
    const paused = await reverse(positionId);
    expect(paused).to.deep.include({ ok: false });
    expect(!paused.ok && paused.error).to.deep.include({
      code: 'RESOURCE_BUSY',
      details: { reason: 'PAUSED' },
    });
    await desk.tradingPause.move(desk.account.userId, 'resume');

    const closing = await desk.close(positionId ?? '');
    expect(await code(reverse(positionId))).to.equal('RESOURCE_BUSY');
    await desk.ended(closing);
    await desk.quiet();
    expect(await code(reverse(positionId))).to.equal('NOOP_ERROR');
    expect((await desk.unfinished()).length).to.equal(0);
    expect(desk.venue.batches).to.have.length(2);
  });
});
