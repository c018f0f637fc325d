/** Where a setting is read from: one row of the table in config.ts, to which each venue adds the rows of its own. */
import type { FlagSpec } from './cli/parse-flags.ts';

export interface SettingSource<Name extends string = string> {
  readonly name: Name;
  readonly flag?: FlagSpec;
  readonly variable?: string;
  /** Dotted path in config.json. */
  readonly file?: string;
  /** Text (flag, variable) → value; what does not fit stays text and the schema says why. */
  readonly read: (text: string) => unknown;
  /** What is asked for, for the error line. */
  readonly expected: string;
}

export const same = (text: string) => text;
export const wholeNumber = (text: string) => (/^\d{1,16}$/.test(text) ? Number(text) : text);
export const decimalNumber = (text: string) => (/^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text);
export const yesNo = (text: string) =>
  text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
