/** Everything by typing: screens, instruments to trade, accounts, settings. */
import { Dialog } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import { Moon, Sun, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useGet } from '../api/queries.ts';
import { chooseAccount, useAccounts, useMaybeAccount } from '../api/session.ts';
import { changeSettings, shownTheme, useSettings } from '../api/settings.ts';
import { tradeHref } from '../features/basket-link/basket-link.ts';
import css from './command-palette.module.css';
import { SCREENS } from './screens.tsx';

export function CommandPalette({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        <Dialog.Popup className={css['popup']}>
          <Dialog.Title className="visually-hidden">Commands</Dialog.Title>
          <Commands onDone={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({ onDone }: { readonly onDone: () => void }) {
  const [, navigate] = useLocation();
  const account = useMaybeAccount();
  const accounts = useAccounts();
  const theme = useSettings(shownTheme);
  const instruments = useGet(
    'GET /instruments',
    { query: { connector: account?.connector ?? '' } },
    { shared: true, enabled: account !== null, freshForMs: 300_000 },
  );
  const run = (action: () => void) => () => {
    onDone();
    action();
  };
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Command label="Commands" loop className={css['command'] ?? ''}>
      <Command.Input placeholder="Go to, trade, switch…" className={css['input'] ?? ''} />
      <Command.List className={css['list'] ?? ''} label="Commands">
        <Command.Empty className={css['empty'] ?? ''}>Nothing matches</Command.Empty>
        <Group heading="Screens">
          {SCREENS.map(({ path, name, icon: Icon, key }) => (
            <Item key={path} onSelect={run(() => navigate(path))}>
              <Icon aria-hidden="true" />
              <span>{name}</span>
              {key !== '' && <kbd>g {key}</kbd>}
            </Item>
          ))}
        </Group>
        {accounts.length > 1 && (
          <Group heading="Accounts">
            {accounts.map(({ id, alias, mode }) => (
              <Item key={id} value={`account ${alias} ${id}`} onSelect={run(() => chooseAccount(id))}>
                <Wallet aria-hidden="true" />
                <span>{alias}</span>
                <kbd>{mode}</kbd>
              </Item>
            ))}
          </Group>
        )}
        <Group heading="View">
          <Item onSelect={run(() => changeSettings({ theme: other }))}>
            {other === 'light' ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
            <span>Use the {other} theme</span>
          </Item>
        </Group>
        <Group heading="Trade">
          {instruments.data?.instruments.map(({ id, symbol }) => (
            <Item
              key={id}
              value={`trade ${symbol} ${id}`}
              onSelect={run(() => navigate(tradeHref({ long: [id], short: [] })))}
            >
              <span>{symbol}</span>
              <kbd>{id}</kbd>
            </Item>
          ))}
        </Group>
      </Command.List>
    </Command>
  );
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group heading={heading} className={css['group'] ?? ''}>
      {children}
    </Command.Group>
  );
}

function Item({
  value,
  onSelect,
  children,
}: {
  readonly value?: string;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Command.Item
      className={css['item'] ?? ''}
      onSelect={onSelect}
      {...(value === undefined ? {} : { value })}
    >
      {children}
    </Command.Item>
  );
}
