/** A labelled select, for a choice among a few options. */
import { Field, type FieldProps } from './field.tsx';
import { Select, type SelectProps } from './select.tsx';

export function SelectField<Value extends string>({
  label,
  help,
  error,
  ...select
}: Pick<FieldProps, 'label' | 'help' | 'error'> & Omit<SelectProps<Value>, 'label'>) {
  return (
    <Field label={label} help={help} error={error}>
      <Select {...select} />
    </Field>
  );
}
