/** Take-profit and stop-loss of a position while an addition to it fills, fails and is closed again. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { BracketRecord } from '../../../../gateway/domain/bracket-rounds.ts';
import { dec } from '../../../../gateway/domain/decimal.ts';
import type { Execution } from '../../../../gateway/domain/model.ts';
import { levelsOf } from '../../../../gateway/domain/trailing.ts';
import type { Bracket, BracketKind } from '../../../../gateway/domain/trigger.ts';
import { isUnwound } from '../../../../gateway/engine/execution/unwind.ts';
import { reasonsOf, triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { closeDesks, leg } from '../../../support/engine-desk.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';
import type { Behaviour } from '../../../support/scripted-venue.ts';
import {
  AAA,
  over as above,
  BBB,
  PAIR,
  type TriggerDesk,
  triggerDesk,
} from '../../../support/trigger-desk.ts';
import { type BracketChange, plain, setBrackets, setupOf } from './bracket-desk.ts';

const REFUSED: Behaviour = { rejects: { reason: 'margin', message: 'not enough collateral' } };
const HALF = [leg('AAA', 'BUY', '500'), leg('BBB', 'SELL', '500')];
const KINDS: readonly BracketKind[] = ['TAKE_PROFIT', 'STOP_LOSS'];

/** Metric, asked value and level now, by kind. */
function protectionOf(at: TriggerDesk, positionId: string): Readonly<Record<string, string>> {
  const { takeProfit, stopLoss } = at.services.brackets.of(positionId);
  const present = [takeProfit, stopLoss].filter((one): one is BracketRecord & typeof one => one !== null);
  return Object.fromEntries(
    present.map(({ bracketType, armed, status }) => {
      const level = dec(levelsOf(bracketType, armed).level).toFixed(4);
      return [bracketType, `${status} ${armed.bracket.type} ${armed.bracket.value}, now ${level}`];
    }),
  );
}

