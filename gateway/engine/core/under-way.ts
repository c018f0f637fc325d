/**
 * Executions that can open something, from their acceptance to their end, by account. What they trade counts as held: an
 * order is acknowledged before it fills.
 */
import type { Placed } from '../../domain/authority.ts';
import type { Execution } from '../../domain/model.ts';

type Opening = Pick<
  Execution,
  'id' | 'tradeAccountId' | 'intent' | 'authorityKind' | 'authorityId' | 'orders'
>;

const NONE: readonly Placed[] = [];

export class UnderWay {
  readonly #byAccount = new Map<string, Map<string, Opening>>();

  enter(execution: Opening): void {
    const { id, tradeAccountId, intent } = execution;
    if (intent === 'CLOSE' || intent === 'REDUCE') return;
    const executions = this.#byAccount.get(tradeAccountId);
    if (executions === undefined) this.#byAccount.set(tradeAccountId, new Map([[id, execution]]));
    else executions.set(id, execution);
  }

  leave({ id, tradeAccountId }: Pick<Opening, 'id' | 'tradeAccountId'>): void {
    const executions = this.#byAccount.get(tradeAccountId);
    if (executions?.delete(id) === true && executions.size === 0) this.#byAccount.delete(tradeAccountId);
  }

  /** Authorities whose executions may open the instrument. */
  of(tradeAccountId: string, symbol: string): readonly Placed[] {
    const executions = this.#byAccount.get(tradeAccountId);
    if (executions === undefined) return NONE;
    return [...executions.values()].filter(({ orders }) => orders.some((order) => order.symbol === symbol));
  }
}
