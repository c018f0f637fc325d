/** A moment that is typed, in UTC or local time as the settings say. Its value is ISO 8601, '' while there is none. */
import { useSettings } from '../api/settings.ts';
import { Field, type FieldProps, Input } from './field.tsx';
import { momentOf, momentText } from './moment-text.ts';

export function MomentField({
  label,
  value,
  onChange,
  name,
  ...rest
}: Pick<FieldProps, 'error' | 'help'> & {
  readonly label: string;
  readonly value: string;
  readonly onChange: (iso: string) => void;
  readonly name?: string;
}) {
  const zone = useSettings((settings) => settings.zone);
  return (
    <Field {...rest} label={`${label} (${zone === 'utc' ? 'UTC' : 'local time'})`}>
      <Input
        {...(name === undefined ? {} : { name })}
        type="datetime-local"
        value={momentText(value, zone)}
        invalid={rest.error !== undefined}
        onChange={(event) => onChange(momentOf(event.target.value, zone))}
      />
    </Field>
  );
}
