/** Properties for the controls of a form: the value from the draft, the change handler and the error. */
import { type FieldErrors, NO_ERRORS } from '../field-errors/field-errors.ts';

/** Names of the draft's properties that have the type `Part`. */
export type NamesOf<Draft, Part> = string &
  { [Name in keyof Draft]: Draft[Name] extends Part ? Name : never }[keyof Draft];

/**
 * @param errors by the paths of the contract, without the prefix
 * @param prefix of the form's part that the draft covers: `takeProfit.`
 */
export function plainFields<Draft extends object>(
  draft: Draft,
  onChange: (draft: Draft) => void,
  errors: FieldErrors = NO_ERRORS,
  prefix = '',
) {
  const choice = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    onChange: (next: Draft[Name]) => onChange({ ...draft, [name]: next }),
  });
  const flag = (name: NamesOf<Draft, boolean>) => ({
    checked: draft[name] === true,
    onChange: (next: boolean) => onChange({ ...draft, [name]: next }),
  });
  /** @param path of the contract, where it differs from the draft's name */
  const text = (name: NamesOf<Draft, string>, path: string = name) => ({
    name: `${prefix}${path}`,
    value: String(draft[name]),
    error: errors(path),
    onChange: (typed: string) => onChange({ ...draft, [name]: typed }),
  });
  return { choice, flag, text };
}
