/** The same order twice within a minute is asked about, where the mandate says so. */
import { expect } from 'chai';
import type { Mandate, MandateHolder } from '../../../gateway/domain/mandate.ts';
import type { TradeLeg } from '../../../gateway/domain/model.ts';
import { isSameOrder, orderPrint, printOf } from '../../../gateway/domain/same-order.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';
import { AGENT, AGENT_HOLDER, MandateDesk } from '../../support/mandate-desk.ts';
import { grantPrincipal, openMandate } from '../../support/mandates.ts';
import { execution } from '../../support/store-records.ts';

const PAIR = [leg('AAA', 'BUY', '100'), leg('BBB', 'SELL', '100')];

describe('the same order', () => {
  const mark = (symbol: string) => (symbol === 'AAA-PERP' ? '50' : null);
  const print = (legs: readonly TradeLeg[], totalUsd: string | null = null, account = 'account') =>
    orderPrint(account, [{ legs, totalUsd }]);
  const same = (a: ReturnType<typeof print>, b: ReturnType<typeof print>) => isSameOrder(a, b, mark);
  const before = print(PAIR);
  const rows: readonly (readonly [string, ReturnType<typeof print>, boolean])[] = [
    ['again', print(PAIR), true],
    ['its legs the other way round', print([...PAIR].reverse()), true],
    ['2 % more of a leg', print([leg('AAA', 'BUY', '102'), leg('BBB', 'SELL', '100')]), true],
    ['2 % less of a leg', print([leg('AAA', 'BUY', '98'), leg('BBB', 'SELL', '100')]), true],
    ['more than 2 % more of a leg', print([leg('AAA', 'BUY', '102.01'), leg('BBB', 'SELL', '100')]), false],
    ['more than 2 % less of a leg', print([leg('AAA', 'BUY', '100'), leg('BBB', 'SELL', '97.99')]), false],
    ['another side', print([leg('AAA', 'BUY', '100'), leg('BBB', 'BUY', '100')]), false],
    ['another instrument', print([leg('AAA', 'BUY', '100'), leg('CCC', 'SELL', '100')]), false],
    ['a leg more', print([...PAIR, leg('CCC', 'BUY', '1')]), false],
    ['a leg less', print(PAIR.slice(0, 1)), false],
    ['another account', print(PAIR, null, 'other'), false],
    [
      'by shares of a total',
      print([leg('AAA', 'BUY', '0.5', 'WEIGHT'), leg('BBB', 'SELL', '0.5', 'WEIGHT')], '200'),
      true,
    ],
    [
      'by shares of more',
      print([leg('AAA', 'BUY', '0.5', 'WEIGHT'), leg('BBB', 'SELL', '0.5', 'WEIGHT')], '210'),
      false,
    ],
    ['in base units at the mark', print([leg('AAA', 'BUY', '2', 'BASE'), leg('BBB', 'SELL', '100')]), true],
    ['in other base units', print([leg('AAA', 'BUY', '2.1', 'BASE'), leg('BBB', 'SELL', '100')]), false],
    [
      'in base units without a mark',
      print([leg('AAA', 'BUY', '100'), leg('BBB', 'SELL', '2', 'BASE')]),
      false,
    ],
  ];
  for (const [what, now, expected] of rows)
    it(`${expected ? 'is' : 'is not'} ${what}`, () => {
      expect(same(before, now)).to.equal(expected);
    });

  it('in base units needs no mark, and an accepted one is told by its orders', () => {
    const base = [leg('BBB', 'SELL', '2', 'BASE')];
    expect(same(print(base), print(base))).to.equal(true);
    const [first, second] = execution().orders;
    if (first === undefined || second === undefined) throw new Error('an execution of two legs');
    const [long, short] = PAIR;
    const orders = [
      { ...first, ...long },
      { ...second, ...short },
    ];
    expect(same(printOf(execution({ orders })), before)).to.equal(true);
  });
});

