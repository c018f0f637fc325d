/** Buttons: one look per kind, one size. While `busy`, a button keeps its width and cannot be pressed again. */
import { Button as BaseButton } from '@base-ui/react/button';
import type { ReactNode } from 'react';
import css from './button.module.css';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

export interface ButtonProps extends Omit<BaseButton.Props, 'className'> {
  /** `primary`: the one next action of a view; `danger`: ends something; `ghost`: inside rows and bars. */
  readonly kind?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined;
  readonly icon?: ReactNode;
  readonly busy?: boolean | undefined;
  readonly wide?: boolean | undefined;
  readonly className?: string | undefined;
}

export function Button({
  kind = 'secondary',
  icon,
  busy = false,
  wide = false,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <BaseButton
      {...rest}
      className={classNames(css['button'], css[kind], wide && css['wide'], busy && css['busy'], className)}
      disabled={disabled === true || busy}
      focusableWhenDisabled={busy}
      aria-busy={busy || undefined}
    >
      {icon !== undefined && <span className={css['icon']}>{icon}</span>}
      <span className={css['label']}>{children}</span>
    </BaseButton>
  );
}

export interface IconButtonProps extends Omit<BaseButton.Props, 'className' | 'children' | 'aria-label'> {
  /** Name of the button, for screen readers and as its tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly danger?: boolean | undefined;
  readonly className?: string | undefined;
}

export function IconButton({ label, icon, danger = false, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <BaseButton
        {...rest}
        aria-label={label}
        className={classNames(css['iconButton'], danger && css['dangerIcon'], className)}
      >
        {icon}
      </BaseButton>
    </Tooltip>
  );
}
