/** Leverage and margin mode by account and instrument; where nothing was set, the instrument's default. */

import { KeyedQueue } from '../../domain/keyed-queue.ts';
import { defaultLeverage } from '../../domain/margin.ts';
import type { Instrument, LeverageSetting } from '../../domain/model.ts';

export class LeverageSettings {
  /** Account → instrument → setting. By two keys, because a text made of both is hashed anew for each leg of each order. */
  readonly #settings = new Map<string, Map<string, LeverageSetting>>();
  /** One change of a setting at a time, so that the stored setting is the one the venue was told last. */
  readonly queue = new KeyedQueue();

  of(tradeAccountId: string): readonly LeverageSetting[] {
    return [...(this.#settings.get(tradeAccountId)?.values() ?? [])];
  }

  get(tradeAccountId: string, symbol: string): LeverageSetting | undefined {
    return this.#settings.get(tradeAccountId)?.get(symbol);
  }

  /** Whether anything was set on the account. */
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
