/** Leverage and margin mode by account and instrument; where nothing was set, the instrument's default. */

import { KeyedQueue } from '../../domain/keyed-queue.ts';
import { defaultLeverage } from '../../domain/margin.ts';
import type { Instrument, LeverageSetting } from '../../domain/model.ts';

export class LeverageSettings {
  readonly #settings = new Map<string, LeverageSetting>();
  /** One change of a setting at a time, so that the stored setting is the one the venue was told last. */
  readonly queue = new KeyedQueue();

  of(tradeAccountId: string): readonly LeverageSetting[] {
    return [...this.#settings.values()].filter((setting) => setting.tradeAccountId === tradeAccountId);
  }

  get(tradeAccountId: string, symbol: string): LeverageSetting | undefined {
    return this.#settings.get(`${tradeAccountId} ${symbol}`);
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
    this.#settings.set(`${setting.tradeAccountId} ${setting.symbol}`, setting);
  }
}
