/**
 * Properties for the controls of a form: the value from the draft, the change handler and the error. Spread on a
 * control: `<TextField label="Interval" after="s" {...number('interval', 'intervalSeconds')} />`.
 */
import { useSettings } from '../../api/settings.ts';
import { localeOf } from '../../api/settings-values.ts';
import { type FieldErrors, inPercent, NO_ERRORS } from '../field-errors/field-errors.ts';
import { type NamesOf, plainFields } from './plain-fields.ts';
import { withoutGroups } from './typed-number.ts';

/** Properties of a part of a form. */
export interface FormPart<Draft> {
  readonly value: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Errors by the paths of the contract: `minimumDrift`, … */
  readonly errors: FieldErrors;
}

/**
 * @param errors by the paths of the contract, without the prefix
 * @param prefix of the form's part that the draft covers: `takeProfit.`
 */
export function draftFields<Draft extends object>(
  draft: Draft,
  onChange: (draft: Draft) => void,
  errors: FieldErrors = NO_ERRORS,
  prefix = '',
) {
  const { choice, flag, text } = plainFields(draft, onChange, errors, prefix);
  const number = (name: NamesOf<Draft, string>, path: string = name) => {
    const field = text(name, path);
    const locale = localeOf(useSettings.getState());
    return {
      ...field,
      numeric: true,
      onChange: (typed: string) => field.onChange(withoutGroups(typed, locale)),
    };
  };
  /** A value typed in percent and sent as a fraction. */
  const percent = (name: NamesOf<Draft, string>, path: string = name) => ({
    ...number(name, path),
    after: '%',
    error: inPercent(errors(path)),
  });
  return { choice, flag, text, number, percent };
}
