/**
 * Field for a time, in UTC or local time as the settings say. Its value is ISO 8601; '' while the field is
 * incomplete.
 */
import { useSettings } from '../api/settings.ts';
import { momentOf, momentText } from './moment-text.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export function MomentField({
  label,
  value,
  onChange,
  ...rest
}: Pick<TextFieldProps, 'error' | 'help' | 'name' | 'value' | 'onChange'> & { readonly label: string }) {
  const zone = useSettings((settings) => settings.zone);
  return (
    <TextField
      {...rest}
      label={`${label} (${zone === 'utc' ? 'UTC' : 'local time'})`}
      type="datetime-local"
      value={momentText(value, zone)}
      onChange={(typed) => onChange(momentOf(typed, zone))}
    />
  );
}
