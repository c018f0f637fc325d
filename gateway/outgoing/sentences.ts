/** The sentence of a message: what a delivery's event means, as a person reads it. */
import type { Delivery } from '../domain/delivery.ts';
import type { TradeAccount } from '../domain/model.ts';
import { type Money, moneyWord } from '../domain/money.ts';
import type { MarketData } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock } from '../engine/ports/system.ts';
import { type AccountWords, closedSentence, executionSentence, notificationSentence } from './words.ts';

/** The most that a message may be late before it says when it was. */
const LATE_MS = 60_000;

export interface SentencesOptions {
  readonly store: Pick<Store, 'notification' | 'position' | 'execution'>;
  readonly market: Pick<MarketData, 'instrument'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly accounts: {
    all(): readonly TradeAccount[];
    get(id: string): TradeAccount | undefined;
    moneyOf(account: TradeAccount): Money;
  };
}

export class Sentences {
  readonly #options: SentencesOptions;

  constructor(options: SentencesOptions) {
    this.#options = options;
  }

  /** null: what it is about is gone. */
  async of(delivery: Delivery): Promise<string | null> {
    const sentence = await this.#plain(delivery);
    if (sentence === null) return null;
    const { occurredAt } = delivery;
    const isLate = this.#options.clock.now() - occurredAt > LATE_MS;
    const when = isLate ? ` (${new Date(occurredAt).toISOString().slice(0, 16).replace('T', ' ')} UTC)` : '';
    return `${sentence}${when}`;
  }

  async #plain({ event, tradeAccountId, entityId }: Delivery): Promise<string | null> {
    if (event === 'test') return 'Test: Tandem can reach you here.';
    const { store, accounts } = this.#options;
    const account = tradeAccountId === null ? undefined : accounts.get(tradeAccountId);
    const words = account === undefined ? null : this.#wordsOf(account);
    if (event === 'notification.created') {
      const notification = await store.notification(entityId);
      if (notification === null) return null;
      const isOfAccount = notification.parameters.tradeAccountId !== undefined;
      return notificationSentence(notification, isOfAccount ? words : null);
    }
    if (account === undefined || words === null) return null;
    if (event === 'position.closed') {
      const position = await store.position(account.id, entityId);
      return position === null ? null : closedSentence(position, words);
    }
    const execution = await store.execution(account.id, entityId);
    return execution === null ? null : executionSentence(execution, words);
  }

  #wordsOf(account: TradeAccount): AccountWords {
    const { accounts, market } = this.#options;
    const isOnly = accounts.all().filter(({ userId }) => userId === account.userId).length === 1;
    return {
      money: moneyWord(accounts.moneyOf(account)),
      alias: isOnly ? null : account.alias,
      tickerOf: (symbol) => market.instrument(account.connector, symbol)?.symbol ?? symbol,
    };
  }
}
