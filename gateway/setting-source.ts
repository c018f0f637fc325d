/** Source of a setting: one row of the table in config.ts, to which each venue adds the rows of its own settings. */
import type { FlagSpec } from './cli/parse-flags.ts';

export interface SettingSource<Name extends string = string> {
  readonly name: Name;
  readonly flag?: FlagSpec;
  readonly variable?: string;
  /** Dotted path in config.json. */
  readonly file?: string;
  /** Text (flag, variable) → value; text that does not fit is returned unchanged, and the schema refuses it. */
  readonly read: (text: string) => unknown;
  /** Description of a valid value, for the error line. */
  readonly expected: string;
}

export const same = (text: string) => text;
export const wholeNumber = (text: string) => (/^\d{1,16}$/.test(text) ? Number(text) : text);
export const decimalNumber = (text: string) => (/^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text);
export const yesNo = (text: string) =>
  text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
