/** One attempt of a delivery: its secret, its request, the sentence of a message, and the receiver's answer. */
import type { AttemptOutcome, Delivery, Destination } from '../domain/delivery.ts';
import type { TradeAccount } from '../domain/model.ts';
import { type Money, moneyWord } from '../domain/money.ts';
import type { MarketData } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock } from '../engine/ports/system.ts';
import { post } from './post.ts';
import { messageRequest, payloadOf, webhookRequest } from './requests.ts';
import type { DestinationSecret, DestinationSecrets } from './secrets.ts';
import { type AccountWords, closedSentence, executionSentence, notificationSentence } from './words.ts';

/** Age from which a message names the time of its event. */
const LATE_MS = 60_000;

export interface AttemptParts {
  readonly market: Pick<MarketData, 'instrument'>;
  readonly accounts: {
    all(): readonly TradeAccount[];
    get(id: string): TradeAccount | undefined;
    moneyOf(account: TradeAccount): Money;
  };
  readonly store: Pick<Store, 'notification' | 'position' | 'execution'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly secrets: Pick<DestinationSecrets, 'read'>;
}

export class Attempts {
  private readonly options: AttemptParts;

  constructor(options: AttemptParts) {
    this.options = options;
  }

  /** @param stopped ends it with the gateway */
  async make(destination: Destination, delivery: Delivery, stopped: AbortSignal): Promise<AttemptOutcome> {
    const { clock, secrets } = this.options;
    const nothing = { responseStatus: null, response: null };
    const secret = await secrets.read(destination.id).catch((error: Error) => error);
    // A keychain that is locked is unlocked some time.
    if (secret instanceof Error) return { at: clock.now(), ...nothing, error: secret.message };
    if (secret === null)
      return { at: clock.now(), ...nothing, error: 'Its secret is not in the vault', isLast: true };
    const request =
      destination.kind === 'WEBHOOK'
        ? webhookRequest(destination, delivery, payloadOf(delivery), secret, clock.now())
        : await this.message(destination, delivery, secret);
    if (request === null)
      return { at: clock.now(), ...nothing, error: 'What it is about is gone', isLast: true };
    const outcome = await post(request, stopped);
    const at = clock.now();
    if (outcome.kind === 'failed') return { at, ...nothing, error: outcome.reason };
    const { status, text, retryAfterMs } = outcome;
    // A receiver that quotes the request would put the secret into the log.
    const response = secretWords(secret).reduce((said, word) => said.replaceAll(word, '…'), text);
    const isDone = status >= 200 && status < 300;
    return {
      at,
      responseStatus: status,
      response,
      retryAfterMs,
      error: isDone ? null : `It answered with status ${status}`,
    };
  }

  private async message(destination: Destination, delivery: Delivery, secret: DestinationSecret) {
    const sentence = await this.sentence(delivery);
    if (sentence === null) return null;
    const { occurredAt } = delivery;
    const isLate = this.options.clock.now() - occurredAt > LATE_MS;
    const when = isLate ? ` (${new Date(occurredAt).toISOString().slice(0, 16).replace('T', ' ')} UTC)` : '';
    return messageRequest(destination, `${sentence}${when}`, secret);
  }

  private async sentence({ event, tradeAccountId, entityId }: Delivery): Promise<string | null> {
    if (event === 'test') return 'Test: Tandem can reach you here.';
    const { store } = this.options;
    const account = this.options.accounts.get(tradeAccountId ?? '');
    const words = account === undefined ? null : this.wordsOf(account);
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

  private wordsOf(account: TradeAccount): AccountWords {
    const { accounts, market } = this.options;
    const isOnly = accounts.all().filter(({ userId }) => userId === account.userId).length === 1;
    return {
      money: moneyWord(accounts.moneyOf(account)),
      alias: isOnly ? null : account.alias,
      tickerOf: (symbol) => market.instrument(account.connector, symbol)?.symbol ?? symbol,
    };
  }
}

/** Parts of a secret that no log may contain. If the secret is an address (DISCORD), its token counts too. */
function secretWords({ secret, previous = '', target = '' }: DestinationSecret): readonly string[] {
  const token = URL.canParse(secret) ? (new URL(secret).pathname.split('/').at(-1) ?? '') : '';
  return [secret, previous, target, token].filter((word) => word !== '');
}
