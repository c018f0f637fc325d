/**
 * A labelled control with its help and its error. The error is the gateway's own or the contract schema's, beside the
 * control, and announced.
 */
import { Field as Base } from '@base-ui/react/field';
import { Input as BaseInput } from '@base-ui/react/input';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './field.module.css';

export interface FieldProps {
  readonly label: ReactNode;
  readonly help?: ReactNode;
  /** Message beside the control; undefined: the value is valid. */
  readonly error?: string | undefined;
  /** Label and control in one line. */
  readonly inline?: boolean;
  /** The label is read by screen readers only. */
  readonly hideLabel?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Field({
  label,
  help,
  error,
  inline = false,
  hideLabel = false,
  className,
  children,
}: FieldProps) {
  return (
    <Base.Root
      className={classNames(css['field'], inline && css['inline'], className)}
      invalid={error !== undefined}
    >
      <Base.Label className={hideLabel ? 'visually-hidden' : css['label']}>{label}</Base.Label>
      {children}
      {help !== undefined && <Base.Description className={css['help']}>{help}</Base.Description>}
      <Base.Error className={css['error']} match={error !== undefined}>
        {error}
      </Base.Error>
    </Base.Root>
  );
}

export interface InputProps
  extends Omit<ComponentProps<'input'>, 'className' | 'prefix' | 'defaultValue' | 'value'> {
  readonly value?: string;
  readonly defaultValue?: string;
  /** Content inside the box, before or after the text: a unit, an icon. */
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  /** The text consists of right-aligned digits. */
  readonly numeric?: boolean | undefined;
  readonly invalid?: boolean | undefined;
  readonly className?: string | undefined;
}

export function Input({ before, after, numeric = false, invalid, className, ...rest }: InputProps) {
  return (
    <span className={classNames(css['box'], className)} data-invalid={invalid === true ? '' : undefined}>
      {before !== undefined && <span className={css['affix']}>{before}</span>}
      <BaseInput
        autoComplete="off"
        spellCheck={false}
        {...(numeric ? { inputMode: 'decimal' } : {})}
        {...rest}
        aria-invalid={invalid === true ? true : undefined}
        className={classNames(css['input'], numeric && css['numeric'])}
      />
      {after !== undefined && <span className={css['affix']}>{after}</span>}
    </span>
  );
}

/** Group of related fields with a common name. */
export function FieldGroup({
  legend,
  disabled = false,
  children,
}: {
  readonly legend: ReactNode;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className={css['group']} disabled={disabled}>
      <legend className={css['legend']}>{legend}</legend>
      {children}
    </fieldset>
  );
}