describe('an addition with UNWIND that fails', () => {
  const at = triggerDeskForEachTest();
  let positionId: string;
  beforeEach(async () => {
    positionId = await at.position();
  });
  const told = () => reasonsOf(at.desk, 'STOP_LOSS_NOT_SET');
  const refuseShortLeg = () =>
    at.desk.venue.behave(({ symbol, reduceOnly }) => (symbol === BBB && !reduceOnly ? REFUSED : {}));
  const adding = async (asked: BracketChange) => {
    await at.desk.opened(HALF, { onLegFailure: 'UNWIND', setup: setupOf(asked, 'REPLACE') });
    await at.desk.allEnded();
  };

  for (const stopLoss of [plain('PERCENTAGE', '30'), plain('POSITION_VALUE', '600'), plain('DOLLAR', '900')])
    it(`leaves the stop-loss that the position had (${stopLoss.type})`, async () => {
      await setBrackets(at, positionId, { stopLoss: plain('PERCENTAGE', '2') });
      const before = protectionOf(at, positionId);
      refuseShortLeg();
      await adding({ stopLoss });
      expect(at.desk.venue.held(AAA)).to.equal('10');
      expect(protectionOf(at, positionId)).to.deep.equal(before);
      const [reason, ...more] = await told();
      expect(more).to.deep.equal([]);
      expect(reason).to.match(
        /its fills are being closed again \(.*not enough collateral.*[^.]\)\. .*keeps the stop-loss/,
      );
    });

  it('of a trigger leaves the stop-loss that the position had', async () => {
    await setBrackets(at, positionId, { stopLoss: plain('PERCENTAGE', '30') });
    const { stopLoss: before } = at.services.brackets.of(positionId);
    refuseShortLeg();
    const { stopLoss } = setupOf({ stopLoss: plain('PERCENTAGE', '60') }, 'REPLACE');
    const id = await at.open({ condition: above('101'), legs: HALF, onLegFailure: 'UNWIND', stopLoss });
    at.desk.venue.setMark(AAA, '102');
    expect((await at.ended(id)).status).to.equal('FAILED');
    // Its level moves by the loss that the unwinding has realised, as with any reduction.
    const { stopLoss: after } = at.services.brackets.of(positionId);
    expect(after).to.include({ id: before?.id, status: 'ACTIVE' });
    expect(after?.armed.bracket).to.deep.equal(plain('PERCENTAGE', '30'));
    expect(await told()).to.have.length(1);
  });

  it('protects its fills at once where the position has no stop-loss, and that stays', async () => {
    refuseShortLeg();
    await adding({ stopLoss: plain('PERCENTAGE', '30'), takeProfit: plain('PERCENTAGE', '40') });
    const [fills] = at.desk.commits.filter(({ unit }) =>
      unit.triggers?.some(({ status }) => status === 'ACTIVE'),
    );
    expect(fills?.unit.positions).to.have.length(1);
    expect(at.desk.venue.held(AAA)).to.equal('10');
    const { STOP_LOSS: stop, TAKE_PROFIT: profit } = protectionOf(at, positionId);
    expect([stop, profit].map((one) => one?.split(',')[0])).to.deep.equal([
      'ACTIVE PERCENTAGE 30',
      'ACTIVE PERCENTAGE 40',
    ]);
    expect(await told()).to.deep.equal([]);
  });

  it('keeps its stop-loss where its fills could not be closed', async () => {
    at.desk.venue.behave(({ symbol, reduceOnly }) => (symbol === BBB || reduceOnly ? REFUSED : {}));
    await adding({ stopLoss: plain('PERCENTAGE', '30') });
    expect(at.desk.venue.held(AAA)).to.equal('15');
    expect(protectionOf(at, positionId)['STOP_LOSS']).to.match(/^ACTIVE PERCENTAGE 30,/);
  });

  it('tells of no stop-loss where the position is closed', async () => {
    await at.desk.ended(await at.desk.close(positionId));
    refuseShortLeg();
    await adding({ stopLoss: plain('PERCENTAGE', '30') });
    expect(at.desk.state.positions.of(at.desk.account.id)).to.deep.equal([]);
    expect((await told()).filter((reason) => /closed again/.test(String(reason)))).to.deep.equal([]);
  });

  it('replaces the stop-loss in the unit of its end where all fills', async () => {
    await setBrackets(at, positionId, { stopLoss: plain('PERCENTAGE', '2') });
    at.desk.venue.behave(() => ({ parts: 2 }));
    await adding({ stopLoss: plain('PERCENTAGE', '30') });
    expect(protectionOf(at, positionId)['STOP_LOSS']).to.match(/^ACTIVE PERCENTAGE 30,/);
    const replaced = at.desk.commits.find(({ unit }) =>
      unit.triggers?.some(({ status }) => status === 'CANCELLED'),
    );
    expect(replaced?.unit.executions?.[0]?.status).to.equal('COMPLETED');
    expect(await told()).to.deep.equal([]);
  });
});

const fate = fc.constantFrom<Behaviour>(
  {},
  {},
  {},
  REFUSED,
  { fraction: '0.5' },
  { lost: true },
  { answer: 'silent' },
  { parts: 2 },
);
const bracket = (values: readonly Bracket[]) => fc.option(fc.constantFrom(...values), { nil: null });
const asks = fc.record({
  stopLoss: bracket([
    plain('PERCENTAGE', '2'),
    plain('PERCENTAGE', '30'),
    plain('DOLLAR', '900'),
    plain('POSITION_VALUE', '300'),
  ]),
  takeProfit: bracket([plain('PERCENTAGE', '50'), plain('DOLLAR', '5000')]),
});
const additions = fc.record({
  asks,
  mode: fc.constantFrom('KEEP', 'REPLACE', 'REPLACE'),
  onLegFailure: fc.constantFrom<Execution['onLegFailure']>('UNWIND', 'UNWIND', 'KEEP', 'RETRY'),
  usd: fc.integer({ min: 300, max: 3_000 }),
  fates: fc.array(fate, { minLength: 2, maxLength: 8 }),
  death: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
});