describe('a mandate that asks about the same order', () => {
  let on: MandateDesk;
  const desk = engineDeskForEachTest((made) => {
    on = new MandateDesk(made);
  });

  const allow = (
    duplicates: Mandate['approval']['duplicates'],
    holder: MandateHolder = AGENT_HOLDER,
    lineage: string[] = [],
  ) => {
    const { approval, ...rest } = openMandate([desk.account.id]);
    desk.mandates.put(holder, { ...rest, approval: { ...approval, duplicates } }, { lineage });
  };
  const questions = () => desk.desk.asked.map(({ reasons }) => reasons);

  it('lets it wait for a person, for a minute, and not what is another one', async () => {
    allow('ask');
    await on.id(on.open(AGENT, PAIR));
    await desk.allEnded();
    await desk.pass(58_000);
    expect((await on.refusal(on.open(AGENT, [...PAIR].reverse()))).details).to.have.property(
      'reason',
      'APPROVAL',
    );
    await on.id(on.open(AGENT, [leg('AAA', 'BUY', '110'), leg('BBB', 'SELL', '110')]));
    expect(questions()).to.deep.equal([['DUPLICATE']]);
    await desk.pass(60_001);
    await on.id(on.open(AGENT, PAIR));
    expect(questions()).to.deep.equal([['DUPLICATE']]);
  });

  it('knows it also after a kill, and from a grant whose place it has taken', async () => {
    allow('ask');
    await on.id(on.open(AGENT, PAIR));
    await desk.start();
    await on.refusal(on.open(AGENT, PAIR));
    allow('ask', { kind: 'oauth_grant', id: 'next' }, ['agent']);
    await on.refusal(on.open(grantPrincipal('next'), PAIR));
    expect(questions()).to.deep.equal([['DUPLICATE'], ['DUPLICATE']]);
  });

  it('knows by its quantities, after a kill, what was asked for by weights', async () => {
    allow('ask');
    const weighed = [
      { ...leg('AAA', 'BUY', '0.5'), mode: 'WEIGHT' as const },
      { ...leg('BBB', 'SELL', '0.5'), mode: 'WEIGHT' as const },
    ];
    const open = () => on.open(AGENT, weighed, { totalUsd: '200' });
    await on.id(open());
    await desk.allEnded();
    await desk.start();
    await on.refusal(open());
    expect(questions()).to.deep.equal([['DUPLICATE']]);
  });

  it('lets be asked for again what ended before anything was sent, also after a kill', async () => {
    allow('ask');
    const tooSmall = [leg('AAA', 'BUY', '0.0001'), leg('BBB', 'SELL', '0.0001')];
    for (let times = 0; times < 2; times += 1) {
      const id = await on.id(on.open(AGENT, tooSmall));
      await desk.allEnded();
      expect((await desk.store.execution(desk.account.id, id))?.status).to.equal('FAILED');
    }
    await desk.start();
    await on.id(on.open(AGENT, tooSmall));
    expect(questions()).to.deep.equal([]);
  });

  it('covers what waits; what was not committed was no order', async () => {
    allow('ask');
    desk.storeRefuses = (unit) => unit.newExecutions !== undefined;
    expect((await on.refusal(on.open(AGENT, PAIR))).code).to.equal('DATABASE_ERROR');
    desk.storeRefuses = () => false;
    await on.id(on.open(AGENT, PAIR));
    await on.id(on.trigger(AGENT, [leg('AAA', 'BUY', '50')], '1000'));
    await on.refusal(on.trigger(AGENT, [leg('AAA', 'BUY', '50')], '1001'));
    expect(questions()).to.deep.equal([['DUPLICATE']]);
  });

  for (const allowed of ['allow', undefined] as const)
    it(`asks nobody with ${allowed ?? 'nothing said'}, and never about what makes smaller`, async () => {
      allow(allowed);
      await on.id(on.open(AGENT, PAIR));
      await desk.allEnded();
      await on.id(on.open(AGENT, PAIR));
      await desk.allEnded();
      allow('ask');
      const [position] = desk.state.positions.of(desk.account.id);
      for (let times = 0; times < 2; times += 1) {
        await on.id(on.close(AGENT, position?.id ?? '', '0.25'));
        await desk.allEnded();
      }
      expect(questions()).to.deep.equal([]);
    });
});
