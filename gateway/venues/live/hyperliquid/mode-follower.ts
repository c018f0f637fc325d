/**
 * Balances of an open account, read where its mode keeps them. The owner may change the mode at any time, which moves
 * the money: a reading in the old mode shows a loss that did not happen. So the venue confirms the mode before figures
 * are given out that a change could explain.
 */
import { type Decimal, dec } from '../../../domain/decimal.ts';
import { fail, type Result } from '../../../domain/result.ts';
import type { VenueError } from '../../../engine/ports/venue.ts';
import type { Lane } from '../kit/budget.ts';
import { modeName } from './account-mode.ts';
import { type ReadDeps, type Reading, readState } from './account-reads.ts';
import type { AccountFacts, ToldFacts } from './credentials.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

/** Time between two questions without an occasion. One weighs 20 of the 1,200 a minute. */
const ASK_EVERY_MS = 3 * 60_000;
/** Retry delay if the venue did not answer. */
const ASK_AGAIN_MS = 30_000;
/** Age of an answer that the first reading of an account may rely on, as just after connecting. */
const RECENT_MS = 60_000;
/** Change of the balance, as a fraction, that trading between two readings rarely causes. */
const UNLIKELY_CHANGE = 0.05;
const MOST_CHANGES = 3;

export class ModeFollower {
  readonly #deps: ReadDeps;
  readonly #keep: (session: Session, told: ToldFacts) => Promise<AccountFacts>;
  readonly #session: Session;
  /** Time of the next question by `Clock.uptime`. */
  #askAt: number;
  /** Balance of the last reading given out; null: none yet. */
  #balance: Decimal | null = null;

  constructor(
    deps: ReadDeps,
    session: Session,
    keep: (session: Session, told: ToldFacts) => Promise<AccountFacts>,
  ) {
    this.#deps = deps;
    this.#session = session;
    this.#keep = keep;
    this.#askAt = session.modeAskedAt + ASK_EVERY_MS;
  }

  /** @returns an error while the venue does not confirm a reading that a change of the mode may have caused */
  async read(lane: Lane): Promise<Result<Reading, VenueError>> {
    /** Balance that a reading showed in the mode that the venue confirmed after it. */
    let seen: Decimal | null = null;
    for (let changes = 0; changes <= MOST_CHANGES; changes += 1) {
      const { user } = this.#session;
      const mode = this.#session.mode.word;
      const told = await readState(this.#deps, { user, mode }, lane);
      if (!told.ok) return told;
      const isDoubtful = this.#isDoubtful(told.value);
      if (!isDoubtful && this.#deps.clock.uptime() < this.#askAt) return this.#accept(told);
      const now = await this.#ask(lane);
      if (!now.ok && isDoubtful) return now;
      if (!now.ok || (now.value === mode && !isDoubtful)) return this.#accept(told);
      if (now.value !== mode) {
        await this.#follow(now.value);
        seen = null;
        continue;
      }
      // The owner may have changed the mode and back: a second reading has to say the same.
      const balance = dec(told.value.balances.balance);
      if (seen !== null && !isFar(balance, seen)) return this.#accept(told);
      seen = balance;
    }
    return fail({ kind: 'unknown', message: 'the mode of the account changes all the time' });
  }

  #accept(told: Result<Reading, VenueError>): Result<Reading, VenueError> {
    if (told.ok) this.#balance = dec(told.value.balances.balance);
    return told;
  }

  #isDoubtful({ balances, positions }: Reading): boolean {
    const balance = dec(balances.balance);
    if (this.#balance === null) {
      const age = this.#deps.clock.uptime() - this.#session.modeAskedAt;
      return age > RECENT_MS || balance.isZero();
    }
    // Positions without any money are backed by money elsewhere.
    if (positions.length > 0 && (balance.isZero() || dec(balances.equity).isZero())) return true;
    return isFar(balance, this.#balance);
  }

  async #ask(lane: Lane): Promise<Result<string, VenueError>> {
    const { client, clock } = this.#deps;
    this.#askAt = clock.uptime() + ASK_AGAIN_MS;
    const question = { type: 'userAbstraction', user: this.#session.user };
    const told = await client.info(lane, question, wire.abstraction);
    if (told.ok) this.#askAt = clock.uptime() + ASK_EVERY_MS;
    return told;
  }

  async #follow(mode: string): Promise<void> {
    const session = this.#session;
    const { changedAt } = session.mode;
    const isSame = modeName(session.mode.word) === modeName(mode);
    session.mode = { word: mode, changedAt: isSame ? changedAt : this.#deps.clock.now() };
    const { master, isSub } = session;
    const kept = await this.#keep(session, { master, isSub, mode });
    // Another question may have changed it meanwhile.
    if (session.mode.word === mode) session.mode = kept.mode;
  }
}

function isFar(balance: Decimal, from: Decimal): boolean {
  return balance.minus(from).abs().gt(from.abs().mul(UNLIKELY_CHANGE));
}