describe('protection of a position, whatever becomes of its additions', () => {
  /** Fails at a commit that leaves an asked stop-loss out of force, and its trader without a word. */
  function expectNeverUnprotected({ desk }: TriggerDesk): void {
    const [stops, wanted] = [new Map<string, string>(), new Set<string>()];
    const open = new Set<string>();
    for (const { unit } of desk.commits) {
      for (const { id, bracketType, status, positionId } of unit.triggers ?? []) {
        if (bracketType !== 'STOP_LOSS' || positionId === null) continue;
        wanted.add(positionId);
        if (['ACTIVE', 'TRIGGERED'].includes(status)) stops.set(id, positionId);
        else stops.delete(id);
      }
      for (const { id, status } of unit.positions ?? [])
        if (status === 'OPEN') open.add(id);
        else open.delete(id);
      const isTold = (unit.notifications ?? []).some(({ category }) => category === 'STOP_LOSS_NOT_SET');
      if (isTold) wanted.clear();
      const inForce = new Set(stops.values());
      for (const id of wanted)
        expect(!open.has(id) || inForce.has(id), 'a stop-loss is in force').to.equal(true);
    }
  }

  it('is that before an unwound one, and what was asked after any other', async function () {
    const runs = propertyRuns(400, 60);
    this.timeout(60_000 + runs.numRuns * 2_000);
    await forAllAsync(
      [asks, fc.array(additions, { minLength: 1, maxLength: 3 })],
      runs,
      async (first, drawn) => {
        const at = await triggerDesk();
        const { desk } = at;
        try {
          const { positionId } = await desk.opened(PAIR, { setup: setupOf(first, 'REPLACE') });
          for (const { asks: asked, mode, onLegFailure, usd, fates, death } of drawn) {
            const id = positionId ?? '';
            const before = protectionOf(at, id);
            const queue = [...fates];
            desk.venue.behave(() => queue.shift() ?? {});
            let commits = 0;
            desk.dieAfterCommit = () => {
              commits += 1;
              return commits === death;
            };
            const legs = [leg('AAA', 'BUY', String(usd)), leg('BBB', 'SELL', String(usd))];
            void desk.open(legs, { onLegFailure, setup: setupOf(asked, mode) });
            await desk.pass(60_000);
            desk.dieAfterCommit = () => false;
            if (!desk.isAlive) await desk.start();
            const all = await desk.allEnded();
            const added = all.findLast(({ parentId }) => parentId === null);
            if (added === undefined) throw new Error('nothing was added');
            const unwinding = all.find(({ parentId }) => parentId === added.id);
            if (added.orders.some(({ errorCode }) => errorCode === 'NEEDS_REVIEW')) return;
            const after = protectionOf(at, id);
            const isBack = isUnwound(added) && unwinding?.status === 'COMPLETED';
            const hasFilled = added.orders.some(({ filledQuantity }) => filledQuantity !== '0');
            for (const kind of KINDS) {
              const now = after[kind];
              const was = before[kind];
              const wanted = asked[kind === 'STOP_LOSS' ? 'stopLoss' : 'takeProfit'];
              const staysOld = was !== undefined && (mode === 'KEEP' || isUnwound(added));
              const context = JSON.stringify({
                kind,
                before,
                after,
                asked,
                mode,
                onLegFailure,
                fates,
                death,
              });
              const isAsBefore = (isBack && was !== undefined) || !hasFilled || wanted === null;
              if (isAsBefore) {
                expect(now?.split(',')[0], context).to.equal(was?.split(',')[0]);
                if (isBack) expect(now, context).to.equal(was);
              } else if (staysOld) expect(now?.split(',')[0], context).to.equal(was.split(',')[0]);
              else expect(now?.split(',')[0], context).to.equal(`ACTIVE ${wanted.type} ${wanted.value}`);
            }
          }
          expectNeverUnprotected(at);
        } finally {
          desk.kill();
          await closeDesks();
        }
      },
    );
  });
});
