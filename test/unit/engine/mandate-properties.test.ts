import { expect } from 'chai';
import fc from 'fast-check';
import type { Mandate, MandateHolder } from '../../../gateway/domain/mandate.ts';
import type { Principal, TradeLeg } from '../../../gateway/domain/model.ts';
import { Warden } from '../../../gateway/engine/core/warden.ts';
import { EngineDesk, engineDesk } from '../../support/engine-desk.ts';
import { exactText } from '../../support/exact.ts';
import { MandateDesk } from '../../support/mandate-desk.ts';
import { MandateModel } from '../../support/mandate-model.ts';
import { openMandate } from '../../support/mandates.ts';
import { forAllAsync, propertyRuns, weightedRecord } from '../../support/property-runs.ts';
import { storeForSuite } from '../../support/store-records.ts';
import { anyBehaviour, anyLegs } from './any-orders.ts';

const RUNS = propertyRuns(60, 12);
const WHO = ['one', 'two', 'key', 'user'] as const;
type Who = (typeof WHO)[number];

const who = fc.constantFrom<Who>('one', 'one', 'two', 'key', 'user');
const limited = fc.constantFrom<Exclude<Who, 'user'>>('one', 'two', 'key');
const legs = anyLegs(['20', '60', '99.9', '150']);
const limits: fc.Arbitrary<Partial<Mandate>> = fc.record({
  maxOrderUsd: fc.constantFrom('60', '150', '300', null),
  maxOpenedUsd24h: fc.constantFrom('100', '250', '600', null),
  maxGrossUsd: fc.constantFrom('100', '250', '600', null),
  maxPositions: fc.constantFrom(1, 3, null),
  maxResting: fc.constantFrom(2, 6, null),
});
const policy = fc.constantFrom('KEEP' as const, 'RETRY' as const, 'UNWIND' as const);
const at = fc.integer({ min: 85, max: 118 });
const action = fc.oneof(
  weightedRecord(6, { do: fc.constant('open' as const), by: who, legs, policy }),
  weightedRecord(2, { do: fc.constant('trigger' as const), by: who, legs, at }),
  weightedRecord(2, { do: fc.constant('ladder' as const), by: who, legs, at }),
  weightedRecord(2, { do: fc.constant('twap' as const), by: who, legs }),
  weightedRecord(4, {
    do: fc.constantFrom('increase' as const, 'reverse' as const, 'close' as const, 'half' as const),
    by: who,
    nth: fc.nat(3),
  }),
  weightedRecord(3, { do: fc.constant('edit' as const), of: limited, limits }),
  weightedRecord(1, { do: fc.constant('house' as const), opened: fc.constantFrom('300', '700', null) }),
  weightedRecord(1, { do: fc.constantFrom('suspend' as const, 'resume' as const), of: limited }),
  weightedRecord(1, { do: fc.constant('reconnect' as const) }),
  weightedRecord(2, {
    do: fc.constant('move' as const),
    symbol: fc.constantFrom('AAA-PERP', 'BBB-PERP'),
    mark: at,
  }),
  weightedRecord(3, { do: fc.constant('wait' as const), ms: fc.constantFrom(0, 10, 1_000, 65_000) }),
  weightedRecord(1, { do: fc.constant('die' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

/** One user with two agents and a key. */
class House {
  readonly desk: EngineDesk;
  readonly on: MandateDesk;
  readonly model: MandateModel;
  readonly #ids: Record<Exclude<Who, 'user'>, string>;
  readonly #lineage: string[] = [];
  readonly #terms: Record<Exclude<Who, 'user'>, Partial<Mandate>> = {
    one: { maxOrderUsd: '150', maxOpenedUsd24h: '250', maxGrossUsd: '600' },
    two: { maxOrderUsd: '300', maxOpenedUsd24h: '600', maxGrossUsd: '250' },
    key: { maxOpenedUsd24h: '250', maxGrossUsd: '250' },
  };
  #house: { readonly opened: string | null; readonly gross: string | null } = { opened: '700', gross: '900' };
  readonly #families = new Map<string, string>();
  #reconnects = 0;

  constructor(desk: EngineDesk, userId: string) {
    this.desk = new EngineDesk(desk.store, { ...desk.account, userId });
    this.on = new MandateDesk(this.desk);
    this.#ids = { one: `one of ${userId}`, two: `two of ${userId}`, key: `key of ${userId}` };
    for (const [name, id] of Object.entries(this.#ids)) this.#families.set(id, name);
    this.model = new MandateModel(
      {
        uptime: () => this.desk.clock.uptime(),
        mark: (symbol) => this.desk.venue.market.quote('scripted', symbol)?.mark ?? '0',
        limits: (placed) => {
          const bound = this.desk.mandates.of(placed);
          if (bound === null) return null;
          const { mandate } = bound;
          return { family: this.#families.get(bound.holder.id) ?? '', mandate, house: this.#house };
        },
      },
      (id) => this.#families.get(id) ?? '',
    );
    this.desk.storeRefuses = (unit) => {
      this.model.take(unit);
      return false;
    };
    for (const name of ['one', 'two', 'key'] as const) this.#bind(name);
    this.limitHouse('700');
  }

  principal(name: Who): Principal {
    const { userId } = this.desk.account;
    if (name === 'user') return { kind: 'session', userId, sessionId: 'session' };
    const id = this.#ids[name];
    if (name === 'key')
      return { kind: 'api_key', userId, keyId: id, scope: 'read_write', tradeAccountIds: null };
    return { kind: 'oauth_grant', userId, grantId: id, clientId: 'client', scopes: ['mcp:write'] };
  }

  holder(name: Exclude<Who, 'user'>): MandateHolder {
    return { kind: name === 'key' ? 'api_key' : 'oauth_grant', id: this.#ids[name] };
  }

  edit(name: Exclude<Who, 'user'>, terms: Partial<Mandate>): void {
    this.#terms[name] = terms;
    this.#bind(name);
  }

  limitHouse(opened: string | null): void {
    this.#house = { opened, gross: '900' };
    this.desk.mandates.limitHouse({ maxOpenedUsd24h: opened, maxGrossUsd: '900' }, this.desk.account.userId);
  }

  /** Agent one is revoked and registers anew. */
  reconnect(): void {
    const before = this.#ids.one;
    this.desk.cutOff.add(before);
    this.#lineage.push(before);
    this.#ids.one = `${before} ${++this.#reconnects}`;
    this.#families.set(this.#ids.one, 'one');
    this.#bind('one');
  }

  #bind(name: Exclude<Who, 'user'>): void {
    const terms = openMandate([this.desk.account.id], { manage: 'ALL', ...this.#terms[name] });
    const lineage = name === 'one' ? [...this.#lineage] : [];
    this.desk.mandates.put(this.holder(name), terms, { userId: this.desk.account.userId, lineage });
  }

  /** Usage in memory and as a start would rebuild it from the disk, for each holder. */
  async compared(): Promise<readonly (readonly [string, unknown, unknown])[]> {
    const { desk } = this;
    const { warden, state, store, clock, venue, mandates, desk: approvals } = desk;
    const ids = { next: () => 'none' };
    const again = new Warden({
      ...{ store, clock, ids, market: venue.market, state, book: mandates, desk: approvals },
      venues: { get: () => venue },
    });
    await again.load();
    for (const schedule of this.on.services.scheduler.schedules.all())
      again.reservations.scheduleIs(schedule);
    return (['one', 'two', 'key'] as const).map((name) => {
      const { kind, id } = this.holder(name);
      const bound = mandates.of({ authorityKind: kind, authorityId: id });
      if (bound === null) throw new Error(`${name} has no mandate`);
      const { own, house } = warden.usageOf(bound);
      const rebuilt = again.usageOf(bound);
      return [name, { own, house }, { own: rebuilt.own, house: rebuilt.house }];
    });
  }
}

describe('agents and programs under mandates', () => {
  const store = storeForSuite();
  let users = 0;

  async function sameAsOnDisk(house: House): Promise<void> {
    await house.desk.quiet();
    for (const [name, inMemory, onDisk] of await house.compared())
      expect(inMemory, name).to.deep.equal(onDisk);
  }

  const refusals = new Map<string, number>();
  const note = (answer: Promise<{ readonly ok: boolean; readonly error?: { readonly code: string } }>) => {
    void answer.then((said) => {
      const code = said.ok ? 'taken' : (said.error?.code ?? '');
      refusals.set(code, (refusals.get(code) ?? 0) + 1);
    });
  };

  async function play(house: House, one: Action): Promise<number> {
    const { desk, on } = house;
    switch (one.do) {
      case 'open':
        note(on.open(house.principal(one.by), one.legs as readonly TradeLeg[], { onLegFailure: one.policy }));
        return 0;
      case 'trigger':
        note(on.trigger(house.principal(one.by), one.legs, String(one.at)));
        return 0;
      case 'ladder':
        note(on.ladder(house.principal(one.by), one.legs, String(one.at), String(one.at - 20)));
        return 0;
      case 'twap':
        note(on.twap(house.principal(one.by), one.legs));
        return 0;
      case 'edit':
        house.edit(one.of, one.limits);
        return 0;
      case 'house':
        house.limitHouse(one.opened);
        return 0;
      case 'suspend':
        desk.mandates.suspend(house.holder(one.of), 'test');
        return 0;
      case 'resume':
        desk.mandates.resume(house.holder(one.of));
        return 0;
      case 'reconnect':
        house.reconnect();
        return 0;
      case 'move':
        // Prices move between two batches: a venue would not fill a purchase above its limit.
        await desk.quiet();
        desk.venue.setMark(one.symbol, String(one.mark));
        return 0;
      case 'wait':
        await desk.pass(one.ms);
        await sameAsOnDisk(house);
        return 1;
      case 'die':
        await sameAsOnDisk(house);
        await desk.start();
        return 1;
      default: {
        const open = desk.state.positions.of(desk.account.id);
        const position = open[one.nth % Math.max(1, open.length)];
        if (position === undefined) return 0;
        const by = house.principal(one.by);
        if (one.do === 'increase') note(on.increase(by, position.id, '60'));
        else if (one.do === 'reverse') note(on.reverse(by, position.id));
        else note(on.close(by, position.id, one.do === 'half' ? '0.5' : '1'));
        return 0;
      }
    }
  }

  it('never use more than they may, and the disk says the same as memory', async function () {
    this.timeout(Math.max(240_000, RUNS.numRuns * 2_000));
    let checked = 0;
    let compared = 0;
    let past = '0';
    await forAllAsync(
      [fc.array(action, { minLength: 6, maxLength: 18 }), fc.array(anyBehaviour, { maxLength: 10 })],
      RUNS,
      async (actions, behaviours) => {
        const house = new House(await engineDesk(store), `user ${++users}`);
        let sent = 0;
        house.desk.venue.behave(() => behaviours[sent++] ?? {});
        await house.desk.start();
        for (const one of actions) compared += await play(house, one);
        await house.desk.pass(400_000);
        await sameAsOnDisk(house);
        compared += 1;
        checked += house.model.checked;
        if (exactText(house.model.past) !== '0') past = exactText(house.model.past);
        house.desk.kill();
        expect(house.model.violations).to.deep.equal([]);
        // Only unfinished executions still have a reservation.
        const left = (await store.unfinishedExecutions()).filter(
          ({ tradeAccountId }) => tradeAccountId === house.desk.account.id,
        );
        expect(house.model.running().length).to.equal(left.length);
      },
    );
    process.stdout.write(
      `      ${RUNS.numRuns} runs: ${checked} states held against limits, ${compared} times disk and memory compared, ${past} USD past a limit; ${JSON.stringify(Object.fromEntries(refusals))}\n`,
    );
    expect(checked).to.be.greaterThan(RUNS.numRuns * 2);
    expect(refusals.get('AGENT_LIMIT')).to.be.greaterThan(0);
  });
});
