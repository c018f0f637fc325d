/**
 * Notifies users when a venue accepts fewer orders of an instrument than before, or will, if they hold it in a basket
 * or have pending orders on it: one notification for each user and instrument, which names the baskets.
 */
import type { Instrument, Position, TradeAccount, TradeabilityStatus } from '../../domain/model.ts';
import { instrumentNotification } from '../../domain/notification.ts';
import { isRunningSchedule } from '../../domain/schedule.ts';
import type { Trigger, WaitingOpening } from '../../domain/trigger.ts';
import type { EngineDeps } from '../core/deps.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { InstrumentsChange } from '../ports/market.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { notice, notificationLegs } from './notify.ts';

/** Time before a delisting at which its users are notified. */
const TELL_BEFORE_MS = 24 * 60 * 60_000;
const LOOK_EVERY_MS = 60 * 60_000;
const MOST_NAMES = 5;
const STRICTNESS: Readonly<Record<TradeabilityStatus, number>> = {
  tradable: 0,
  reduce_only: 1,
  not_tradable: 2,
};

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger' | 'market' | 'state'>;

/** Baskets and pending orders of one user on an instrument. */
interface Stake {
  readonly userId: string;
  readonly accountIds: Set<string>;
  readonly baskets: Position[];
  triggers: number;
  schedules: number;
}

/** Changes since the last run count too, once the venue's list replaces the stored one. */
export function tellInstrumentNews(
  deps: Deps,
  connectors: readonly string[],
  accounts: () => readonly TradeAccount[],
): Unsubscribe {
  const { market, clock, logger, store } = deps;
  let cancelLook: Unsubscribe = () => {};
  const telling = new Set<string>();

  function keep(connector: string, { id }: Instrument, unit: Promise<UnitOfWork | null>): void {
    unit
      .then((made) => (made === null ? null : store.commit(made)))
      .then((committed) => {
        if (committed?.ok === false)
          logger.warn({ connector, symbol: id }, 'news of an instrument was not kept');
      })
      .catch((error: unknown) =>
        logger.error({ err: error, connector, symbol: id }, 'news of an instrument was not kept'),
      );
  }

  async function newsOf(connector: string, { id }: Instrument, what: string): Promise<UnitOfWork> {
    const stakes = await stakesIn(deps, accounts(), connector, id);
    return oneUnit(...stakes.map((stake) => noticeTo(deps, connector, stake, what)));
  }

  function onChange({ connector, changed }: InstrumentsChange): void {
    for (const { before, after } of changed) {
      const { status, reason } = after.tradeability;
      if (before === undefined || STRICTNESS[status] <= STRICTNESS[before.tradeability.status]) continue;
      const because = reason === null ? '' : ` (${reason})`;
      const what =
        status === 'reduce_only'
          ? `${after.id} takes only orders that reduce a position${because}`
          : `${after.id} cannot be traded any more${because}`;
      keep(connector, after, newsOf(connector, after, what));
    }
    look();
  }

  /** Notifies of near delistings, and schedules the next check while others are ahead. */
  function look(): void {
    cancelLook();
    const now = clock.now();
    const dated = connectors.flatMap((connector) =>
      market
        .instruments(connector)
        .flatMap((instrument) =>
          instrument.delistsAt === undefined || instrument.delistsAt <= now
            ? []
            : [{ connector, instrument, at: instrument.delistsAt }],
        ),
    );
    for (const { connector, instrument, at } of dated)
      if (at - TELL_BEFORE_MS <= now) keep(connector, instrument, delistingOf(connector, instrument, at));
    const ahead = dated.map(({ at }) => at - TELL_BEFORE_MS - now).filter((ms) => ms > 0);
    if (ahead.length > 0) cancelLook = clock.after(Math.min(LOOK_EVERY_MS, ...ahead), look);
  }

  /** Delisting to notify of; null: none, or it was notified already, also by an earlier process. */
  async function delistingOf(
    connector: string,
    instrument: Instrument,
    at: number,
  ): Promise<UnitOfWork | null> {
    const key = `delisting-told:${connector}:${instrument.id}`;
    const told = `${key} ${at}`;
    if (telling.has(told)) return null;
    telling.add(told);
    if ((await store.setting(key)) === String(at)) return null;
    const day = new Date(at).toISOString();
    const what = `The venue delists ${instrument.id} on ${day.slice(0, 10)} at ${day.slice(11, 16)} UTC`;
    return oneUnit(await newsOf(connector, instrument, what), {
      settings: [{ key, value: String(at) }],
    });
  }

  const stop = market.onInstruments(onChange);
  look();
  return () => {
    stop();
    cancelLook();
  };
}

