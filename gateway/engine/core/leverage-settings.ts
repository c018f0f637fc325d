/** Leverage and margin mode by account and instrument. Without a setting, the instrument's default applies. */

import { KeyedQueue } from '../../domain/keyed-queue.ts';
import { defaultLeverage } from '../../domain/margin.ts';
import type { Instrument, LeverageSetting } from '../../domain/model.ts';

export class LeverageSettings {
  /** Account → instrument → setting. Two keys, because a combined text would be hashed for each leg of each order. */
  readonly #settings = new Map<string, Map<string, LeverageSetting>>();
  /** Queue of setting changes, one at a time, so that the stored setting is the last one sent to the venue. */
  readonly queue = new KeyedQueue();

  of(tradeAccountId: string): readonly LeverageSetting[] {
    return [...(this.#settings.get(tradeAccountId)?.values() ?? [])];
  }

  get(tradeAccountId: string, symbol: string): LeverageSetting | undefined {
    return this.#settings.get(tradeAccountId)?.get(symbol);
  }

  /** True: the account has any setting. */
  isSetOn(tradeAccountId: string): boolean {
    return this.#settings.has(tradeAccountId);
  }

  /** The stored setting, or the instrument's default. */
  inForce(tradeAccountId: string, instrument: Instrument): Pick<LeverageSetting, 'leverage' | 'marginMode'> {
    return (
      this.get(tradeAccountId, instrument.id) ?? {
        leverage: defaultLeverage(instrument),
        marginMode: 'cross',
      }
    );
  }

  put(setting: LeverageSetting): void {
    const { tradeAccountId, symbol } = setting;
    const ofAccount = this.#settings.get(tradeAccountId);
    if (ofAccount === undefined) this.#settings.set(tradeAccountId, new Map([[symbol, setting]]));
    else ofAccount.set(symbol, setting);
  }
}
