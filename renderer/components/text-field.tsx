/** A labelled field for typed text, or for a figure with its unit. */
import { Field, type FieldProps, Input, type InputProps } from './field.tsx';

export interface TextFieldProps
  extends Omit<FieldProps, 'children' | 'className'>,
    Omit<InputProps, 'value' | 'defaultValue' | 'onChange'> {
  readonly value: string;
  readonly onChange: (typed: string) => void;
}

export function TextField({
  label,
  help,
  error,
  inline = false,
  hideLabel = false,
  onChange,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error} inline={inline} hideLabel={hideLabel}>
      <Input {...input} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}
