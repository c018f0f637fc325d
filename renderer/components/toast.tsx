/** Short news at the corner, read out by screen readers: `say('Basket saved')`, `sayError(error)`. Errors stay longer. */
import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { describeError } from './describe-error.ts';
import css from './toast.module.css';

type Kind = 'info' | 'success' | 'error';

const manager = Toast.createToastManager();
const SHOWN_MS = 5_000;
const ERROR_SHOWN_MS = 12_000;

export function say(title: string, options: { readonly detail?: string; readonly kind?: Kind } = {}): void {
  const { detail, kind = 'info' } = options;
  manager.add({
    title,
    type: kind,
    timeout: kind === 'error' ? ERROR_SHOWN_MS : SHOWN_MS,
    priority: kind === 'error' ? 'high' : 'low',
    ...(detail === undefined ? {} : { description: detail }),
  });
}

/** What was wanted, and what went wrong: `sayError('The basket was not saved', error)`. */
export function sayError(title: string, error: unknown): void {
  const { text, requestId } = describeError(error);
  say(title, { kind: 'error', detail: requestId === null ? text : `${text} · request ${requestId}` });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className={css['viewport']}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={classNames(css['toast'], css[toast.type ?? 'info'])}>
      <Toast.Content className={css['content']}>
        <div className={css['words']}>
          <Toast.Title className={css['title']} />
          <Toast.Description className={css['detail']} />
        </div>
        <Toast.Close render={<IconButton label="Dismiss" icon={<X />} />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