async function stakesIn(
  { state, store }: Pick<Deps, 'state' | 'store'>,
  accounts: readonly TradeAccount[],
  connector: string,
  symbol: string,
): Promise<readonly Stake[]> {
  const owners = new Map(
    accounts
      .filter((account) => account.connector === connector)
      .map((account) => [account.id, account.userId]),
  );
  const stakes = new Map<string, Stake>();
  const stakeOf = (tradeAccountId: string): Stake | null => {
    const userId = owners.get(tradeAccountId);
    if (userId === undefined) return null;
    const known = stakes.get(userId);
    const stake = known ?? { userId, accountIds: new Set(), baskets: [], triggers: 0, schedules: 0 };
    stake.accountIds.add(tradeAccountId);
    stakes.set(userId, stake);
    return stake;
  };
  for (const id of owners.keys())
    for (const position of state.positions.of(id))
      if (position.legs.some((leg) => leg.symbol === symbol && leg.quantity !== '0'))
        stakeOf(id)?.baskets.push(position);
  await store.eachLiveTrigger(
    (triggers) => {
      for (const trigger of triggers) {
        const stake = waitsOn(trigger, symbol) ? stakeOf(trigger.tradeAccountId) : null;
        if (stake !== null) stake.triggers += 1;
      }
    },
    () => {},
  );
  for (const schedule of await store.liveSchedules()) {
    const waits = isRunningSchedule(schedule) && schedule.legs.some((leg) => leg.symbol === symbol);
    const stake = waits ? stakeOf(schedule.tradeAccountId) : null;
    if (stake !== null) stake.schedules += 1;
  }
  return [...stakes.values()];
}

function waitsOn({ legs, condition }: Trigger | WaitingOpening, symbol: string): boolean {
  const watched = condition !== null && 'symbol' in condition ? condition.symbol : null;
  return watched === symbol || legs.some((leg) => leg.symbol === symbol);
}

function noticeTo(deps: Deps, connector: string, stake: Stake, what: string): UnitOfWork {
  const { baskets, triggers, schedules, userId } = stake;
  const names = baskets.slice(0, MOST_NAMES).map((basket) => nameOf(deps, basket));
  const more = baskets.length > MOST_NAMES ? ` and ${baskets.length - MOST_NAMES} more` : '';
  const waiting = [counted(triggers, 'trigger'), counted(schedules, 'schedule')].filter((one) => one !== '');
  const reason = [
    what,
    ...(names.length === 0 ? [] : [`Baskets: ${names.join(', ')}${more}`]),
    ...(waiting.length === 0 ? [] : [`Waiting: ${waiting.join(', ')}`]),
  ].join('. ');
  const [only] = baskets.length === 1 ? baskets : [];
  const accountIds = [...stake.accountIds];
  const about = {
    connector,
    ...(only === undefined
      ? {}
      : { positionId: only.id, legs: notificationLegs(deps, connector, only.legs) }),
    ...(accountIds.length === 1 && accountIds[0] !== undefined ? { tradeAccountId: accountIds[0] } : {}),
  };
  return notice(deps, instrumentNotification(about, reason), userId, accountIds);
}

/** `long BTC+SOL / short ETH`. */
function nameOf(deps: Pick<Deps, 'market'>, { connector, legs }: Position): string {
  const named = notificationLegs(deps, connector, legs);
  const sides = [
    ['long', named.filter(({ side }) => side === 'BUY')] as const,
    ['short', named.filter(({ side }) => side === 'SELL')] as const,
  ];
  return sides
    .filter(([, of]) => of.length > 0)
    .map(([word, of]) => `${word} ${of.map(({ symbol }) => symbol).join('+')}`)
    .join(' / ');
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`;
}
